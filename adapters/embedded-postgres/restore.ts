import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chown, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Decrypter } from 'age-encryption';
import { type Extract, extract } from 'tar-stream';
import { formatVerifierKey, type VerifierKey } from '../../transparency-log/signed-note.ts';
import { type Account, accountFor } from './account.ts';
import {
  ArchiveRefused,
  forAge,
  fromAge,
  hashedBy,
  parseKeyLines,
  readKeyFile,
} from './archive.ts';
import { type CopyTotals, SECRET_FILES } from './backup.ts';
import {
  checkSignature,
  createContentDigest,
  MAX_SIGNATURE_BYTES,
  SIGNATURE_FILE,
} from './backup-signature.ts';
import { holdsCluster, syncDirectory } from './cluster.ts';

/** Not from the archive, because Postgres runs commands and loads libraries that they name. */
export const CONFIGURATION: Readonly<Record<string, string>> = {
  'postgresql.conf': `datestyle = 'iso, mdy'\ndefault_text_search_config = 'pg_catalog.english'\n`,
  'postgresql.auto.conf': '',
  'pg_hba.conf': [
    'local all all reject',
    'host all all 127.0.0.1/32 scram-sha-256',
    'host all all ::1/128 scram-sha-256',
    'local replication all reject',
    'host replication all 127.0.0.1/32 scram-sha-256',
    'host replication all ::1/128 scram-sha-256',
    '',
  ].join('\n'),
  'pg_ident.conf': '',
};

export interface Restored extends CopyTotals {
  readonly directory: string;
  /** Verifier key of its signature; `null` if it was accepted without one. */
  readonly signedBy: string | null;
  /** When the backup began, by its signature, in ISO 8601. */
  readonly madeAt: string | null;
}

export interface Trust {
  readonly keys: readonly VerifierKey[];
  /** Restores without proof of who made the archive. */
  readonly acceptsUnsigned: boolean;
}

const DRAFT = 'restoring-';

