import { SETTINGS, type Setting } from '../../api/settings/settings.ts';
import { listItem } from './generated-parts.ts';

export const listSettings = (): string =>
  Object.entries<Readonly<Record<string, Setting<unknown>>>>(SETTINGS)
    .map(([subject, settings]) =>
      [
        `### ${subject}`,
        '',
        ...Object.values(settings).map((setting) =>
          listItem(`\`${setting.name}\` (${describeDefault(setting)}):`, setting.about),
        ),
      ].join('\n'),
    )
    .join('\n\n');

const describeDefault = ({ default: text = '', ifUnset }: Setting<unknown>): string => {
  if (ifUnset !== undefined) return ifUnset;
  if (text === '') return 'none';
  return /^\d+$/.test(text) ? text : `\`${text}\``;
};
