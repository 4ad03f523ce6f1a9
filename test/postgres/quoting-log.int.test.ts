import * as assert from 'uvu/assert';
import {
  findStatementLoggingProblem,
  type LogSettings,
  readStatementLoggingWarning,
} from '../../adapters/postgres/connection/statement-logging.ts';
import { databaseSuite } from '../harness/postgres.ts';

const quoting = databaseSuite('a log that quotes rows', 1);

quoting('the embedded Postgres has none', async ({ db }) => {
  assert.is(await readStatementLoggingWarning(db), null);
});

const silent: LogSettings = {
  role: 'registry',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_duration_statement: '-1',
};
const QUOTING: readonly (readonly [Partial<LogSettings>, RegExp])[] = [
  [{ log_min_error_statement: 'error' }, /SET log_min_error_statement = 'fatal';$/],
  [{ log_error_verbosity: 'default' }, /SET log_error_verbosity = 'terse';$/],
  [{ log_statement: 'mod' }, /SET log_statement = 'none';$/],
  [{ log_min_duration_statement: '250ms' }, /SET log_min_duration_statement = -1;$/],
];
for (const [held, command] of QUOTING)
  quoting(`${Object.keys(held)}: the operator is told the command`, () => {
    assert.match(findStatementLoggingProblem({ ...silent, ...held }) ?? '', command);
  });

quoting('who has changed nothing is told all of it', () => {
  const defaults = { log_min_error_statement: 'error', log_error_verbosity: 'default' };
  const doubt = findStatementLoggingProblem({ ...silent, ...defaults }) ?? '';
  assert.is(doubt.match(/ALTER ROLE "registry" SET/g)?.length, 2);
});

quoting.run();
