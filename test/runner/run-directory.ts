import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { freemem, userInfo } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../adapters/embedded-postgres/process-identity.ts';

/** Where one run of the tests throws everything away. */
export interface RunDirectory {
  readonly path: string;
  /** Ends every process that works there or was started with it, and removes it. */
  close(): void;
}

const NAME = /^run-(\d+)-/;
const GONE_WITHIN_MS = 5_000;
const LOOK_AGAIN_MS = 20;

/**
 * Makes a directory for a run of the tests, and clears away those of runs that were killed.
 * @param base what all runs share
 */
export const openRunDirectory = (base: string): RunDirectory => {
  mkdirSync(base, { recursive: true });
  for (const name of readdirSync(base)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) clear(join(base, name));
  }
  const path = mkdtempSync(join(base, `run-${process.pid}-`));
  // The user of Postgres has to pass through.
  chmodSync(path, 0o711);
  return { path, close: () => clear(path) };
};

/**
 * Asked with SIGQUIT first, Postgres takes its shared memory with it. Synchronous: it is what a run
 * does last, in the handler of its exit.
 */
const clear = (path: string): void => {
  endAll(path, 'SIGQUIT');
  endAll(path, 'SIGKILL');
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
};

const endAll = (path: string, signal: NodeJS.Signals): void => {
  const giveUp = performance.now() + GONE_WITHIN_MS;
  const signaled = new Set<number>();
  for (;;) {
    const left = processesOf(path);
    if (left.length === 0 || performance.now() > giveUp) return;
    for (const pid of left) if (!signaled.has(pid)) send(pid, signal);
    for (const pid of left) signaled.add(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  }
};

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
};

/**
 * Processes that work in a directory, as Postgres does, or have it as TMPDIR, as everything that
 * tests start. None outside Linux, which alone lists them.
 */
const processesOf = (path: string): readonly number[] => {
  const isOfRun = (pid: number): boolean => {
    try {
      if (`${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${path}/`)) return true;
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`TMPDIR=${path}`);
    } catch {
      return false; // It has ended, or belongs to another user.
    }
  };
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map(Number).filter((pid) => pid !== process.pid && isOfRun(pid));
  } catch {
    return [];
  }
};

const MEMORY = '/dev/shm';
const TMPFS = 0x01021994; // statfs(2)
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * A directory in memory for what tests throw away: each copies a cluster of Postgres, which takes a
 * processor 0.1 s there and 0.9 s on a disk. Kept from run to run with what they share.
 * @returns null where there is no such memory, or not enough
 */
export const temporaryMemory = (): string | null => {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    if (type !== TMPFS || Math.min(bavail * bsize, freemem()) < NEEDED_BYTES) return null;
    const directory = join(MEMORY, `birth-registry-tests-${userInfo().uid}`);
    mkdirSync(directory, { recursive: true });
    // The user of Postgres has to pass through.
    chmodSync(directory, 0o755);
    return directory;
  } catch {
    return null;
  }
};
