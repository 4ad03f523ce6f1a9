import { SETTINGS, type Setting } from '../../api/settings/settings.ts';
import type { OperatorCommand } from '../operator/command-line.ts';
import { SUBJECTS } from '../operator/commands.ts';
import { buildApiReference } from './api-reference.ts';
import { buildEventReference } from './event-reference.ts';
import { buildFieldReference } from './field-reference.ts';
import { fillInParts, listItem, wrapItem } from './generated-parts.ts';
import { listMetrics } from './list-metrics.ts';
import { formatCode } from './markdown.ts';

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

const listCommands = (): string =>
  Object.entries(SUBJECTS)
    .map(([subject, commands]) => [`### ${subject}`, '', ...commands.map(listCommand)].join('\n'))
    .join('\n\n');

const listCommand = ({ usage, options, command }: OperatorCommand): string => {
  const described = options.filter(({ description }) => description !== '');
  return [
    wrapItem(`- ${formatCode(usage)}:`),
    ...command.description().split('\n'),
    ...described.map(({ long = '', description }) => `${formatCode(long)} ${description}.`),
  ].join('\n  ');
};

type Build = (document: string) => string | Promise<string>;

export const REFERENCES: Readonly<Record<string, Build>> = {
  'docs/operate/configure.md': (document) => fillInParts(document, { settings: listSettings() }),
  'docs/operate/commands.md': (document) => fillInParts(document, { commands: listCommands() }),
  'docs/operate/monitor.md': async (document) =>
    fillInParts(document, { metrics: await listMetrics() }),
  'docs/reference/api.md': buildApiReference,
  'docs/reference/fields.md': buildFieldReference,
  'docs/reference/events.md': buildEventReference,
};
