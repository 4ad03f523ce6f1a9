import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { ready } from './built-service.ts';
import { freePort } from './ports.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A service that npm has started as a terminal does: in a process group of its own. */
export interface InTerminal {
  readonly url: string;
  readonly npm: ChildProcess;
  readonly ended: Promise<[number | null, NodeJS.Signals | null]>;
}

/** Starts it, and does not wait. */
export const npmStart = async (dataDir: string): Promise<InTerminal> => {
  const port = await freePort();
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  const ended = once(npm, 'exit') as InTerminal['ended'];
  return { url: `http://127.0.0.1:${port}`, npm, ended };
};

/** Starts it and waits until it is ready. */
export const npmStarted = async (dataDir: string): Promise<InTerminal> => {
  const started = await npmStart(dataDir);
  await ready(started.url, started.npm);
  assert.ok(existsSync(postmasterIn(dataDir)));
  return started;
};

/** What a terminal does: npm, the service and all that it has started get the signal. */
export const signalGroup = ({ npm }: InTerminal, signal: NodeJS.Signals): void => {
  process.kill(-(npm.pid ?? 0), signal);
};

export const isAnybodyIn = ({ npm }: InTerminal): boolean => {
  try {
    return process.kill(-(npm.pid ?? 0), 0);
  } catch {
    return false;
  }
};

/** npm and the service end with 0, and nothing is left running. */
export const requireStopped = async (
  started: InTerminal,
  dataDir: string,
  signal: NodeJS.Signals,
): Promise<void> => {
  signalGroup(started, signal);
  assert.equal(await started.ended, [0, null], signal);
  assert.not(isAnybodyIn(started), `${signal}: a process is left`);
  assert.not(existsSync(postmasterIn(dataDir)), `${signal}: Postgres is left`);
};

const postmasterIn = (dataDir: string): string => join(dataDir, 'postgres', 'postmaster.pid');
