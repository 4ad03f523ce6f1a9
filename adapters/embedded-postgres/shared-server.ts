import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, getRegistryDatabase, getRegistryRole } from './cluster.ts';
import { EmbeddedPostgresFailed, getErrorCode } from './embedded-postgres-failed.ts';
import { readWorkingDirectory, WORKING_DIRECTORY } from './process-identity.ts';

/**
 * Our share in a running server. Everybody who uses the server holds the same advisory lock shared,
 * on a connection of its own; who gets it exclusively is the last one and may stop the server.
 */
export interface ServerRef {
  readonly port: number;
  /** Resolves when the connection, and with it the share, is lost or given up. */
  readonly lost: Promise<void>;
  /** Gives the share up. Runs `stopServer` if no other process holds one; newcomers wait meanwhile. */
  release(stopServer: () => Promise<void>): Promise<'stopped' | 'used by others' | 'lost'>;
}

/** A server that did not let us in: it is busy starting or stopping, full, or gives no answer. */
export type Refusal = 'busy' | 'full' | 'silent';

// In the database `postgres`, so that it never meets an advisory lock of the service.
const lockDatabase = 'postgres';
const lock = '(4801, 1)';

/** Milliseconds to let us in, and to answer: the latter includes another process' stopping it. */
const connectMs = 5_000;
const answerMs = 30_000;

/** The address for the service's own connections. */
export const buildUrl = (cluster: Cluster, port: number): string =>
  `postgres://${getRegistryRole}:${cluster.password}@127.0.0.1:${port}/${getRegistryDatabase}`;

/**
 * Connects to the server on the port, makes sure that it is the one of this cluster, and takes a
 * share in it; waits while another process is stopping it.
 * @throws EmbeddedPostgresFailed when it is another server or does not take our password
 */
export const acquireServer = async (
  cluster: Cluster,
  port: number,
): Promise<ServerRef | Refusal> => {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: getRegistryRole,
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
    if ((await servedBy(client)) !== cluster.dir) {
      throw new EmbeddedPostgresFailed(
        `The Postgres on port ${port} does not serve ${cluster.dir}. Stop it, then start again.`,
      );
    }
    await client.query(`select pg_advisory_lock_shared${lock}`);
  } catch (error) {
    void close();
    return refusalFrom(error, cluster);
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

/** The data directory of the server, without symbolic links. */
const servedBy = async (client: pg.Client): Promise<string | null> => {
  const { rows } = await client.query<{ told: string; pid: number }>(
    `select current_setting('data_directory') as told, pg_backend_pid() as pid`,
  );
  const [{ told, pid } = { told: '', pid: 0 }] = rows;
  // All processes of a server work in its data directory.
  return told === WORKING_DIRECTORY ? readWorkingDirectory(pid) : realpath(told).catch(() => null);
};

/** A connection that has just ended may hold its share for a moment longer. */
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

const refusalFrom = (error: unknown, cluster: Cluster): Refusal => {
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
