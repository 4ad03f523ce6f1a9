import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { endShared, keepShared } from '../harness/shared.ts';
import { END_OF_FILE, NO_MORE_FILES } from './worker-protocol.ts';

/** Stores and services stop in seconds, on a slow machine in half a minute. */
const ENDED_WITHIN_MS = 120_000;

/**
 * Runs the test files that the runner sends it, one after the other, and prints a line after each:
 * the output up to it belongs to that file.
 */
const queue: unknown[][] = [];
// uvu then leaves it to us when the suites of a file are run.
Object.assign(globalThis, { UVU_DEFER: 1, UVU_QUEUE: queue });
keepShared();
const { exec, takeUnawaited } = await import('./rows.ts');

const runFile = async (file: string): Promise<void> => {
  // A service that forgets to ask for a directory of its own must not find somebody's records.
  const directory = mkdtempSync(join(tmpdir(), 'birth-registry-test-'));
  process.env['DATA_DIR'] = directory;
  queue.splice(0, queue.length, [null]);
  const faults = await import(pathToFileURL(file).href)
    .then(() => exec())
    .then(
      () => [],
      (error: Error) => [error],
    );
  for (const { stack } of [...faults, ...(await takeUnawaited())])
    process.stdout.write(`FAIL  outside of the rows\n${stack}\nTotal: 1\nPassed: 0\n`);
  rmSync(directory, { recursive: true, force: true });
  process.stdout.write(`${END_OF_FILE}\n`);
};

process.on('message', async (file: string) => {
  if (file !== NO_MORE_FILES) return runFile(file);
  await Promise.race([
    endShared(),
    sleep(ENDED_WITHIN_MS).then(() =>
      process.stderr.write(`What test files share did not end within ${ENDED_WITHIN_MS} ms.\n`),
    ),
  ]);
  // Not when nothing is left to do: what one of the files forgot would keep the whole run waiting.
  process.exit();
});
