import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LONGEST_RUN_MS = 240_000;

interface TortureRun {
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

/** A quick run of one group, as `npm run torture` does it. @returns what its last line says */
export const runTorture = async (group: string, seed: string): Promise<TortureRun> => {
  // Its stores are its own, as its directories are.
  const { DATABASE_URL: _database, EVENTSTORE_URL: _log, ...env } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'test/chaos/run.ts', '--quick', '--only', group, '--seed', seed],
    { cwd: ROOT, env, timeout: LONGEST_RUN_MS },
  ).catch((error: { stdout?: string; stderr?: string }) => {
    // Faults end it with 1, and are told of in what it prints.
    if (error.stdout?.includes('{"seed"')) return { stdout: error.stdout };
    throw new Error(`The run ended without a result: ${error.stderr?.slice(-2_000)}`);
  });
  const { results } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
    readonly results: readonly [TortureRun];
  };
  return results[0];
};
