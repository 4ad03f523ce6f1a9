import { accessSync, chmodSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STAND_IN = fileURLToPath(new URL('./curl.mjs', import.meta.url));

const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/**
 * The PATH of a shell that runs what guides show: where no curl is installed, with a stand-in.
 * @param directory of the test's own; the stand-in is put there
 */
export const pathWithCurl = (directory: string): string => {
  const path = process.env['PATH'] ?? '';
  if (isInstalled('curl')) return path;
  const programs = join(directory, 'programs');
  mkdirSync(programs, { recursive: true });
  const curl = join(programs, 'curl');
  writeFileSync(curl, `#!/bin/sh\nexec '${process.execPath}' '${STAND_IN}' "$@"\n`);
  chmodSync(curl, 0o755);
  return `${programs}${delimiter}${path}`;
};
