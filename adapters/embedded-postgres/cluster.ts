import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  type Account,
  accountFor,
  canEnter,
  isRoot,
  runAs,
  unreachableDirectoryError,
} from './account.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { EmbeddedPostgresFailed, getErrorCode } from './embedded-postgres-failed.ts';
import { readOrCreatePassword, readPassword } from './password.ts';
import { isAlive, WORKING_DIRECTORY } from './process-identity.ts';

/** Role and database of the service. The role owns the database and is not a superuser. */
export const REGISTRY_ROLE = 'registry';
export const REGISTRY_DATABASE = 'registry';

export interface Cluster {
  readonly dir: string;
  /** Directory as passed to Postgres: `dir`, or {@link WORKING_DIRECTORY}. */
  readonly serverDir: string;
  readonly logFile: string;
  readonly password: string;
  readonly account: Account;
  readonly binaries: Binaries;
}

/** Changes nothing. @throws EmbeddedPostgresFailed if it cannot find out */
export const holdsCluster = async (dataDir: string): Promise<boolean> =>
  (await readMajorVersion(join(resolve(dataDir), 'postgres'))) !== null;

/** @throws EmbeddedPostgresFailed */
export const prepareCluster = async (dataDir: string, signal?: AbortSignal): Promise<Cluster> => {
  const root = await prepareDataDir(dataDir);
  const dir = join(root, 'postgres');
  const account = await accountFor(dir);
  const isReachable = await canEnter(account, root);
  if (!isReachable && !(await canEnter(account, WORKING_DIRECTORY, root))) {
    const advice = `Choose another DATA_DIR (for example below /var/lib), or run the service as an ordinary user`;
    throw await unreachableDirectoryError(account, root, advice);
  }
  const toServerPath = (at: string): string => (isReachable ? at : WORKING_DIRECTORY);
  const binaries = await findBinaries(account);
  await removeAbandoned(root);
  const made = await readMajorVersion(dir);
  if (made === null) {
    await makeCluster(root, dir, { binaries, account, toServerPath, signal });
  } else if (made !== binaries.majorVersion) {
    throw new EmbeddedPostgresFailed(
      `${dir} was made by Postgres ${made}, installed is ${binaries.majorVersion}. Start the release that made it, dump the database registry, and restore it into a new DATA_DIR.`,
    );
  }
  const password = await readPassword(root);
  if (password === null) {
    throw new EmbeddedPostgresFailed(
      `${join(root, 'postgres-password')} is missing. Restore it from a backup of DATA_DIR.`,
    );
  }
  return {
    dir,
    serverDir: toServerPath(dir),
    logFile: join(root, 'postgres.log'),
    password,
    account: await accountFor(dir),
    binaries,
  };
};

