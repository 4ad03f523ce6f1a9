import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { getErrorCode } from './embedded-postgres-failed.ts';

const run = promisify(execFile);

/**
 * What Postgres gets instead of its data directory where its user may not pass through those
 * above it: the kernel leads from here straight to the working directory, which root has set.
 */
export const WORKING_DIRECTORY = '/proc/self/cwd';

/** The working directory of a process; null where the system does not tell. */
export const readWorkingDirectory = (pid: number): Promise<string | null> =>
  readlink(`/proc/${pid}/cwd`).catch(() => null);

/** True when the pid is in use, by whomever, also by a process that has ended but was not reaped. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) !== 'ESRCH';
  }
};

/**
 * True when the process is the postmaster of this very cluster. A pid from a file proves nothing:
 * after a crash or a reboot it may belong to anybody. A process that has ended but was not reaped
 * does not count.
 * @param clusterDir absolute path without symbolic links
 */
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

/**
 * True while a process is on its way out: it has given up its memory, and with it its command line,
 * but still closes its files and sockets. Asked of a process that was known a moment ago.
 */
export const isLeaving = async (pid: number): Promise<boolean> => {
  if (process.platform !== 'linux') return false;
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => null);
  if ((await read('cmdline')) !== '') return false;
  const status = await read('status');
  return status !== null && !/^State:\t[ZX]/m.test(status);
};
