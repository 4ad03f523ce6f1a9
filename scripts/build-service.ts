import { execFileSync, type StdioOptions } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds what is not built yet of the sources as they are.
 * @param other a directory, and the entries that are built there instead of the service's own
 */
export const buildService = (
  stdio: StdioOptions,
  ...other: [] | [string, ...(readonly string[])]
): void => {
  const command = ['scripts/run.mjs', '--build-only', ...other];
  execFileSync(process.execPath, command, { cwd: ROOT, stdio });
};

/** Where the build in a directory has an entry of it. */
export const builtEntry = (directory: string, entry: string): string => {
  const name = entry.replace(/^scripts[\\/]/, '').replaceAll(/[\\/]/g, '-');
  return join(ROOT, directory, 'scripts', name.replace(/\.tsx?$/, '.js'));
};