const prepareDataDir = async (dataDir: string): Promise<string> => {
  const path = resolve(dataDir);
  try {
    const firstMade = await mkdir(path, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
    const root = await realpath(path);
    if (isRoot()) {
      // If we are root, another user runs Postgres and must be able to enter. We change only
      // directories that we created, plus DATA_DIR itself, where every entry has its own mode.
      const top = firstMade === undefined ? root : await realpath(firstMade);
      for (let at = root; ; at = dirname(at)) {
        const { mode } = await stat(at);
        if ((mode & 0o001) === 0) await chmod(at, (mode & 0o7777) | 0o011);
        if (at === top || at === dirname(at)) break;
      }
    }
    return root;
  } catch (cause) {
    throw new EmbeddedPostgresFailed(
      `${path} cannot be used for data. Choose another DATA_DIR, or give this user the right to write there.`,
      { cause },
    );
  }
};

const readMajorVersion = async (dir: string): Promise<string | null> => {
  const content = await readdir(dir).catch(() => []);
  try {
    return (await readFile(join(dir, 'PG_VERSION'), 'utf8')).trim();
  } catch (cause) {
    if (getErrorCode(cause) !== 'ENOENT') {
      throw new EmbeddedPostgresFailed(
        `${dir} cannot be read. Run as the user who started the service first.`,
        { cause },
      );
    }
  }
  if (content.length === 0) return null;
  throw new EmbeddedPostgresFailed(
    `${dir} holds files but no Postgres cluster. Move it away, or choose another DATA_DIR.`,
  );
};

const draftPrefix = 'postgres.new-';
const draftsInWork = new Set<string>();
const abandonedAfterMs = 600_000;

/** Removes the leftovers of a killed first start, but not the work of a parallel one. */
const removeAbandoned = async (root: string): Promise<void> => {
  for (const name of await readdir(root).catch(() => [])) {
    if (!name.startsWith(draftPrefix) || draftsInWork.has(name)) continue;
    const pid = Number(/\d+/.exec(name)?.[0]);
    const { mtimeMs } = await stat(join(root, name)).catch(() => ({ mtimeMs: 0 }));
    const isAbandoned =
      pid === process.pid || !isAlive(pid) || Date.now() - mtimeMs > abandonedAfterMs;
    // A failure is harmless: an initdb that outlived its parent may still be writing.
    if (isAbandoned) {
      await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
};

interface Making {
  readonly binaries: Binaries;
  readonly account: Account;
  /** Path of a working directory as passed to Postgres. */
  readonly toServerPath: (dir: string) => string;
  readonly signal: AbortSignal | undefined;
}

/** Creates the cluster under another name and renames it once it is complete and synced. */
const makeCluster = async (root: string, dir: string, making: Making): Promise<void> => {
  const { binaries, account, toServerPath, signal } = making;
  const draft = `${draftPrefix}${process.pid}-${randomBytes(4).toString('hex')}`;
  const draftDir = join(root, draft);
  const options = { cwd: draftDir, signal };
  draftsInWork.add(draft);
  try {
    const password = await readOrCreatePassword(root);
    await mkdir(draftDir, { mode: 0o700 });
    if (account !== undefined) await chown(draftDir, account.uid, account.gid);
    await runAs(account, binaries.initdb, ['-D', toServerPath(draftDir), ...asDesigned], options);
    await runAs(
      account,
      binaries.postgres,
      [
        '--single',
        '-D',
        toServerPath(draftDir),
        '-c',
        'exit_on_error=true',
        '-c',
        'log_min_error_statement=panic',
        'postgres', // no password in an error
      ],
      { ...options, input: buildFirstStatements(password) },
    );
    await runAs(account, binaries.initdb, ['--sync-only', '-D', toServerPath(draftDir)], options);
    await rename(draftDir, dir).catch((error: unknown) => {
      // A parallel start was faster. Its cluster has the same password.
      if (getErrorCode(error) !== 'ENOTEMPTY' && getErrorCode(error) !== 'EEXIST') throw error;
    });
    await syncDirectory(root);
  } catch (cause) {
    if (cause instanceof EmbeddedPostgresFailed) throw cause;
    throw new EmbeddedPostgresFailed(
      `No Postgres cluster can be made in ${dir} (${describeReason(cause)}). Check that the disk has 100 MB free and that DATA_DIR is a local file system.`,
      { cause },
    );
  } finally {
    await rm(draftDir, { recursive: true, force: true }).catch(() => undefined);
    draftsInWork.delete(draft);
  }
};

// We call initdb because the library's initialize() passes the directory by path, writes the
// password to a world-readable file, and installs signal handlers that end the process before the
// service has drained.
const asDesigned = [
  // The superuser has no password, so it cannot log in over the network.
  '--username=postgres',
  '--auth-local=reject',
  '--auth-host=scram-sha-256',
  '--encoding=UTF8',
  // Sorts by code point and handles case for all letters, identically on every machine.
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--no-instructions',
  '--no-sync', // synced once, after the database is created
];

// Runs in single-user mode, one statement per line: no server listens before the password is set.
const buildFirstStatements = (password: string): string =>
  [
    `create role ${REGISTRY_ROLE} login createdb replication password '${password}' in role pg_read_all_settings, pg_checkpoint`,
    // For online file backups. Granted in this database because `backUpEmbedded` connects to it.
    `grant execute on function pg_backup_start(text, boolean), pg_backup_stop(boolean) to ${REGISTRY_ROLE}`,
    `create database ${REGISTRY_DATABASE} owner ${REGISTRY_ROLE}`,
    '',
  ].join(';\n');

/** Syncs a directory, so new names survive a power loss. */
export const syncDirectory = async (dir: string): Promise<void> => {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const describeReason = (error: unknown): string => {
  if (typeof error === 'object' && error !== null && 'stderr' in error) {
    const stderr = String(error.stderr).trim();
    if (stderr !== '') return stderr.split('\n').slice(-3).join(' | ');
  }
  return error instanceof Error ? error.message : String(error);
};
