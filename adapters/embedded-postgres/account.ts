import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresFailed } from './embedded-postgres-failed.ts';

const run = promisify(execFile);

/** The system account Postgres runs under; undefined means our own. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

// Stands in for the user `postgres` while a machine does not have it yet.
const nobody = { uid: 65534, gid: 65534 };

/** True when this process is root, as whom Postgres refuses to run. */
export const isRoot = (): boolean => process.getuid?.() === 0;

const lookUp = async (user: string): Promise<Account> => {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', user]), run('id', ['-g', user])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
};

/**
 * The account for a cluster: ours; under root the owner of the cluster, so that an operator's
 * `sudo` does not change hands, and for a cluster still to be made the user `postgres`.
 */
export const accountFor = async (clusterDir: string): Promise<Account> => {
  if (!isRoot()) return undefined;
  const owner = await stat(clusterDir).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await lookUp('postgres')) ?? nobody;
};

/**
 * The environment of every process of Postgres: ours may hold secrets, and PGPORT and its like
 * would change what Postgres does.
 */
export const bareEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  LC_ALL: 'C',
  TZ: 'UTC',
});

/**
 * Runs a short-lived program under the account and resolves with its stdout.
 * @throws the error of `child_process`, with the program's `stderr`
 */
export const runAs = async (
  account: Account,
  file: string,
  args: readonly string[],
  options: { cwd?: string; input?: string } = {},
): Promise<string> => {
  const running = run(file, args, {
    ...account,
    cwd: options.cwd ?? '/',
    env: bareEnvironment(),
    timeout: 120_000,
  });
  running.child.stdin?.on('error', () => undefined); // the exit code tells it all
  running.child.stdin?.end(options.input ?? '');
  return (await running).stdout;
};

const canEnter = (account: Account, dir: string): Promise<boolean> =>
  runAs(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', dir]).then(
    () => true,
    () => false,
  );

/**
 * Makes sure that the account can reach a directory.
 * @param advice what the operator can do about it
 * @throws EmbeddedPostgresFailed naming the first directory that is closed
 */
export const requireReachable = async (
  account: Account,
  dir: string,
  advice: string,
): Promise<void> => {
  if (account === undefined || (await canEnter(account, dir))) return;
  const parents: string[] = [dir];
  for (let at = dir; at !== dirname(at); at = dirname(at)) parents.unshift(dirname(at));
  for (const parent of parents) {
    if (await canEnter(account, parent)) continue;
    throw new EmbeddedPostgresFailed(
      `Under root, Postgres runs as the user 'postgres' (uid ${account.uid}), who may not enter ${parent}. ${advice}.`,
    );
  }
};
