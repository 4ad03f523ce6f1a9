import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter } from 'age-encryption';
import { type Extract, extract } from 'tar-stream';
import { type Account, accountFor } from './account.ts';
import { ArchiveRefused, forAge, fromAge, parseKeyLines } from './archive.ts';
import { type Copied, KEPT_BESIDE } from './backup.ts';
import { holdsCluster, syncDirectory } from './cluster.ts';

export interface Restored extends Copied {
  /** Data directory that the service can start with. */
  readonly directory: string;
}

const DRAFT = 'restoring-';

/**
 * Restores an encrypted backup into an empty data directory, completely or not at all: moves the
 * files into place only after all of them are decrypted and synced.
 * @param identityFile one identity per line, as written by age-keygen
 * @param onRead called with the number of bytes read and the size of the archive
 * @throws ArchiveRefused if the archive is unreadable or incomplete, or the directory is not empty
 */
export const restoreEncrypted = async (
  archive: string,
  identityFile: string,
  to: string,
  onRead: (bytes: number, all: number) => void,
): Promise<Restored> => {
  const { size, isDirectory } = await lookAt(archive);
  if (isDirectory)
    throw new ArchiveRefused(
      `${archive} is a directory: a backup that is not encrypted. Use it, or a copy of it, as the DATA_DIR of a service.`,
    );
  const decrypter = await decrypterWith(identityFile);
  const directory = resolve(to);
  const isNew = (await mkdir(directory, { recursive: true, mode: 0o700 })) !== undefined;
  await requireEmpty(directory);
  const draft = join(directory, `${DRAFT}${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(draft, { mode: 0o700 });
    const read = Readable.from(
      counted(createReadStream(archive), (bytes) => onRead(bytes, size)),
      { objectMode: false },
    );
    const account = await accountFor(join(directory, 'postgres'));
    const restored = await unpack(read, decrypter, { archive, identityFile, draft, account });
    // The cluster moves last: without it, the directory does not count as a registry.
    for (const name of (await readdir(draft)).sort().reverse())
      await rename(join(draft, name), join(directory, name));
    await rmdir(draft);
    await syncDirectory(directory);
    return { directory, ...restored };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (isNew) await rmdir(directory).catch(() => undefined);
    throw error;
  }
};

async function* counted(
  chunks: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    onBytes(bytes);
    yield chunk;
  }
}

const lookAt = async (archive: string): Promise<{ size: number; isDirectory: boolean }> => {
  const found = await stat(archive);
  return { size: found.size, isDirectory: found.isDirectory() };
};

const decrypterWith = async (identityFile: string): Promise<Decrypter> => {
  const decrypter = new Decrypter();
  const text = await readFile(identityFile, 'utf8');
  if (/^(?:age-encryption\.org\/|-----BEGIN AGE)/.test(text))
    throw new ArchiveRefused(
      `${identityFile} is itself encrypted. Decrypt it first with \`age -d\`; --identity /dev/stdin reads what another program prints.`,
    );
  const identities = parseKeyLines(text);
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch {
    // Without the cause, which might quote the line.
    throw new ArchiveRefused(
      `${identityFile} has a line that is not an age identity. Identities begin with AGE-SECRET-KEY-, and age-keygen makes them.`,
    );
  }
  if (identities.length === 0) throw new ArchiveRefused(`${identityFile} contains no identity.`);
  return decrypter;
};

/** Deletes the leftovers of a killed restore. */
const requireEmpty = async (directory: string): Promise<void> => {
  const found = await readdir(directory);
  if (found.some((name) => !name.startsWith(DRAFT)))
    throw new ArchiveRefused(`${directory} is not empty. Choose another directory.`);
  for (const name of found) await rm(join(directory, name), { recursive: true });
};

type Entry = Extract extends AsyncIterable<infer One> ? One : never;

interface Unpacking {
  readonly archive: string;
  readonly identityFile: string;
  readonly draft: string;
  /** Owner of the cluster, or `undefined` for our own account. */
  readonly account: Account;
}

const unpack = async (
  read: Readable,
  decrypter: Decrypter,
  { archive, identityFile, draft, account }: Unpacking,
): Promise<Copied> => {
  const decrypted = await decrypter.decrypt(forAge(read)).catch((error: unknown) => {
    if (isOfSystem(error)) throw error;
    throw new ArchiveRefused(
      `No identity in ${identityFile} opens ${archive}: it was made for other recipients, is not an archive, or is damaged at the beginning.`,
    );
  });
  const entries = extract();
  const [opened, unpacked] = await Promise.allSettled([
    pipeline(fromAge(decrypted), entries),
    unpackEntries(entries, draft, account),
  ]);
  // A failure on one side stops the other, so errors from the system or from us take precedence.
  const failures = [unpacked, opened].flatMap((side) =>
    side.status === 'rejected' ? [side.reason as unknown] : [],
  );
  const decisive = failures.find((one) => one instanceof ArchiveRefused || isOfSystem(one));
  if (decisive !== undefined) throw decisive;
  if (unpacked.status === 'rejected' || opened.status === 'rejected')
    throw new ArchiveRefused(
      `${archive} is incomplete or was altered. Nothing was restored. Use another copy of it.`,
      { cause: failures[0] },
    );
  if (!(await holdsCluster(draft)))
    throw new ArchiveRefused(`${archive} contains no backup of a registry. Nothing was restored.`);
  return unpacked.value;
};

/** Syncs every file. Owner and permissions are those of a new data directory. */
const unpackEntries = async (
  entries: AsyncIterable<Entry>,
  draft: string,
  account: Account,
): Promise<Copied> => {
  const directories = [draft];
  let files = 0;
  let bytes = 0;
  for await (const entry of entries) {
    const { name, type } = entry.header;
    const to = placeIn(draft, entry);
    if (type === 'directory') {
      entry.resume();
      await mkdir(to, { recursive: true, mode: 0o700 });
      directories.push(to);
    } else {
      const written = createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(entry, written);
      bytes += written.bytesWritten;
      files += 1;
    }
    if (account !== undefined && !KEPT_BESIDE.includes(name))
      await chown(to, account.uid, account.gid);
  }
  for (const one of directories.reverse()) await syncDirectory(one);
  return { files, bytes };
};

/**
 * Any sender who knows the recipients can create an archive, so no entry may escape the directory.
 * @throws ArchiveRefused
 */
const placeIn = (draft: string, { header: { name, type } }: Entry): string => {
  const segments = name.replace(/\/$/, '').split('/');
  const isKnown =
    (type === 'file' && KEPT_BESIDE.includes(name)) ||
    ((type === 'file' || type === 'directory') && segments[0] === 'postgres');
  if (!isKnown || segments.some((one) => one === '' || one === '.' || one === '..'))
    throw new ArchiveRefused(
      'The archive contains something that is not part of a registry backup. Nothing was restored.',
    );
  return join(draft, ...segments);
};

const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && typeof (error as { syscall?: unknown }).syscall === 'string';
