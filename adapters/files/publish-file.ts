import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

export const createDraftPath = (path: string): string =>
  `${path}.unfinished-${randomBytes(4).toString('hex')}`;

/** Files in a directory that a killed command has left, or that another one is writing. */
export const findDrafts = async (directory: string): Promise<readonly string[]> =>
  (await readdir(directory))
    .filter((name) => /\.unfinished-[0-9a-f]{8}$/.test(name))
    .map((name) => join(directory, name));

/** Errors of file systems that have no hard links. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES']);

/**
 * Gives a complete and synced file its final name, and never replaces a file that has it. Where
 * hard links do not exist, it copies: if it is killed then, `path` is incomplete, and `draft` is
 * still whole.
 * @param makeLink replaced in tests
 * @throws EEXIST if there is such a file; the draft stays
 */
export const publishFile = async (
  draft: string,
  path: string,
  makeLink: typeof link = link,
): Promise<void> => {
  try {
    await makeLink(draft, path);
  } catch (error) {
    if (!WITHOUT_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyExclusively(draft, path);
  }
  await rm(draft);
};

const copyExclusively = async (draft: string, path: string): Promise<void> => {
  try {
    await copyFile(draft, path, constants.COPYFILE_EXCL);
    const file = await open(path, 'r+');
    try {
      await file.chmod(0o600);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    // The one that was already there is not ours.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
};
