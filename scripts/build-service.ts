import { execFileSync, type StdioOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Builds what is not built yet of the sources as they are. */
export const buildService = (stdio: StdioOptions): void => {
  execFileSync(process.execPath, ['scripts/run.mjs', '--build-only'], { cwd: ROOT, stdio });
};
