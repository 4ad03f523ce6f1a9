import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildService, builtEntry } from '../../scripts/build-service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// Less than the runner gives a file.
const RUN_TIMEOUT_MS = 540_000;
const BUILT = 'dist.chaos';
const COMMAND = 'test/chaos/run.ts';

interface ChaosRun {
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

/** A quick run of one group, as `npm run chaos` does it. @returns what its last line says */
export const runChaosGroup = async (group: string, seed: string): Promise<ChaosRun> => {
  // Bundled once: each run would read and compile every source anew.
  buildService('inherit', BUILT, COMMAND);
  // Its stores are its own, as its directories are.
  const { DATABASE_URL: _database, EVENTSTORE_URL: _log, ...env } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [builtEntry(BUILT, COMMAND), '--quick', '--only', group, '--seed', seed],
    { cwd: ROOT, env, timeout: RUN_TIMEOUT_MS },
  ).catch((error: { stdout?: string; stderr?: string }) => {
    // Faults end it with 1, and are told of in what it prints.
    if (error.stdout?.includes('{"seed"')) return { stdout: error.stdout };
    throw new Error(`The run ended without a result: ${error.stderr?.slice(-2_000)}`);
  });
  const { results } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
    readonly results: readonly [ChaosRun];
  };
  return results[0];
};
