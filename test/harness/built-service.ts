import { type ChildProcess, execFile, fork, type StdioOptions, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildService, builtEntry } from '../../scripts/build-service.ts';
import { COMMAND_FLAGS, SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../../scripts/node-flags.ts';
import { freePort } from './ports.ts';

/** Runs an operator command, as a person would. @returns the object that it prints */
export type Operator = (...args: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;

/** A rate limit that is never reached. */
const UNLIMITED = '100000000';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The tree whose service benchmarks start, as that of another version. */
const MEASURED = process.env['BENCH_TREE'] ?? ROOT;
const READY_WITHIN_MS = 120_000;
const POLL_MS = 50;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Starts the built service in a process of its own, as `npm start` does.
 * @param tree directory of the project that is built; this one without
 */
export const spawnService = (
  env: NodeJS.ProcessEnv,
  stdio: StdioOptions,
  tree = ROOT,
): ChildProcess =>
  spawn(process.execPath, [...SERVICE_FLAGS, 'scripts/run.mjs', 'serve'], {
    cwd: tree,
    env: { ...SERVICE_ENVIRONMENT, ...env },
    stdio,
  });

/** The operator's commands beside a service with these settings. */
const operatorWith =
  (env: NodeJS.ProcessEnv, tree: string): Operator =>
  async (...args) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...COMMAND_FLAGS, 'scripts/run.mjs', 'operator', ...args, '--json'],
      { cwd: tree, env, maxBuffer: MAX_OUTPUT_BYTES },
    );
    return JSON.parse(stdout);
  };

/** The built service in a process of its own. */
export interface BuiltService {
  readonly url: string;
  readonly env: NodeJS.ProcessEnv;
  /** Seconds from the start of the first process to the first `/health/ready` that says yes. */
  readonly readyAfter: number;
  /** As it was started last. */
  child(): ChildProcess;
  /**
   * Starts it again on the same data.
   * @param tree of another version; the same as before without
   */
  restart(tree?: string): void;
  /** Waits until it is ready. @throws Error when it ends instead */
  ready(): Promise<void>;
  /** Runs an operator command beside it. */
  readonly operator: Operator;
  stop(): Promise<void>;
}

/**
 * Starts the built service on a data directory and waits until it is ready.
 * @param changes settings beside the defaults
 * @param log takes what it logs and what goes to standard error: a function, or an open file; without,
 * the log is dropped
 * @param tree directory of the project whose service is started
 */
export const startBuiltService = async (
  dataDir: string,
  changes: Readonly<Record<string, string>> = {},
  log: ((text: string) => void) | number | null = null,
  tree = MEASURED,
): Promise<BuiltService> => {
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_MINUTE: UNLIMITED,
    STAFF_SECOND_FACTOR: 'optional',
    ...changes,
    PORT: changes['PORT'] ?? String(await freePort()),
  };
  const url = `http://127.0.0.1:${env.PORT}`;
  const output = typeof log === 'number' ? log : 'pipe';
  let builtIn = tree;
  const start = (): ChildProcess => {
    const started = spawnService(
      env,
      log === null ? ['ignore', 'ignore', 'inherit'] : ['ignore', output, output],
      builtIn,
    );
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (text: Buffer) => typeof log === 'function' && log(text.toString()));
    return started;
  };
  const began = performance.now();
  let child = start();
  // Not left behind when this process ends early.
  const end = () => child.kill('SIGINT');
  process.once('exit', end);
  await ready(url, child);
  return {
    url,
    env,
    readyAfter: (performance.now() - began) / 1_000,
    child: () => child,
    restart(other = builtIn) {
      builtIn = other;
      child = start();
    },
    ready: () => ready(url, child),
    operator: (...args) => operatorWith(env, builtIn)(...args),
    async stop() {
      await ended(child);
      process.off('exit', end);
    },
  };
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

/**
 * Runs a script in a process of its own and sends it a task.
 * @returns the process, and the one message that it answers with
 */
export const forkWith = <Answer>(
  script: URL,
  task: object,
): { readonly child: ChildProcess; readonly answer: Promise<Answer> } => {
  // A bundle runs without the loader that reads TypeScript.
  const child = fork(fileURLToPath(script), [], {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    child.once('message', (message) => {
      child.disconnect();
      resolve(message as Answer);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script.pathname} ended with ${code}.`)));
  });
  child.send(task);
  return { child, answer };
};

/** What tests start as processes of their own, mostly to have them die. */
const SCRIPTS = [
  'test/harness/dying-process.ts',
  'test/harness/dying-rebuild.ts',
  'test/embedded-postgres/support/hosting-process.ts',
  'test/embedded-eventstore/support/hosting-process.ts',
] as const;

const BUILT = 'dist.test';

let isBuilt = false;

/**
 * Where the bundle of a script is that Node runs as it is, as `npm start` runs the service: many of
 * these are started, and each would read and compile every source anew.
 */
export const processScript = (script: (typeof SCRIPTS)[number]): string => {
  if (!isBuilt) buildService('inherit', BUILT, ...SCRIPTS);
  isBuilt = true;
  return builtEntry(BUILT, script);
};
