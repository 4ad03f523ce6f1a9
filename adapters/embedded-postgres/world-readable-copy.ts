import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getErrorCode } from './embedded-postgres-failed.ts';
import { isAlive } from './process-identity.ts';

/** Root's directory for files that every user may read and that can be recreated. */
const COPIES = '/var/cache/birth-registry';
const READ_BY_ALL = 0o444;
const ENTERED_BY_ALL = 0o555;
const ANY_EXECUTES = 0o111;

/** Once per package version, for all starts. @param proveWhole throws if the copy is to be discarded */
export const copyWorldReadable = async (
  programs: string,
  proveWhole: (dir: string) => Promise<unknown>,
): Promise<string> => {
  const about = await readFile(join(dirname(programs), 'package.json'), 'utf8');
  const { name, version } = JSON.parse(about) as { name: string; version: string };
  const copy = join(COPIES, `${name.replace('@', '').replaceAll('/', '-')}-${version}`);
  if (await isThere(copy)) return copy;
  await mkdir(COPIES, { recursive: true });
  await chmod(COPIES, 0o755);
  await removeAbandoned();
  // An unfinished copy must not be used, so it gets its name only when complete.
  const draft = `${copy}${DRAFT}${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await cp(programs, draft, { recursive: true, verbatimSymlinks: true });
    await openToAll(draft);
    await proveWhole(draft);
    await rename(draft, copy).catch((error: unknown) => {
      // A parallel start was faster and copied the same programs.
      if (getErrorCode(error) !== 'ENOTEMPTY' && getErrorCode(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return copy;
};

const DRAFT = '.new-';

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const removeAbandoned = async (): Promise<void> => {
  for (const name of await readdir(COPIES)) {
    const [, pid] = name.split(DRAFT);
    if (pid === undefined || isAlive(Number.parseInt(pid, 10))) continue;
    await rm(join(COPIES, name), { recursive: true, force: true });
  }
};

/** Makes files readable for every user even if root installed them with umask 077. */
const openToAll = async (dir: string): Promise<void> => {
  await chmod(dir, ENTERED_BY_ALL | 0o200);
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) {
      const { mode } = await stat(path);
      await chmod(path, mode | READ_BY_ALL | ((mode & 0o100) === 0 ? 0 : ANY_EXECUTES));
    }
  }
};
