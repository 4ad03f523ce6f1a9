import { execFileSync, type StdioOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds what is not built yet of the sources as they are.
 * @param other a directory, and the entry that is built there instead of the service's own
 */
export const buildService = (stdio: StdioOptions, ...other: [] | [string, string]): void => {
  const command = ['scripts/run.mjs', '--build-only', ...other];
  execFileSync(process.execPath, command, { cwd: ROOT, stdio });
};
