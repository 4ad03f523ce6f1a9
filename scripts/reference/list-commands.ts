import { describeCommand } from '../operator/command-line.ts';
import { COMMANDS } from '../operator/commands.ts';
import { wrapItem } from './generated-parts.ts';
import { formatCode } from './markdown.ts';

/** Subjects of commands, by the first word of each. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  'Practices, people, and keys': [
    'practice',
    'member',
    'staff',
    'sessions',
    'key',
    'partner',
    'provider',
  ],
  'Records and access': ['statistics', 'history', 'export', 'access-log'],
  'Log, tables, and backups': [
    'checkpoint',
    'verify',
    'rehearse',
    'rebuild',
    'unpark',
    'rotate-secret',
    'rotate-keys',
    'backup',
    'restore',
  ],
};

/** Lists all commands of the operator by subject, in Markdown. */
export const listCommands = (): string =>
  Object.entries(SUBJECTS)
    .map(([subject, words]) =>
      [
        `### ${subject}`,
        '',
        ...COMMANDS.filter((command) => words.includes(command.words[0] ?? '')).map(
          (command) =>
            `${wrapItem(`- ${formatCode(command.usage)}:`)}\n  ${describeCommand(command).join('\n  ')}`,
        ),
      ].join('\n'),
    )
    .join('\n\n');
