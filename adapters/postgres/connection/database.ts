import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { type AskStatement, addScripts } from '../../package-internals/postgres-driver/scripts.ts';
import type { Database } from './row-types.ts';

/** Further texts run unprepared, which matters if they vary per call. */
const MAX_NAMES = 200;
const HAS_PLAN = /^\s*(?:with|select|insert|update|delete)\b/i;
/** SQLSTATE `feature_not_supported`: column types have changed since the statement was prepared. */
const PLAN_IS_OF_OTHER_COLUMNS = '0A000';

/** Statement names by text, shared by all connections of this thread. */
const names = new Map<string, string>();

const nameOf = (text: string): string | undefined => {
  const known = names.get(text);
  if (known !== undefined || names.size === MAX_NAMES || !HAS_PLAN.test(text)) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
};

const runPlain: AskStatement = (client, text, parameters) => client.query(text, [...parameters]);

/** Runs a statement that each connection parses and plans only the first few times. */
const runPrepared: AskStatement = async (client, text, parameters) => {
  const name = nameOf(text);
  if (name === undefined) return runPlain(client, text, parameters);
  try {
    return await client.query({ name, text, values: [...parameters] } satisfies pg.QueryConfig);
  } catch (error) {
    // Read tables of another version replaced the ones it was planned for.
    if ((error as { code?: unknown }).code !== PLAN_IS_OF_OTHER_COLUMNS) throw error;
    return runPlain(client, text, parameters);
  }
};

export type Db = Kysely<Database>;

/**
 * In a query: the commit of its transaction does not wait for the disk. Only for what is made again
 * after a crash of Postgres, which loses the latest such commits, never one in their middle.
 */
export const COMMIT_UNFLUSHED = sql`set_config('synchronous_commit', 'off', true)`;

const STATEMENT_TIMEOUT_MS = 8_000;
/** Limits the wait for a server that does not respond at all. */
const ANSWER_TIMEOUT_MS = 10_000;

/** In milliseconds. 0 means no limit. */
export interface DatabaseTimeouts {
  readonly connectMs: number;
  readonly statementMs: number;
  readonly answerMs: number;
}

/** A request that gets no connection returns 503 while its client still waits. */
export const REQUEST_TIMEOUTS: DatabaseTimeouts = {
  connectMs: 3_000,
  statementMs: STATEMENT_TIMEOUT_MS,
  answerMs: ANSWER_TIMEOUT_MS,
};

/** Longer, because no client waits for an operator's command, and it may run on a slow machine. */
export const COMMAND_TIMEOUTS: DatabaseTimeouts = {
  ...REQUEST_TIMEOUTS,
  connectMs: 15_000,
};

export const ENDLESS_STATEMENTS: DatabaseTimeouts = {
  ...COMMAND_TIMEOUTS,
  statementMs: 0,
  answerMs: 0,
};

export const openDatabase = (
  url: string,
  connections: number,
  timeouts: DatabaseTimeouts = REQUEST_TIMEOUTS,
): Db => open(buildSettings(url, connections, timeouts), runPlain);

/**
 * Opens a pool for the few statements that every request or batch runs. Each connection plans them
 * only once, because planning dominates short queries. Cached plans outlive table growth, so scans
 * and sorts are off: on an empty table, they would look as good as the index.
 * @param connections maximum number of connections
 */
export const openHotDatabase = (
  url: string,
  connections: number,
  timeouts: DatabaseTimeouts = REQUEST_TIMEOUTS,
): Db =>
  open(
    {
      ...buildSettings(url, connections, timeouts),
      options: `${SHORT_STATEMENTS} -c enable_seqscan=off -c enable_sort=off`,
    },
    runPrepared,
  );

/** JIT never pays off: Postgres overestimates the duplicate search, and compiles longer than it runs. */
const SHORT_STATEMENTS = '-c jit=off';

const buildSettings = (
  url: string,
  connections: number,
  { connectMs, statementMs, answerMs }: DatabaseTimeouts,
): pg.PoolConfig => ({
  connectionString: url,
  max: connections,
  connectionTimeoutMillis: connectMs,
  statement_timeout: statementMs,
  query_timeout: answerMs,
  options: SHORT_STATEMENTS,
  keepAlive: true,
  application_name: 'birth-registry',
});

const open = (settings: pg.PoolConfig, ask: AskStatement): Db => {
  const pool = new pg.Pool(settings);
  const noteLoss = () => losses.set(pool, performance.now());
  // An idle connection emits its error on the pool, one inside a transaction on itself.
  pool.on('error', noteLoss);
  pool.on('connect', (client) => client.on('error', noteLoss));
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: addScripts(pool, ask) }),
  });
  pools.set(db, pool);
  return db;
};

/** Needed because Kysely does not expose its pool. */
const pools = new WeakMap<Db, pg.Pool>();

const losses = new WeakMap<pg.Pool, number>();
/** Longer than a projector needs to apply again what a crash of Postgres has lost. */
const RECOVERY_MS = 60_000;

/** True if Postgres may have crashed a moment ago, so that the read tables may have gone back. */
export const hasLostConnection = (db: Db): boolean =>
  performance.now() - (losses.get(getPool(db)) ?? Number.NEGATIVE_INFINITY) < RECOVERY_MS;

export const getPool = (db: Db): pg.Pool => {
  const pool = pools.get(db);
  if (pool === undefined) throw new TypeError('No pool was opened for this database.');
  return pool;
};
