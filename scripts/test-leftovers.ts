import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../adapters/embedded-postgres/process-identity.ts';

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
  // Whoever Postgres runs as has to pass through.
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
  const told = new Set<number>();
  for (;;) {
    const left = processesOf(path);
    if (left.length === 0 || performance.now() > giveUp) return;
    for (const pid of left) if (!told.has(pid)) send(pid, signal);
    for (const pid of left) told.add(pid);
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
 * Processes that work in a directory, as Postgres does, or have it as TMPDIR, as whatever tests start.
 * Where the system does not tell, as outside Linux, none.
 */
const processesOf = (path: string): readonly number[] => {
  const isOfRun = (pid: number): boolean => {
    try {
      if (`${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${path}/`)) return true;
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`TMPDIR=${path}`);
    } catch {
      return false; // It has ended, or is somebody else's.
    }
  };
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map(Number).filter((pid) => pid !== process.pid && isOfRun(pid));
  } catch {
    return [];
  }
};
