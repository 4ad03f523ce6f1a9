import {
  chown,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { isRoot } from './account.ts';
import { EmbeddedPostgresFailed, getErrorCode } from './embedded-postgres-failed.ts';

export interface CopyTotals {
  readonly files: number;
  readonly bytes: number;
}

export interface Backup extends CopyTotals {
  /** Directory that the service can use as its DATA_DIR. */
  readonly directory: string;
}

export interface BackupTarget {
  /** @param like path whose owner and permissions it copies */
  directory(name: string, like: string): Promise<void>;
  /** @returns the size in bytes @throws ENOENT if the file no longer exists */
  file(name: string, from: string): Promise<number>;
  /** @param like path whose owner and permissions it copies */
  text(name: string, content: string, like: string): Promise<void>;
}

/** Called with the number of bytes copied and an estimate of the total. */
export type OnCopied = (bytes: number, all: number) => void;

/** Postgres functions for an online file backup. Our role may call them. */
const START = `select pg_walfile_name(pg_backup_start('registry backup', fast => true)) as segment`;
const STOP = `select labelfile as label, pg_walfile_name(lsn) as segment
  from pg_backup_stop(wait_for_archive => false)`;
/** Retains WAL during the backup, until the session ends. */
const KEEP_WAL = `select pg_create_physical_replication_slot(
  'registry_backup_' || pg_backend_pid(), immediately_reserve => true, temporary => true)`;

/** Files outside the cluster that the service needs. */
export const SECRET_FILES = ['postgres-password', 'registry-secret'];
/** Files that only the running server uses, or that the next start writes. */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init']);
/** Directories whose files belong to the running server. We copy them empty. */
const EMPTY = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);
const TEMPORARY = 'pgsql_tmp';

/** @see the Postgres manual, "Making a Base Backup Using the Low Level API". WAL replay repairs torn pages. */
export const copyEmbedded = async (
  databaseUrl: string,
  dataDir: string,
  target: BackupTarget,
  onCopied: OnCopied,
): Promise<CopyTotals> => {
  const from = resolve(dataDir);
  const url = new URL(databaseUrl);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const all = await countBytes(join(from, 'postgres'));
  let files = 0;
  let bytes = 0;

  const copyOne = async (name: string): Promise<void> => {
    try {
      bytes += await target.file(name, join(from, name));
      files += 1;
      onCopied(bytes, Math.max(all, bytes));
    } catch (error) {
      // WAL replay repairs the files of a table that was dropped during the copy. The slot keeps the WAL
      // segments, and without a file of its own the service has its secret from a setting.
      if (getErrorCode(error) !== 'ENOENT') throw error;
    }
  };

  const copyTree = async (directory: string): Promise<void> => {
    await target.directory(directory, join(from, directory));
    for (const entry of await readdir(join(from, directory), { withFileTypes: true })) {
      if (NOT_COPIED.has(entry.name) || entry.name.startsWith(TEMPORARY)) continue;
      const name = join(directory, entry.name);
      if (entry.isFile()) await copyOne(name);
      else if (entry.isDirectory() && !EMPTY.has(entry.name)) await copyTree(name);
      else if (entry.isDirectory()) await target.directory(name, join(from, name));
    }
  };

  try {
    await client.query(KEEP_WAL);
    const first = (await client.query(START)).rows[0] as { segment: string };
    await copyTree('postgres');
    const last = (await client.query(STOP)).rows[0] as { segment: string; label: string };
    const like = join(from, 'postgres', 'PG_VERSION');
    await target.text(join('postgres', 'backup_label'), last.label, like);
    bytes += Buffer.byteLength(last.label);
    files += 1;
    const walSegments = (await readdir(join(from, 'postgres', 'pg_wal')))
      .filter((name) => name >= first.segment && name <= last.segment)
      .map((name) => join('postgres', 'pg_wal', name));
    for (const name of [...walSegments, ...SECRET_FILES]) await copyOne(name);
    return { files, bytes };
  } catch (cause) {
    if (getErrorCode(cause) === '42501')
      throw new EmbeddedPostgresFailed(
        `The Postgres in ${from} was made by an earlier version, and cannot be copied while it runs. Stop the service, and copy the directory.`,
        { cause },
      );
    throw cause;
  } finally {
    await client.end();
  }
};

/** @throws EmbeddedPostgresFailed if the directory is not empty or inside the data directory */
export const backUpEmbedded = async (
  databaseUrl: string,
  dataDir: string,
  to: string,
  onCopied: OnCopied = () => undefined,
): Promise<Backup> => {
  const directory = resolve(to);
  await requireOutsideDataDir(dataDir, directory);
  await mkdir(directory, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  if ((await readdir(directory)).length > 0)
    throw new EmbeddedPostgresFailed(`${directory} is not empty. Choose another directory.`);
  const copies = createCopyTarget(directory);
  const copied = await copyEmbedded(databaseUrl, dataDir, copies, onCopied);
  await copies.finish();
  return { directory, ...copied };
};

/** Compares real paths: through a link, a backup would copy itself without end. */
export const requireOutsideDataDir = async (dataDir: string, target: string): Promise<void> => {
  const real = await resolveRealPath(target);
  for (const inside of [resolve(dataDir), join(resolve(dataDir), 'postgres')])
    for (const [at, from] of [
      [target, inside],
      [real, await resolveRealPath(inside)],
    ] as const)
      if (`${at}/`.startsWith(`${from}/`))
        throw new EmbeddedPostgresFailed(
          `${target} is in the data directory. Choose a place outside.`,
        );
};

const resolveRealPath = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    // A link to a missing place would be followed when it is written.
    const link = await readlink(path).catch(() => null);
    if (link !== null) return resolveRealPath(resolve(await resolveRealPath(dirname(path)), link));
    return join(await resolveRealPath(dirname(path)), basename(path));
  }
};

/** Estimate of the bytes to copy, because the server keeps writing. */
const countBytes = async (directory: string): Promise<number> => {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && !EMPTY.has(entry.name)) bytes += await countBytes(path);
    // A file deleted in the meantime is not copied either.
    else if (entry.isFile()) bytes += (await lstat(path).catch(() => null))?.size ?? 0;
  }
  return bytes;
};

/** Copies files with owner and permissions. `finish` syncs the directories. */
const createCopyTarget = (directory: string): BackupTarget & { finish(): Promise<void> } => {
  const directories: (readonly [to: string, like: string])[] = [];

  const copyOwnerAndSync = async (to: string, like: string): Promise<number> => {
    const { uid, gid, mode } = await lstat(like);
    if (isRoot()) await chown(to, uid, gid);
    const handle = await open(to, 'r');
    try {
      await handle.chmod(mode & 0o777);
      await handle.sync();
      return (await handle.stat()).size;
    } finally {
      await handle.close();
    }
  };

  return {
    async directory(name, like) {
      const to = join(directory, name);
      await mkdir(to, { recursive: true });
      directories.push([to, like]);
    },
    async file(name, from) {
      const to = join(directory, name);
      await copyFile(from, to);
      return copyOwnerAndSync(to, from);
    },
    async text(name, content, like) {
      const to = join(directory, name);
      await writeFile(to, content);
      await copyOwnerAndSync(to, like);
    },
    async finish() {
      for (const [to, like] of directories.reverse()) await copyOwnerAndSync(to, like);
    },
  };
};
