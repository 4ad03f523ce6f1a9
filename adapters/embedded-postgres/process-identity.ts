import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { getErrorCode } from './embedded-postgres-failed.ts';

const run = promisify(execFile);

/**
 * Passed to Postgres as its data directory if its user cannot enter the parent directories. The
 * kernel resolves this path directly to the working directory, which root has set.
 */
export const WORKING_DIRECTORY = '/proc/self/cwd';

/** Working directory of a process, or `null` if the system does not report it. */
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

/**
 * True if the process is the postmaster of this cluster. A pid from a file proves nothing: after a
 * crash or a reboot it may belong to any process. A zombie does not count.
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
 * True while a process is exiting: it has freed its memory, including its command line, but still
 * has files and sockets open. Call it only for a process that ran a moment ago.
 */
export const isLeaving = async (pid: number): Promise<boolean> => {
  if (process.platform !== 'linux') return false;
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => null);
  if ((await read('cmdline')) !== '') return false;
  const status = await read('status');
  return status !== null && !/^State:\t[ZX]/m.test(status);
};
