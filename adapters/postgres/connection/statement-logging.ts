import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface LogSettings {
  readonly role: string;
  readonly log_min_error_statement: string;
  readonly log_error_verbosity: string;
  readonly log_statement: string;
  readonly log_min_duration_statement: string;
}

/** Levels that keep the text of failed statements out of the log. */
const ABOVE_ERROR = ['log', 'fatal', 'panic'];

/** `null` if Postgres logs no rows. @see https://www.postgresql.org/docs/current/runtime-config-logging.html */
export const findStatementLoggingProblem = (settings: LogSettings): string | null => {
  const quoting = [
    ...(ABOVE_ERROR.includes(settings.log_min_error_statement)
      ? []
      : ["log_min_error_statement = 'fatal'"]),
    ...(settings.log_error_verbosity === 'terse' ? [] : ["log_error_verbosity = 'terse'"]),
    ...(['none', 'ddl'].includes(settings.log_statement) ? [] : ["log_statement = 'none'"]),
    ...(settings.log_min_duration_statement === '-1' ? [] : ['log_min_duration_statement = -1']),
  ];
  if (quoting.length === 0) return null;
  const commands = quoting.map((setting) => `ALTER ROLE "${settings.role}" SET ${setting};`);
  return `The log of this Postgres may quote submitted values. As its superuser, run: ${commands.join(' ')}`;
};

/** @see findStatementLoggingProblem */
export const readStatementLoggingWarning = async (db: Db): Promise<string | null> => {
  const { rows } = await sql<LogSettings>`
    select current_user as role,
      current_setting('log_min_error_statement') as log_min_error_statement,
      current_setting('log_error_verbosity') as log_error_verbosity,
      current_setting('log_statement') as log_statement,
      current_setting('log_min_duration_statement') as log_min_duration_statement`.execute(db);
  const [settings] = rows;
  return settings === undefined ? null : findStatementLoggingProblem(settings);
};
