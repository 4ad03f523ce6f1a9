import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresFailed } from './embedded-postgres-failed.ts';

const run = promisify(execFile);

/** System account that Postgres runs under, or `undefined` for our own. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

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
      // Parallel first starts as root all try to create the user; only one succeeds.
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

/** Root uses the cluster's owner, so an operator's `sudo` does not change the ownership. */
export const accountFor = async (clusterDir: string): Promise<Account> => {
  if (!isRoot()) return undefined;
  const owner = await stat(clusterDir).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return postgresUser();
};

/** Ours may contain secrets, and variables such as PGPORT would change what Postgres does. */
export const createBareEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  LC_ALL: 'C',
  TZ: 'UTC',
});

/** The process has always ended when this settles. @throws the error of `child_process`, with `stderr` */
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
  running.child.stdin?.on('error', () => undefined); // the exit code is enough
  running.child.stdin?.end(options.input ?? '');
  const closed = new Promise((resolve) => running.child.once('close', resolve));
  try {
    return (await running).stdout;
  } catch (error) {
    // Without a pid it never started.
    if (running.child.pid !== undefined) await closed;
    throw error;
  }
};

/** True if the account can enter the directory and all its parents, starting from `cwd`. */
export const canEnter = async (account: Account, dir: string, cwd = '/'): Promise<boolean> => {
  if (account === undefined) return true;
  return runAs(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', dir], { cwd }).then(
    () => true,
    () => false,
  );
};

/** Names the first directory that blocks the account. @param advice for the operator */
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
