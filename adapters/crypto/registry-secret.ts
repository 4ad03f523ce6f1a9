import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const SECRET_BYTES = 32;

const fileIn = (dataDir: string): string => join(dataDir, 'registry-secret');

/** The secret that a data directory, or a copy of one, holds; null if it holds none. */
export const heldSecret = async (dataDir: string): Promise<string | null> => {
  try {
    return (await readFile(fileIn(dataDir), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/**
 * The secret of a registry on the embedded Postgres: made once, kept in the data directory with
 * mode 0600. Two first starts at once agree on one; one cut short leaves none.
 */
export const generatedSecret = async (dataDir: string): Promise<string> => {
  await mkdir(dataDir, { recursive: true });
  const held = await heldSecret(dataDir);
  if (held !== null) return held;
  const path = fileIn(dataDir);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(randomBytes(SECRET_BYTES).toString('base64url'));
    await file.sync();
  } finally {
    await file.close();
  }
  // A hard link appears whole or not at all, and does not replace one made meanwhile.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return (await readFile(path, 'utf8')).trim();
};

/** Renames a secret that opens nothing any more; not deleted, for older logs may need it. */
export const setSecretAside = async (dataDir: string, at: Date): Promise<void> => {
  const path = fileIn(dataDir);
  await rename(path, `${path}.before-${at.toISOString().replace(/[-:]|\.\d+/g, '')}`);
};
