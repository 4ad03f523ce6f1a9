import type { OperatorCommand } from './command-line.ts';
import { LOG_COMMANDS } from './commands/log-commands.ts';
import { PRACTICE_COMMANDS } from './commands/practice-commands.ts';
import { RECORD_COMMANDS } from './commands/record-commands.ts';

/** All commands by subject, in the order of the help. */
export const SUBJECTS = {
  'Practices, people, and keys': PRACTICE_COMMANDS,
  'Records and access': RECORD_COMMANDS,
  'Log, tables, and backups': LOG_COMMANDS,
} satisfies Readonly<Record<string, readonly OperatorCommand[]>>;
