import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory of a test's own. */
export interface TemporaryDirectory {
  readonly path: string;
  remove(): void;
}

const present = new Set<string>();
const removeNow = (path: string): void => {
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  present.delete(path);
};
process.once('exit', () => {
  for (const path of present) removeNow(path);
});

/**
 * Makes an empty directory in the system's temporary one; it is gone when the test process ends at
 * the latest. Other users may pass through, as the user `postgres` must when tests run as root.
 * @param purpose a word for its name, for whoever finds it after a crash
 */
export const temporaryDirectory = (purpose = 'test'): TemporaryDirectory => {
  const path = mkdtempSync(join(tmpdir(), `birth-registry-${purpose}-`));
  chmodSync(path, 0o711);
  present.add(path);
  return { path, remove: () => removeNow(path) };
};
