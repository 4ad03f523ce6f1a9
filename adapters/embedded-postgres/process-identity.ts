import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { getErrorCode } from './embedded-postgres-failed.ts';

const run = promisify(execFile);

/** Data directory if Postgres cannot enter its parents: the kernel resolves this path directly. */
export const WORKING_DIRECTORY = '/proc/self/cwd';

export const readWorkingDirectory = (pid: number): Promise<string | null> =>
  readlink(`/proc/${pid}/cwd`).catch(() => null);

/** True if any process has the pid, including a zombie. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) !== 'ESRCH';
  }
};

/** A pid from a file proves nothing: after a crash or reboot any process may have it. Zombies do not count. */
export const isPostmasterFor = async (pid: number, clusterDir: string): Promise<boolean> => {
  if (process.platform === 'linux') {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const [program, option, dir] = commandLine.split('\0');
    if (basename(program ?? '') !== 'postgres' || option !== '-D') return false;
    return (dir === WORKING_DIRECTORY ? await readWorkingDirectory(pid) : dir) === clusterDir;
  }
  const listed = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => null);
  return listed?.stdout.includes(`/postgres -D ${clusterDir} -p `) ?? false;
};

/** Exiting: its memory is freed, but files and sockets are open. Call only if it ran a moment ago. */
export const isLeaving = async (pid: number): Promise<boolean> => {
  if (process.platform !== 'linux') return false;
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => null);
  if ((await read('cmdline')) !== '') return false;
  const status = await read('status');
  return status !== null && !/^State:\t[ZX]/m.test(status);
};
