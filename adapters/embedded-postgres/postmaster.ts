import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { type FileHandle, link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBareEnvironment } from './account.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresFailed, getErrorCode } from './embedded-postgres-failed.ts';
import { isAlive, isLeaving, isPostmasterFor } from './process-identity.ts';
import { buildServerArguments } from './settings.ts';

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly status: 'starting' | 'ready' | 'stopping';
}

/** Result of a start: a server is running (ours or a faster process's), or the reason it is not. */
export type StartOutcome = 'started' | 'occupied' | 'port-taken';

const pollMs = 20;
/** Maximum time for a postmaster to write its pid file. */
const unfinishedMs = 10_000;

/** Removes a stale pid file if another process has that pid now: Postgres would refuse to start. */
export const findPostmaster = async (cluster: Cluster): Promise<Postmaster | null> => {
  const content = await readPidFile(cluster.dir);
  if (content === null) return null;
  const described = parsePidFile(content);
  if (described === null) {
    // Incomplete: its writer is about to start, or lost power long ago.
    const { mtimeMs } = await stat(getPidFile(cluster.dir)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > unfinishedMs) await moveAside(cluster.dir, content);
    return null;
  }
  if (await isPostmasterFor(described.pid, cluster.dir)) return described;
  if (isAlive(described.pid)) await moveAside(cluster.dir, content);
  return null;
};

const getPidFile = (dir: string): string => join(dir, 'postmaster.pid');

const readPidFile = async (dir: string): Promise<string | null> => {
  try {
    return await readFile(getPidFile(dir), 'utf8');
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
};

const parsePidFile = (content: string): Postmaster | null => {
  // pid, data directory, start time, port, socket directory, address, shared memory, status
  const lines = content.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 1 || !Number.isInteger(port) || port <= 0) return null;
  const status = lines[7];
  if (status === 'ready' || status === 'stopping') return { pid, port, status };
  return { pid, port, status: 'starting' };
};

/** Removes the pid file that we checked. Restores it if a parallel start has replaced it since. */
const moveAside = async (dir: string, judged: string): Promise<void> => {
  const aside = join(dir, `postmaster.pid.stale-${randomBytes(4).toString('hex')}`);
  try {
    await rename(getPidFile(dir), aside);
    if ((await readFile(aside, 'utf8')) !== judged) await link(aside, getPidFile(dir));
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT' && getErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(aside, { force: true });
  }
};

/** Below the ephemeral range, from which an outgoing connection could take it while Postgres restarts. */
export const findFreePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new EmbeddedPostgresFailed(
    'No port between 20000 and 32000 is free on 127.0.0.1. Stop what listens there, or set DATABASE_URL.',
  );
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** @throws EmbeddedPostgresFailed with the last lines of its log if it does not start */
export const startPostmaster = async (
  cluster: Cluster,
  port: number,
  deadline: number,
): Promise<StartOutcome> => {
  const log = await openLog(cluster);
  const { size: logStart } = await log.stat();
  let ended: string | null = null;
  try {
    // The library's start() rejects with undefined, and its process gets our Ctrl-C and a pipe that
    // breaks when we exit. This process has its own session and log file.
    const child = spawn(cluster.binaries.postgres, buildServerArguments(cluster.serverDir, port), {
      ...cluster.account,
      cwd: cluster.dir,
      env: createBareEnvironment(),
      detached: true,
      stdio: ['ignore', 'ignore', log.fd],
    });
    child.once('error', (error) => {
      ended = error.message;
    });
    child.once('exit', (code, signal) => {
      ended ??= signal === null ? `exit code ${code}` : `ended by ${signal}`;
    });
    child.unref();
    while (ended === null) {
      const found = parsePidFile((await readPidFile(cluster.dir)) ?? '');
      if (found?.pid === child.pid && found?.status === 'ready') return 'started';
      if (Date.now() > deadline) {
        throw new EmbeddedPostgresFailed(
          `Postgres in ${cluster.dir} is not ready yet and may still be recovering. See ${cluster.logFile}, then start again.`,
        );
      }
      await sleep(pollMs);
    }
    const output = await readFrom(cluster.logFile, logStart);
    const own = output.filter((line) => line.includes(`[${child.pid}]`)).join('\n');
    if (
      /lock file "postmaster.pid" (already exists|is empty)|bogus data in lock file|shared memory block .* in use/.test(
        own,
      )
    ) {
      return 'occupied';
    }
    if (own.includes('could not create any TCP/IP sockets')) return 'port-taken';
    throw new EmbeddedPostgresFailed(
      `Postgres in ${cluster.dir} does not start (${ended}). Fix what it says, then start again: ${output.slice(-6).join(' | ')}`,
    );
  } finally {
    await log.close();
  }
};

const openLog = async (cluster: Cluster): Promise<FileHandle> => {
  try {
    const log = await open(cluster.logFile, 'a', 0o600);
    // A command that root runs in a user's directory must not lock that user out.
    if (cluster.account !== undefined) await log.chown(cluster.account.uid, cluster.account.gid);
    return log;
  } catch (cause) {
    throw new EmbeddedPostgresFailed(
      `${cluster.logFile} cannot be written. Check its rights and the space on the disk.`,
      { cause },
    );
  }
};

const readFrom = async (file: string, start: number): Promise<string[]> => {
  const content = await readFile(file);
  return content.subarray(start).toString('utf8').trim().split('\n');
};

const MAX_LOG_BYTES = 1024 * 1024;
const LOG_TAIL_BYTES = 64 * 1024;

/** Postgres opens the log in append mode and continues at the new end. */
export const trimLog = async (cluster: Cluster): Promise<void> => {
  const found = await stat(cluster.logFile).catch(() => null);
  if (found === null || found.size <= MAX_LOG_BYTES) return;
  const handle = await open(cluster.logFile, 'r+');
  try {
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(LOG_TAIL_BYTES),
      position: found.size - LOG_TAIL_BYTES,
    });
    await handle.truncate(0);
    await handle.write(buffer, 0, bytesRead, 0);
  } finally {
    await handle.close();
  }
};

/** Signals of a stop, each with its timeout in milliseconds. */
const orderly: [NodeJS.Signals, number][] = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
];
const forced: [NodeJS.Signals, number][] = [
  ['SIGINT', 3_000],
  ['SIGQUIT', 3_000],
  ['SIGKILL', 5_000],
];

/** Signals only the verified postmaster. @throws EmbeddedPostgresFailed if it still runs after all timeouts */
export const stopPostmaster = async (
  cluster: Cluster,
  pid: number,
  options: { force?: boolean } = {},
): Promise<void> => {
  for (const [signal, waitMs] of options.force === true ? forced : orderly) {
    const deadline = Date.now() + waitMs;
    if (!(await isPostmasterFor(pid, cluster.dir))) return;
    try {
      process.kill(pid, signal);
    } catch (cause) {
      if (getErrorCode(cause) === 'ESRCH') return;
      throw new EmbeddedPostgresFailed(
        `Postgres (pid ${pid}) is another user's. Stop it as the user who started it.`,
        { cause },
      );
    }
    while (Date.now() < deadline) {
      // Its port and files are free only after it exits.
      if (!(await isPostmasterFor(pid, cluster.dir)) && !(await isLeaving(pid))) return;
      await sleep(pollMs);
    }
  }
  throw new EmbeddedPostgresFailed(
    `Postgres (pid ${pid}) in ${cluster.dir} does not stop. See ${cluster.logFile}, then stop it by hand.`,
  );
};
