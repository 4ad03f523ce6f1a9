import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, REGISTRY_DATABASE, REGISTRY_ROLE } from './cluster.ts';
import { EmbeddedPostgresFailed, getErrorCode } from './embedded-postgres-failed.ts';
import { readWorkingDirectory, WORKING_DIRECTORY } from './process-identity.ts';

/** Every process has the advisory lock in shared mode; only the last one can get it exclusively. */
export interface ServerRef {
  readonly port: number;
  /** Resolves when the connection, and with it the share, is lost or released. */
  readonly lost: Promise<void>;
  /** Runs `stopServer` if no other process has a share, while new processes wait. */
  release(stopServer: () => Promise<void>): Promise<'stopped' | 'used by others' | 'lost'>;
}

/** Starting or stopping, out of connections, or silent. */
export type Refusal = 'busy' | 'full' | 'silent';

// In the database `postgres`, so it cannot collide with the service's advisory locks.
const lockDatabase = 'postgres';
const lock = '(4801, 1)';

/** A query may wait for another process to stop the server. */
const connectMs = 5_000;
const answerMs = 30_000;

export const buildUrl = (cluster: Cluster, port: number): string =>
  `postgres://${REGISTRY_ROLE}:${cluster.password}@127.0.0.1:${port}/${REGISTRY_DATABASE}`;

/** Waits while another process stops the server. @throws EmbeddedPostgresFailed if it is not ours */
export const acquireServer = async (
  cluster: Cluster,
  port: number,
): Promise<ServerRef | Refusal> => {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: REGISTRY_ROLE,
    password: cluster.password,
    database: lockDatabase,
    application_name: 'registry: embedded Postgres host',
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
  });
  client.on('error', () => undefined); // `end` follows
  const lost = new Promise<void>((resolve) => {
    client.once('end', () => resolve());
  });
  const close = () => client.end().catch(() => undefined);
  try {
    await client.connect();
    if ((await findServedDirectory(client)) !== cluster.dir) {
      throw new EmbeddedPostgresFailed(
        `The Postgres on port ${port} does not serve ${cluster.dir}. Stop it, then start again.`,
      );
    }
    await client.query(`select pg_advisory_lock_shared${lock}`);
  } catch (error) {
    void close();
    return toRefusal(error, cluster);
  }
  return {
    port,
    lost,
    release: async (stopServer) => {
      let isLast: boolean;
      try {
        await client.query(`select pg_advisory_unlock_shared${lock}`);
        isLast = await isLastUser(client);
      } catch {
        await close();
        return 'lost';
      }
      try {
        if (isLast) await stopServer();
        return isLast ? 'stopped' : 'used by others';
      } finally {
        await close();
      }
    },
  };
};

/** Data directory of the server, without symbolic links. */
const findServedDirectory = async (client: pg.Client): Promise<string | null> => {
  const { rows } = await client.query<{ dir: string; pid: number }>(
    `select current_setting('data_directory') as dir, pg_backend_pid() as pid`,
  );
  const [{ dir, pid } = { dir: '', pid: 0 }] = rows;
  // All processes of a server run in its data directory.
  return dir === WORKING_DIRECTORY ? readWorkingDirectory(pid) : realpath(dir).catch(() => null);
};

/** A connection that just ended may keep its lock a moment longer. */
const lingerMs = 300;
const retryMs = 25;

const isLastUser = async (client: pg.Client): Promise<boolean> => {
  const until = performance.now() + lingerMs;
  for (;;) {
    const { rows } = await client.query<{ is_last: boolean }>(
      `select pg_try_advisory_lock${lock} as is_last`,
    );
    if (rows[0]?.is_last === true) return true;
    if (performance.now() > until) return false;
    await sleep(retryMs);
  }
};

const toRefusal = (error: unknown, cluster: Cluster): Refusal => {
  const code = getErrorCode(error);
  if (error instanceof EmbeddedPostgresFailed) throw error;
  // https://www.postgresql.org/docs/18/errcodes-appendix.html
  if (code === '57P03' || code === '57P01' || code === '57P02') return 'busy';
  if (code === '53300') return 'full';
  if (code === '28P01' || code === '28000' || code === '3D000') {
    throw new EmbeddedPostgresFailed(
      `The Postgres in ${cluster.dir} does not take the password in DATA_DIR/postgres-password. Restore both from the same backup.`,
      { cause: error },
    );
  }
  return 'silent';
};
