import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const SECRET_BYTES = 32;

/**
 * The secret of a registry on the embedded Postgres: made once, kept in the data directory with
 * mode 0600. Two first starts at once agree on one; one cut short leaves none.
 */
export const generatedSecret = async (dataDir: string): Promise<string> => {
  const path = join(dataDir, 'registry-secret');
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const held = await readFile(path, 'utf8').catch(() => null);
  if (held !== null) return held.trim();
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
