import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresFailed } from './embedded-postgres-failed.ts';

const run = promisify(execFile);

/** The system account Postgres runs under; undefined means our own. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

/** True when this process is root: Postgres refuses to run as root. */
export const isRoot = (): boolean => process.getuid?.() === 0;

const lookUp = async (user: string): Promise<Account> => {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', user]), run('id', ['-g', user])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
};

const tries = 5;
const tryAgainMs = 200;

/** Finds the user `postgres`, or makes it. */
const postgresUser = async (): Promise<Account> => {
  for (let attempt = 1; ; attempt++) {
    const known = await lookUp('postgres');
    if (known !== undefined) return known;
    try {
      await run('groupadd', ['--system', '--force', 'postgres']);
      await run('useradd', [
        '--system',
        '--gid',
        'postgres',
        '--no-create-home',
        '--home-dir',
        '/nonexistent',
        '--shell',
        '/usr/sbin/nologin',
        'postgres',
      ]);
    } catch (cause) {
      // Parallel first starts under root all make it; one of them succeeds.
      if (attempt === tries) {
        throw new EmbeddedPostgresFailed(
          "Postgres does not run as root, and the user 'postgres' cannot be made. Make it yourself, run the service as an ordinary user, or set DATABASE_URL to a Postgres of your own.",
          { cause },
        );
      }
      await sleep(tryAgainMs);
    }
  }
};

/**
 * The account for a cluster: ours; under root the owner of the cluster, so that an operator's
 * `sudo` does not change hands, and for a cluster still to be made the user `postgres`.
 * @throws EmbeddedPostgresFailed when root cannot make that user
 */
export const accountFor = async (clusterDir: string): Promise<Account> => {
  if (!isRoot()) return undefined;
  const owner = await stat(clusterDir).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return postgresUser();
};

/**
 * The environment of every process of Postgres: ours may hold secrets, and PGPORT and its like
 * would change what Postgres does.
 */
export const createBareEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  LC_ALL: 'C',
  TZ: 'UTC',
});

/**
 * Runs a short-lived program under the account and resolves with its stdout. It has ended in any case,
 * also when the signal has ended it.
 * @throws the error of `child_process`, with the program's `stderr`
 */
export const runAs = async (
  account: Account,
  file: string,
  args: readonly string[],
  options: { cwd?: string; input?: string; signal?: AbortSignal | undefined } = {},
): Promise<string> => {
  const running = run(file, args, {
    ...account,
    cwd: options.cwd ?? '/',
    env: createBareEnvironment(),
    timeout: 120_000,
    signal: options.signal,
  });
  running.child.stdin?.on('error', () => undefined); // the exit code tells it all
  running.child.stdin?.end(options.input ?? '');
  const closed = new Promise((resolve) => running.child.once('close', resolve));
  try {
    return (await running).stdout;
  } catch (error) {
    // Without a number it has never begun.
    if (running.child.pid !== undefined) await closed;
    throw error;
  }
};

/** Whether the account may pass through all directories to this one, from the working directory. */
export const canEnter = async (account: Account, dir: string, cwd = '/'): Promise<boolean> => {
  if (account === undefined) return true;
  return runAs(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', dir], { cwd }).then(
    () => true,
    () => false,
  );
};

/**
 * The failure of an account that cannot reach a directory, naming the first one that is closed.
 * @param advice what the operator can do about it
 */
export const unreachableDirectoryError = async (
  account: Account,
  dir: string,
  advice: string,
  cause?: unknown,
): Promise<EmbeddedPostgresFailed> => {
  let closed = dir;
  for (let at = dir; at !== dirname(at); at = dirname(at))
    if (!(await canEnter(account, at))) closed = at;
  return new EmbeddedPostgresFailed(
    `Under root, Postgres runs as the user 'postgres' (uid ${account?.uid}), who may not enter ${closed}. ${advice}.`,
    { cause },
  );
};
