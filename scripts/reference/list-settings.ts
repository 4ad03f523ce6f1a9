import { SETTINGS } from '../../api/settings/setting-descriptions.ts';
import { listItem } from './generated-parts.ts';

/** Lists all settings by subject, in Markdown. */
export const listSettings = (): string =>
  Object.entries(SETTINGS)
    .map(([subject, settings]) =>
      [
        `### ${subject}`,
        '',
        ...settings.map(({ name, otherwise, about }) =>
          listItem(`\`${name}\` (${otherwise}):`, about),
        ),
      ].join('\n'),
    )
    .join('\n\n');