/** All or nothing: the files move into place only after all are verified and synced. @throws ArchiveRefused */
export const restoreEncrypted = async (
  archive: string,
  identityFile: string,
  to: string,
  trust: Trust,
  onRead: (bytes: number, all: number) => void,
): Promise<Restored> => {
  const { size, isDirectory } = await inspectArchive(archive);
  if (isDirectory)
    throw new ArchiveRefused(
      `${archive} is a directory: a backup that is not encrypted. Use it, or a copy of it, as the DATA_DIR of a service.`,
    );
  const decrypter = await createDecrypter(identityFile);
  const directory = resolve(to);
  const isNew = (await mkdir(directory, { recursive: true, mode: 0o700 })) !== undefined;
  await requireEmpty(directory);
  const draft = join(directory, `${DRAFT}${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(draft, { mode: 0o700 });
    const read = Readable.from(
      countBytes(createReadStream(archive), (bytes) => onRead(bytes, size)),
      { objectMode: false },
    );
    const account = await accountFor(join(directory, 'postgres'));
    const unpacking = { archive, identityFile, draft, account, trust };
    const restored = await unpack(read, decrypter, unpacking);
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

async function* countBytes(
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

const inspectArchive = async (archive: string): Promise<{ size: number; isDirectory: boolean }> => {
  const found = await stat(archive);
  return { size: found.size, isDirectory: found.isDirectory() };
};

const createDecrypter = async (identityFile: string): Promise<Decrypter> => {
  const decrypter = new Decrypter();
  const text = await readKeyFile(identityFile);
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
  readonly trust: Trust;
}

const unpack = async (
  read: Readable,
  decrypter: Decrypter,
  { archive, identityFile, draft, account, trust }: Unpacking,
): Promise<Omit<Restored, 'directory'>> => {
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
  const { digest, signature, ...copied } = unpacked.value;
  return { ...copied, ...requireTrusted(archive, digest, signature, trust) };
};

const ACCEPT =
  'Nothing was restored. Only if you know who made it, and where it has been since, add --accept-unsigned: a forged archive runs commands on this machine.';

/** @throws ArchiveRefused unless a trusted key has signed the content, or the operator accepts it */
const requireTrusted = (
  archive: string,
  digest: string,
  signature: string | null,
  { keys, acceptsUnsigned }: Trust,
): Pick<Restored, 'signedBy' | 'madeAt'> => {
  const check = signature === null ? null : checkSignature(signature, digest, keys);
  if (check?.kind === 'signed')
    return { signedBy: formatVerifierKey(check.by), madeAt: check.madeAt };
  if (acceptsUnsigned) return { signedBy: null, madeAt: null };
  if (check === null)
    throw new ArchiveRefused(
      `${archive} is not signed, like the backups of version 0.2. ${ACCEPT}`,
    );
  if (check.kind === 'altered')
    throw new ArchiveRefused(
      `${archive} was altered after it was signed. Use another copy of it. ${ACCEPT}`,
    );
  throw new ArchiveRefused(
    keys.length === 0
      ? `Nothing says whose signature ${archive} must have. Give --signed-by the key that the backup printed, or set the REGISTRY_SECRET of that time. ${ACCEPT}`
      : `${archive} is not signed by the key of this registry. Give --signed-by the key that the backup printed, or set the REGISTRY_SECRET of that time. ${ACCEPT}`,
  );
};

interface UnpackedEntries extends CopyTotals {
  readonly digest: string;
  /** Note over the digest; `null` if there is none. */
  readonly signature: string | null;
}

/** Syncs every file. Owner and permissions are those of a new data directory. */
const unpackEntries = async (
  entries: AsyncIterable<Entry>,
  draft: string,
  account: Account,
): Promise<UnpackedEntries> => {
  const directories = [draft];
  const digest = createContentDigest();
  const names = new Set<string>();
  let signature: string | null = null;
  let files = 0;
  let bytes = 0;
  for await (const entry of entries) {
    const name = entry.header.name.replace(/\/$/, '');
    // Nothing follows the signature, because it covers what precedes it.
    if (signature !== null || names.has(name.toLowerCase())) throw strange();
    names.add(name.toLowerCase());
    if (name === SIGNATURE_FILE) {
      signature = await readSignature(entry);
      continue;
    }
    const to = resolvePlace(draft, entry.header.type, name);
    if (entry.header.type === 'directory') {
      entry.resume();
      await mkdir(to, { mode: 0o700 });
      directories.push(to);
      digest.directory(name);
    } else {
      const written = createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true });
      const hash = createHash('sha256');
      await pipeline(hashedBy(hash, entry as AsyncIterable<Buffer>), written);
      digest.file(name, hash);
      bytes += written.bytesWritten;
      files += 1;
    }
    if (account !== undefined && !SECRET_FILES.includes(name))
      await chown(to, account.uid, account.gid);
  }
  if (names.has('postgres')) await writeConfiguration(join(draft, 'postgres'), account);
  for (const one of directories.reverse()) await syncDirectory(one);
  return { files, bytes, digest: digest.end(), signature };
};

const writeConfiguration = async (cluster: string, account: Account): Promise<void> => {
  for (const [name, content] of Object.entries(CONFIGURATION)) {
    const file = await open(join(cluster, name), 'w', 0o600);
    try {
      await file.writeFile(content);
      if (account !== undefined) await file.chown(account.uid, account.gid);
      await file.sync();
    } finally {
      await file.close();
    }
  }
};

const readSignature = async (entry: Entry): Promise<string> => {
  if (entry.header.type !== 'file' || (entry.header.size ?? 0) > MAX_SIGNATURE_BYTES)
    throw strange();
  return (await buffer(entry)).toString('utf8');
};

const strange = (): ArchiveRefused =>
  new ArchiveRefused(
    'The archive contains something that is not part of a registry backup. Nothing was restored.',
  );

const NAME = /^[\w. -]+$/;
/** Makes Postgres follow another server, run a restore command, or write to other directories. */
const FORBIDDEN =
  /^postgres\/(?:[^/]*\.signal|tablespace_map|pg_tblspc\/.*|recovery\.(?:conf|done))$/i;

/** Any sender who knows the recipients can create an archive, so no entry may escape the directory. */
const resolvePlace = (draft: string, type: Entry['header']['type'], name: string): string => {
  const segments = name.split('/');
  const isKnown =
    (type === 'file' && SECRET_FILES.includes(name)) ||
    (type === 'directory' && segments[0] === 'postgres') ||
    (type === 'file' && segments[0] === 'postgres' && segments.length > 1);
  const isNamed = segments.every((one) => NAME.test(one) && one !== '.' && one !== '..');
  if (!isKnown || !isNamed || FORBIDDEN.test(name)) throw strange();
  return join(draft, ...segments);
};

const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && typeof (error as { syscall?: unknown }).syscall === 'string';
