import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { COMMAND_FLAGS, SERVICE_FLAGS } from '../../scripts/node-flags.ts';

/** Runs an operator command, as a person would. @returns the object that it prints */
export type Operator = (...args: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;

/** A rate limit that is never reached. */
export const UNLIMITED = '100000000';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_WITHIN_MS = 120_000;
const POLL_MS = 10;
const LONGEST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Starts the built service in a process of its own, as `npm start` does. */
export const spawnService = (env: NodeJS.ProcessEnv, stdio: StdioOptions): ChildProcess =>
  spawn(process.execPath, [...SERVICE_FLAGS, 'scripts/run.mjs', 'serve'], {
    cwd: ROOT,
    env,
    stdio,
  });

/** The operator's commands beside a service with these settings. */
export const operatorWith =
  (env: NodeJS.ProcessEnv): Operator =>
  async (...args) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...COMMAND_FLAGS, 'scripts/run.mjs', 'operator', ...args, '--json'],
      { cwd: ROOT, env, maxBuffer: LONGEST_OUTPUT_BYTES },
    );
    return JSON.parse(stdout);
  };

/** Waits until a service that was just started is ready. @throws Error when it ends instead */
export const ready = async (url: string, child: ChildProcess): Promise<void> => {
  const giveUp = performance.now() + READY_WITHIN_MS;
  while (performance.now() < giveUp) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`);
    const status = await fetch(`${url}/health/ready`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await sleep(POLL_MS);
  }
  throw new Error('The service did not become ready.');
};

/** Ends a process that was started here, if it has not ended yet, as a person does. */
export const ended = (child: ChildProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    else resolve();
  });
