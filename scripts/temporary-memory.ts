import { chmodSync, mkdirSync, statfsSync } from 'node:fs';
import { freemem, userInfo } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const TMPFS = 0x01021994; // statfs(2)
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * A directory in memory for what tests throw away: each copies a cluster of Postgres, which takes a
 * processor 0.1 s there and 0.9 s on a disk. Kept from run to run with what they share.
 * @returns null where there is no such memory, or not enough
 */
export const temporaryMemory = (): string | null => {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    if (type !== TMPFS || Math.min(bavail * bsize, freemem()) < NEEDED_BYTES) return null;
    const directory = join(MEMORY, `birth-registry-tests-${userInfo().uid}`);
    mkdirSync(directory, { recursive: true });
    // Whoever Postgres runs as has to pass through.
    chmodSync(directory, 0o755);
    return directory;
  } catch {
    return null;
  }
};
