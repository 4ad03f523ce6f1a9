import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface NpmRun {
  /** `null` if npm was not found or timed out. */
  readonly code: number | null;
  readonly stdout: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WITHIN_MS = 120_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs npm on this package with the caller's settings, and shows its stderr. */
export const runNpm = (
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<NpmRun> =>
  new Promise((resolve) => {
    const options = { cwd: ROOT, env, timeout: WITHIN_MS, maxBuffer: MAX_OUTPUT_BYTES };
    const child = execFile('npm', args, options, (error, stdout) => {
      const code = error === null ? 0 : error.code;
      resolve({ code: typeof code === 'number' ? code : null, stdout });
    });
    child.stderr?.pipe(process.stderr);
  });
