import { readFileSync } from 'node:fs';
import { readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { suite, type Test } from 'uvu';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { isAlive, isPostmasterFor } from '../../adapters/embedded-postgres/process-identity.ts';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import { copyFreshCluster, copyStartedCluster } from './cluster-template.ts';
import { shared } from './shared.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const purpose = 'postgres';

export { copyFreshCluster, copyStartedCluster };

/** A Postgres of a test file's own. */
export interface TestPostgres {
  readonly url: string;
  /** Holds its data and what else the test keeps there; removed with it. */
  readonly directory: string;
  stop(): Promise<void>;
}

/**
 * Starts a Postgres of a test file's own, with the settings of production and an empty database
 * `registry`. `stop()` removes it; a test process that ends without takes it down, too.
 */
export const startTestPostgres = async (): Promise<TestPostgres> => {
  await removeAbandoned();
  const directory = temporaryDirectory(`${purpose}-${process.pid}`);
  await copyFreshCluster(directory.path);
  const killAtExit = () => killPostmaster(directory.path);
  process.prependOnceListener('exit', killAtExit); // before the directory is removed
  const hosted = await hostPostgres({ dataDir: directory.path });
  return {
    url: hosted.url,
    directory: directory.path,
    stop: async () => {
      await hosted.stop();
      process.off('exit', killAtExit);
      directory.remove();
    },
  };
};

const thePostgres = shared(startTestPostgres, (postgres) => postgres.stop());
let databases = 0;

/**
 * An empty database on the Postgres that the files of a process share. It goes with that Postgres: autovacuum
 * may be at work in it, and nobody but a superuser drops a database then.
 */
export const createTestDatabase = async (): Promise<Pick<TestPostgres, 'url' | 'stop'>> => {
  const { item: postgres, leave } = await thePostgres.join();
  databases += 1;
  const name = `test_${databases}`;
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
  const url = new URL(postgres.url);
  url.pathname = name;
  return { url: url.href, stop: leave };
};

/** Stops the server that a service left running when it ended in a fault: its files can go then. */
export const stopLeftPostgres = async (dataDir: string): Promise<void> => {
  const joined = await hostPostgres({ dataDir });
  await joined.stop();
};

/** Takes down what killed test runs (Ctrl-C) have left running. */
const removeAbandoned = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^birth-registry-${purpose}-(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(tmpdir(), name);
    const left = pidIn(path);
    const clusterDir = join(await realpath(path), 'postgres');
    if (left !== null && (await isPostmasterFor(left, clusterDir))) process.kill(left, 'SIGQUIT');
    await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
};

const killPostmaster = (dataDir: string): void => {
  const pid = pidIn(dataDir);
  try {
    if (pid !== null) process.kill(pid, 'SIGQUIT');
  } catch {
    // It has ended by itself.
  }
};

const pidIn = (dataDir: string): number | null => {
  try {
    const pidFile = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
    return Number(pidFile.split('\n')[0]);
  } catch {
    return null;
  }
};

/** A database of a test file's own. */
export interface DatabaseContext {
  db: Db;
  url: string;
  /** Ends the connections. */
  stop: () => Promise<void>;
}

/**
 * A suite on an empty database; further `before` hooks fill it.
 * @param connections the most of them at once
 */
export const databaseSuite = (name: string, connections = 4): Test<DatabaseContext> => {
  const table = suite<DatabaseContext>(name);
  table.before(async (context) => {
    const postgres = await createTestDatabase();
    const db = openDatabase(postgres.url, connections);
    Object.assign(context, {
      db,
      url: postgres.url,
      stop: async () => {
        await db.destroy();
        await postgres.stop();
      },
    });
  });
  table.after(({ stop }) => stop());
  return table;
};
