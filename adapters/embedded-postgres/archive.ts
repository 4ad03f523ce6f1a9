import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, lstat, open, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Encrypter } from 'age-encryption';
import { type Pack, pack } from 'tar-stream';
import { formatVerifierKey } from '../../transparency-log/signed-note.ts';
import { createDraftPath, publishFile } from '../files/publish-file.ts';
import { readTextUpTo } from '../files/read-file.ts';
import {
  type BackupTarget,
  type CopyTotals,
  copyEmbedded,
  type OnCopied,
  requireOutsideDataDir,
} from './backup.ts';
import {
  type BackupKey,
  createContentDigest,
  SIGNATURE_FILE,
  signBackup,
} from './backup-signature.ts';
import { syncDirectory } from './cluster.ts';
import { getErrorCode } from './embedded-postgres-failed.ts';

export interface ArchivedBackup extends CopyTotals {
  /** Path of the tar archive, encrypted with age. */
  readonly archive: string;
  /** Verifier key of its signature; `null` if it is not signed. */
  readonly signedBy: string | null;
}

/** Unusable archive, recipient, or identity. The message says what the operator can do. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

export interface Recipients {
  /** Each begins with `age1`. */
  readonly listed: readonly string[];
  /** File with one recipient per line, as for `age -R`, or `null` if none was given. */
  readonly file: string | null;
}

/** `null` if there are no recipients. @throws ArchiveRefused for anything that is not a recipient */
export const createEncrypter = async ({ listed, file }: Recipients): Promise<Encrypter | null> => {
  const inFile = file === null ? [] : parseKeyLines(await readKeyFile(file));
  if (file !== null && inFile.length === 0)
    throw new ArchiveRefused(`${file} lists no recipient. Write one per line.`);
  const recipients = [...listed, ...inFile];
  if (recipients.length === 0) return null;
  const encrypter = new Encrypter();
  for (const [index, recipient] of recipients.entries())
    try {
      encrypter.addRecipient(recipient);
    } catch {
      // The input may be an identity, so the message does not repeat it.
      throw new ArchiveRefused(
        `Recipient ${index + 1} of ${recipients.length} is not an age recipient. Recipients begin with age1, and age-keygen prints them.`,
      );
    }
  return encrypter;
};

const MAX_KEY_FILE_BYTES = 1024 * 1024;

/** May come from a pipe. @throws ArchiveRefused if it is far larger than any */
export const readKeyFile = async (file: string): Promise<string> => {
  const text = await readTextUpTo(file, MAX_KEY_FILE_BYTES);
  if (text === null) throw new ArchiveRefused(`${file} is too large for a file of keys.`);
  return text;
};

export const parseKeyLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

// Node and the DOM both declare web streams, and the types differ slightly.
type AgeStream = globalThis.ReadableStream<Uint8Array>;

export const forAge = (stream: Readable): AgeStream =>
  Readable.toWeb(stream) as unknown as AgeStream;

export const fromAge = (stream: AgeStream): Readable => Readable.fromWeb(stream as never);

/** Never writes plaintext to disk. `to` may be a directory. @throws ArchiveRefused if the file exists */
export const backUpEncrypted = async (
  databaseUrl: string,
  dataDir: string,
  to: string,
  encrypter: Encrypter,
  key: BackupKey | null,
  onCopied: OnCopied,
): Promise<ArchivedBackup> => {
  const file = await chooseArchivePath(resolve(to));
  await requireOutsideDataDir(dataDir, file);
  const unfinished = createDraftPath(file);
  try {
    const archive = pack();
    const encrypted = await encrypter.encrypt(
      forAge(Readable.from(archive, { objectMode: false })),
    );
    const written = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
    const [copied] = await Promise.all([
      copyInto(archive, databaseUrl, dataDir, key, onCopied),
      pipeline(fromAge(encrypted), written),
    ]);
    await publishFile(unfinished, file).catch((error: unknown) => {
      if (getErrorCode(error) === 'EEXIST') throw existsAlready(file);
      throw error;
    });
    await syncDirectory(dirname(file));
    const signedBy = key === null ? null : formatVerifierKey(key.verifier);
    return { archive: file, ...copied, signedBy };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
};

const chooseArchivePath = async (to: string): Promise<string> => {
  const found = await stat(to).catch(() => null);
  if (found === null) {
    if ((await lstat(to).catch(() => null)) !== null) throw existsAlready(to);
    return to;
  }
  if (!found.isDirectory()) throw existsAlready(to);
  const at = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  return chooseArchivePath(join(to, `registry-${at}.tar.age`));
};

const existsAlready = (file: string): ArchiveRefused =>
  new ArchiveRefused(`${file} already exists. Choose another name, or a directory.`);

/** If one side fails, the other must fail too: a tar without a reader would wait forever. */
const copyInto = async (
  archive: Pack,
  databaseUrl: string,
  dataDir: string,
  key: BackupKey | null,
  onCopied: OnCopied,
): Promise<CopyTotals> => {
  try {
    const madeAt = new Date().toISOString();
    const { target, digest } = createEntryWriter(archive);
    const copied = await copyEmbedded(databaseUrl, dataDir, target, onCopied);
    if (key !== null) {
      const signature = signBackup(digest.end(), madeAt, key);
      const header = { name: SIGNATURE_FILE, mode: 0o600, size: Buffer.byteLength(signature) };
      await pipeline(Readable.from([Buffer.from(signature)]), archive.entry(header));
    }
    archive.finalize();
    return copied;
  } catch (error) {
    archive.destroy(error as Error);
    throw error;
  }
};

const createEntryWriter = (archive: Pack) => {
  const digest = createContentDigest();
  const buildHeader = async (name: string, like: string) => {
    const { uid, gid, mode, mtime } = await lstat(like);
    return { name, uid, gid, mode: mode & 0o777, mtime };
  };
  const target: BackupTarget = {
    async directory(name, like) {
      const header = { ...(await buildHeader(name, like)), type: 'directory' } as const;
      await pipeline(Readable.from([]), archive.entry(header));
      digest.directory(name);
    },
    async file(name, from) {
      const handle = await open(from, 'r');
      try {
        const { size } = await handle.stat();
        const entry = archive.entry({ ...(await buildHeader(name, from)), size });
        const hash = createHash('sha256');
        await pipeline(hashedBy(hash, exactly(handle, size)), entry);
        digest.file(name, hash);
        return size;
      } finally {
        await handle.close();
      }
    },
    async text(name, content, like) {
      const size = Buffer.byteLength(content);
      const entry = archive.entry({ ...(await buildHeader(name, like)), size });
      await pipeline(Readable.from([Buffer.from(content)]), entry);
      digest.file(name, createHash('sha256').update(content));
    },
  };
  return { target, digest };
};

export async function* hashedBy(
  hash: Hash,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

const CHUNK_BYTES = 256 * 1024;

/** The server may resize the file during the copy. WAL replay repairs the difference at the next start. */
async function* exactly(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, left));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length);
    const filled = bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead);
    left -= filled.length;
    yield filled;
  }
}
