import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOfTree } from '../harness/process-usage.ts';
import { MS_IN_SECOND } from '../harness/units.ts';
import { END_OF_FILE, NO_MORE_FILES } from './worker-protocol.ts';

/** What came of a test file. */
export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  /** Wall time, seconds. */
  readonly seconds: number;
  /** Of all processes that work for the file, seconds. */
  readonly cpuSeconds: number;
  readonly printed: string;
  /** Rows that need files which are not there. */
  readonly skipped: readonly string[];
}

/** A file that hangs, not one that is slow: on a machine at a fifth of its pace some take five minutes. */
const FILE_TIMEOUT_MS = 600_000;
/** For what is still in the pipes of a worker that has ended. */
const LAST_OUTPUT_MS = 1_000;

interface WorkerOptions {
  /** Program and arguments of Node. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Path of the bundle of a test file. */
  readonly bundleOf: (file: string) => string;
  readonly onStart: (child: ChildProcess) => void;
  readonly onResult: (result: FileResult) => void;
}

/**
 * Runs files in one process until none is left, or until one takes the process with it.
 * @param nextFile takes the next file from what is left
 */
export const runWorker = (
  nextFile: () => string | undefined,
  { command, cwd, bundleOf, onStart, onResult }: WorkerOptions,
): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, command, {
      cwd,
      env: { ...process.env, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    onStart(child);
    const pid = child.pid ?? 0;
    let file: string | undefined;
    let printed = '';
    let began = 0;
    let cpuBefore = 0;
    let timer: NodeJS.Timeout;

    const sendNext = () => {
      file = nextFile();
      printed = '';
      began = performance.now();
      cpuBefore = cpuOfTree(pid);
      child.send(file === undefined ? NO_MORE_FILES : bundleOf(file));
      timer = setTimeout(() => {
        printed += `\nStopped after ${FILE_TIMEOUT_MS / MS_IN_SECOND} s.\n`;
        child.kill('SIGKILL');
      }, FILE_TIMEOUT_MS);
    };

    const report = (hasCrashed: boolean) => {
      clearTimeout(timer);
      if (file === undefined) return;
      const { passed, failed } = countTests(printed);
      onResult({
        file,
        passed,
        failed: hasCrashed ? Math.max(failed, 1) : failed,
        seconds: (performance.now() - began) / MS_IN_SECOND,
        cpuSeconds: Math.max(cpuOfTree(pid) - cpuBefore, 0) / MS_IN_SECOND,
        printed,
        skipped: printed.match(/^SKIPPED .*$/gm) ?? [],
      });
      file = undefined;
    };

    const read = (text: Buffer) => {
      printed += text.toString();
      const end = printed.indexOf(END_OF_FILE);
      if (end === -1) return;
      printed = printed.slice(0, end);
      report(false);
      sendNext();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', (text: Buffer) => {
      printed += text.toString();
    });
    // Not only when its pipes close: a service that it started and left behind keeps them open for good.
    child.on('exit', async () => {
      await Promise.race([once(child, 'close'), sleep(LAST_OUTPUT_MS)]);
      if (file === undefined) process.stderr.write(printed);
      report(true);
      resolve();
    });
    sendNext();
  });

/** A file that runs no test has failed: uvu reports a forgotten `.run()` as success. */
const countTests = (printed: string): { readonly passed: number; readonly failed: number } => {
  const total = sumAfter(printed, 'Total:');
  const passed = sumAfter(printed, 'Passed:');
  return total === 0 ? { passed: 0, failed: 1 } : { passed, failed: total - passed };
};

const sumAfter = (printed: string, label: string): number =>
  [...printed.matchAll(new RegExp(`${label}\\s+(\\d+)`, 'g'))].reduce(
    (sum, [, digits]) => sum + Number(digits),
    0,
  );
