import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtEntry } from '../../scripts/build-service.ts';
import { openRunDirectory, temporaryMemory } from './run-directory.ts';
import { type FileResult, runWorker } from './run-worker.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const TIMES = join(ROOT, 'test', 'runner', 'test-times.json');
/** What can be started built: the service and the commands. */
export const SERVICES = readdirSync(join(ROOT, 'scripts'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `scripts/${file}`);
export const WORKER = 'test/runner/worker.ts';
/** Room for what several services make: with that of one, collecting garbage takes a twelfth more. */
const WORKER_FLAGS = ['--max-semi-space-size=64'];
// A TMPDIR that is set is used.
const SHARED = process.env['TMPDIR'] ?? temporaryMemory() ?? tmpdir();

/** A run of test files, with what it throws away at its exit. */
export interface TestRun {
  /** Directory of the run. */
  readonly path: string;
  /**
   * Runs files with several workers, until none is left.
   * @param waiting what is left; a file is taken from it when it starts
   * @param builtIn directory of the bundles
   * @param cwd root of the tree that they were built from
   */
  readonly runFiles: (
    waiting: string[],
    onResult: (result: FileResult) => void,
    options: { readonly builtIn: string; readonly workers: number; readonly cwd?: string },
  ) => Promise<void>;
}

/** Lists all test files of the project. */
export const listTestFiles = (): readonly string[] =>
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => join('test', file));

/**
 * Opens a run. Ends what is left of it, and removes its files, at the exit of this process.
 * @param built directory of the project for bundles, removed with its drafts
 * @param env variables of the tests
 */
export const openTestRun = (built: string, env: Readonly<Record<string, string>>): TestRun => {
  const run = openRunDirectory(SHARED);
  const gallery = join(run.path, 'gallery');
  mkdirSync(gallery);
  Object.assign(process.env, {
    TMPDIR: run.path,
    SHARED_TMPDIR: SHARED,
    GALLERY_SEEN: gallery,
    ...env,
  });
  const running = new Set<ChildProcess>();
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL');
    run.close();
    // With the draft of a build that was interrupted.
    for (const name of readdirSync(ROOT))
      if (name === built || name.startsWith(`${built}.`))
        rmSync(join(ROOT, name), { recursive: true, force: true });
  });
  // A terminal and npm each send the same signal: the handlers stay while the first is handled.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(1));
  return {
    path: run.path,
    runFiles: async (waiting, onResult, { builtIn, workers, cwd = ROOT }) => {
      const bundleOf = (file: string) =>
        join(cwd, builtIn, 'scripts', basename(builtEntry(builtIn, file)));
      const workFiles = async (): Promise<void> => {
        while (waiting.length > 0)
          await runWorker(() => waiting.shift(), {
            command: [...WORKER_FLAGS, bundleOf(WORKER)],
            cwd,
            bundleOf,
            onStart(child) {
              running.add(child);
              child.once('exit', () => running.delete(child));
            },
            onResult,
          });
      };
      await Promise.all(Array.from({ length: workers }, workFiles));
    },
  };
};
