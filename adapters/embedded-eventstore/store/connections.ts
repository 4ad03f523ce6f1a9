import pg from 'pg';
import { hasTable, WRITER_LOCK } from './schema.ts';

const CONNECT_TIMEOUT_MS = 5_000;
// A database that hangs for longer counts as lost, so no query waits forever.
const QUERY_TIMEOUT_MS = 20_000;

/** Connection of a process that hosts no node, or not yet. */
export const withClient = async <T>(
  databaseUrl: string,
  ask: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'eventstore-host',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Durable commits regardless of the server's default. Emits `end` and `error` on loss. */
export const connectWriter = async (databaseUrl: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'eventstore-writer',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  });
  // Without a listener, an error on an idle connection would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('set synchronous_commit = on; set jit = off');
    return client;
  } catch (cause) {
    await client.end().catch(() => undefined);
    throw cause;
  }
};

/** Connections for readers. The options force index-order scans, so pages are never sorted. */
export const readerPool = (databaseUrl: string): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'eventstore-reader',
    max: 6,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    options: [
      '-c jit=off -c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off',
      '-c enable_hashjoin=off -c enable_mergejoin=off',
    ].join(' '),
  });
  pool.on('error', () => undefined);
  return pool;
};

/** Tries to acquire the writer's lock, which lasts until the connection ends. */
export const tryLock = async (client: pg.ClientBase): Promise<boolean> => {
  const result = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1, $2) as locked',
    [...WRITER_LOCK],
  );
  return result.rows[0]?.locked === true;
};

/** Kind of the process that hosts the node. */
export type HostKind = 'service' | 'command';

/** Node with the writer's lock. The address is `null` until it listens. */
export interface LockHolder {
  readonly address: {
    readonly pid: number;
    readonly port: number;
    readonly hostKind: HostKind;
  } | null;
}

/** Finds the node that currently has the writer's lock, or `null` if the lock is free. */
export const findLockHolder = async (client: pg.ClientBase): Promise<LockHolder | null> => {
  const locks = await client.query<{ pid: number }>(
    `select l.pid from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.granted and d.datname = current_database()
        and l.classid::bigint = $1 and l.objid::bigint = $2 and l.objsubid = 2`,
    [...WRITER_LOCK],
  );
  const backend = locks.rows[0]?.pid;
  if (backend === undefined) return null;
  if (!(await hasTable(client, 'eventstore.node'))) return { address: null };
  const found = await client.query<{ pid: number; port: number; holder: string }>(
    'select pid, port, holder from eventstore.node where backend_pid = $1',
    [backend],
  );
  const row = found.rows[0];
  if (row === undefined) return { address: null };
  const hostKind = row.holder === 'command' ? 'command' : 'service';
  return { address: { pid: row.pid, port: row.port, hostKind } };
};

/** Publishes the address of the node. Must use the connection with the lock. */
export const publishAddress = async (
  client: pg.ClientBase,
  port: number,
  hostKind: HostKind,
): Promise<void> => {
  await client.query(
    `insert into eventstore.node (backend_pid, pid, port, holder)
      values (pg_backend_pid(), $1, $2, $3)
      on conflict (single) do update set backend_pid = excluded.backend_pid,
        pid = excluded.pid, port = excluded.port, holder = excluded.holder`,
    [process.pid, port, hostKind],
  );
};

export const withdrawAddress = async (client: pg.ClientBase): Promise<void> => {
  await client.query('delete from eventstore.node');
};
