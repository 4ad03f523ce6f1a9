import { randomBytes } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createDraftPath, publishFile } from '../files/publish-file.ts';
import { EmbeddedPostgresFailed, getErrorCode } from './embedded-postgres-failed.ts';

const getPasswordPath = (dataDir: string): string => join(dataDir, 'postgres-password');

/** `null` if there is none. @throws EmbeddedPostgresFailed if the file is unreadable or was edited */
export const readPassword = async (dataDir: string): Promise<string | null> => {
  const file = getPasswordPath(dataDir);
  let content: string;
  try {
    content = (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    if (getErrorCode(cause) === 'ENOENT') return null;
    throw new EmbeddedPostgresFailed(
      `${file} cannot be read. Run as the user who started the service first.`,
      { cause },
    );
  }
  // We insert it unescaped into SQL and a URL.
  if (/^[\w-]{16,}$/.test(content)) return content;
  throw new EmbeddedPostgresFailed(`${file} holds no password. Restore it from a backup.`);
};

/** Reads the cluster's password, or creates a random one (mode 0600) that all starters share. */
export const readOrCreatePassword = async (dataDir: string): Promise<string> => {
  const known = await readPassword(dataDir);
  if (known !== null) return known;
  const draft = createDraftPath(getPasswordPath(dataDir));
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(24).toString('base64url')}\n`);
    await handle.sync();
    // A parallel start may have been faster.
    await publishFile(draft, getPasswordPath(dataDir)).catch((error: unknown) => {
      if (getErrorCode(error) !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
  return readOrCreatePassword(dataDir);
};
