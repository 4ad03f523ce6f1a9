import { execFileSync, type StdioOptions } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @param other a directory, and the entries to build there instead of the service's own */
export const buildService = (
  stdio: StdioOptions,
  ...other: [] | [string, ...(readonly string[])]
): void => {
  const command = ['scripts/run.mjs', '--build-only', ...other];
  execFileSync(process.execPath, command, { cwd: ROOT, stdio });
};

export const builtEntry = (directory: string, entry: string): string => {
  const name = entry.replace(/^scripts[\\/]/, '').replaceAll(/[\\/]/g, '-');
  return join(ROOT, directory, 'scripts', name.replace(/\.tsx?$/, '.js'));
};
