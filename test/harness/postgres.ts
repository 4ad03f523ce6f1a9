import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { suite, type Test } from 'uvu';
import { createBareEnvironment } from '../../adapters/embedded-postgres/account.ts';
import { prepareCluster } from '../../adapters/embedded-postgres/cluster.ts';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { findFreePort, findPostmaster } from '../../adapters/embedded-postgres/postmaster.ts';
import { isAlive, isPostmasterFor } from '../../adapters/embedded-postgres/process-identity.ts';
import { buildServerArguments } from '../../adapters/embedded-postgres/settings.ts';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import { copyFreshCluster, copyStartedCluster } from './cluster-template.ts';
import { eventually } from './eventually.ts';
import { shared } from './shared.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const purpose = 'postgres';

export { copyFreshCluster, copyStartedCluster };

/** A Postgres of a test file's own, or a database of it. */
export interface TestPostgres {
  readonly url: string;
  /** Holds its data and what else the test keeps there; removed with it. */
  readonly directory: string;
  stop(): Promise<void>;
}

/** What is thrown away after the test need not survive a loss of power, nor be tidied up meanwhile. */
const THROW_AWAY = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
} as const;

/** Starts the Postgres of a data directory for {@link hostPostgres} to join, with {@link THROW_AWAY}. */
const startThrowAway = async (dataDir: string): Promise<void> => {
  const cluster = await prepareCluster(dataDir);
  const settings = Object.entries(THROW_AWAY).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const started = spawn(
    cluster.binaries.postgres,
    [...buildServerArguments(cluster.serverDir, await findFreePort()), ...settings],
    {
      ...cluster.account,
      cwd: cluster.dir,
      env: createBareEnvironment(),
      detached: true,
      stdio: 'ignore',
    },
  );
  started.unref();
  await eventually('Postgres takes connections', async () => {
    if (started.exitCode !== null) throw new Error(`Postgres ended with ${started.exitCode}.`);
    return (await findPostmaster(cluster))?.status === 'ready';
  });
};

/**
 * Starts a Postgres of a test file's own, with an empty database `registry` and the settings of
 * production but {@link THROW_AWAY}. `stop()` removes it; a test process that ends without takes it down,
 * too.
 * @param options.isDurable keeps all settings of production
 * @param options.copyCluster fills its directory
 */
export const startTestPostgres = async ({
  isDurable = false,
  copyCluster = copyFreshCluster,
} = {}): Promise<TestPostgres> => {
  await removeAbandoned();
  const directory = temporaryDirectory(`${purpose}-${process.pid}`);
  await copyCluster(directory.path);
  const killAtExit = () => killPostmaster(directory.path);
  process.prependOnceListener('exit', killAtExit); // before the directory is removed
  if (!isDurable) await startThrowAway(directory.path);
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

const thePostgres = shared(
  () => startTestPostgres({ copyCluster: copyStartedCluster }),
  (postgres) => postgres.stop(),
);
let databases = 0;

/**
 * Creates a database on the Postgres that the files of a process share. `stop()` drops it.
 * @param template what it holds: nothing, or what {@link copyStartedCluster} copies
 */
export const createTestDatabase = async (
  template: 'template1' | 'registry' = 'template1',
): Promise<TestPostgres> => {
  const { item: postgres, leave } = await thePostgres.join();
  databases += 1;
  const name = `test_${databases}`;
  const urlOf = (database: string) => new URL(database, postgres.url).href;
  const query = async (statement: string) => {
    // None that is a template: those have no other connection while they are copied.
    const client = new pg.Client({ connectionString: urlOf('postgres') });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await query(`create database ${name} template ${template}`);
  return {
    url: urlOf(name),
    directory: postgres.directory,
    stop: async () => {
      await query(`drop database ${name} with (force)`);
      await leave();
    },
  };
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
