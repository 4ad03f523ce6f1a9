import { execFileSync, type StdioOptions } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const YARDSTICKS = fileURLToPath(new URL('./yardsticks', import.meta.url));
const INSTALLED = join(YARDSTICKS, 'node_modules');
/** On the same file system, and in no folder of sources. */
const DRAFTS = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const THERE_ALREADY = new Set(['ENOTEMPTY', 'EEXIST']);

/**
 * Installs what the yardsticks need, from their own lockfile, unless it is there. Another
 * benchmark may do the same meanwhile: each installs a draft of its own, the first one moves in.
 * @throws Error when npm cannot install it
 */
export const installYardsticks = (stdio: StdioOptions): void => {
  if (existsSync(INSTALLED)) return;
  mkdirSync(DRAFTS, { recursive: true });
  const draft = mkdtempSync(join(DRAFTS, 'yardsticks-'));
  try {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(YARDSTICKS, file), join(draft, file));
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: draft, stdio });
    renameSync(join(draft, 'node_modules'), INSTALLED);
  } catch (error) {
    if (!THERE_ALREADY.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
};
