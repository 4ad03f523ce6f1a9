import { chown, copyFile, lstat, mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { isRoot } from './account.ts';
import { codeOf, EmbeddedPostgresFailed } from './embedded-postgres-failed.ts';

/** What a backup came to. */
export interface Backup {
  /** Directory that a service can be started on, as its DATA_DIR. */
  readonly directory: string;
  readonly files: number;
  readonly bytes: number;
}

/** Functions of Postgres for copying its files while it runs; the role is allowed to call them. */
const START = `select pg_walfile_name(pg_backup_start('registry backup', fast => true)) as segment`;
const STOP = `select labelfile as label, pg_walfile_name(lsn) as segment
  from pg_backup_stop(wait_for_archive => false)`;
/** Keeps what Postgres writes meanwhile, until the session ends. */
const KEEP_WAL = `select pg_create_physical_replication_slot(
  'registry_backup_' || pg_backend_pid(), immediately_reserve => true, temporary => true)`;

/** Beside the cluster: what the service cannot do without. */
const KEPT_BESIDE = ['postgres-password', 'registry-secret'];
/** Of the running server only, or written by the next start. */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init']);
/** Their files belong to what is running: the directories are copied empty. */
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

/**
 * Copies the data directory of a running embedded Postgres, log and tables at one moment, as
 * Postgres describes it for file copies ("Making a Base Backup Using the Low Level API"): what is
 * torn or newer is put right by its journal at the next start.
 * @param databaseUrl of the running server
 * @param to a directory that does not exist yet, or is empty
 * @param onCopied told how many bytes were copied, and about how many there are
 * @throws EmbeddedPostgresFailed when it cannot be written
 */
export const backUpEmbedded = async (
  databaseUrl: string,
  dataDir: string,
  to: string,
  onCopied: (bytes: number, all: number) => void = () => undefined,
): Promise<Backup> => {
  const [from, target] = [resolve(dataDir), resolve(to)];
  await requireRoom(from, target);
  const url = new URL(databaseUrl);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const all = await bytesIn(join(from, 'postgres'));
  const copied = newCopies((bytes) => onCopied(bytes, Math.max(all, bytes)));
  try {
    await client.query(KEEP_WAL);
    const first = (await client.query(START)).rows[0] as { segment: string };
    await copied.tree(join(from, 'postgres'), join(target, 'postgres'));
    const last = (await client.query(STOP)).rows[0] as { segment: string; label: string };
    const label = join(target, 'postgres', 'backup_label');
    await copied.text(label, last.label, join(from, 'postgres', 'PG_VERSION'));
    const journal = (await readdir(join(from, 'postgres', 'pg_wal')))
      .filter((name) => name >= first.segment && name <= last.segment)
      .map((name) => join('postgres', 'pg_wal', name));
    for (const name of [...journal, ...KEPT_BESIDE])
      await copied.file(join(from, name), join(target, name));
  } catch (cause) {
    if (codeOf(cause) === '42501')
      throw new EmbeddedPostgresFailed(
        `The Postgres in ${from} was made by an earlier version, and cannot be copied while it runs. Stop the service, and copy the directory.`,
        { cause },
      );
    throw cause;
  } finally {
    await client.end();
  }
  return { directory: target, ...copied.counts() };
};

const requireRoom = async (from: string, target: string): Promise<void> => {
  if (`${target}/`.startsWith(`${from}/`))
    throw new EmbeddedPostgresFailed(`${target} is in the data directory. Choose a place outside.`);
  await mkdir(target, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  if ((await readdir(target)).length > 0)
    throw new EmbeddedPostgresFailed(`${target} is not empty. Choose another directory.`);
};

/** About as many as are copied: the server goes on writing meanwhile. */
const bytesIn = async (directory: string): Promise<number> => {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && !EMPTY.has(entry.name)) bytes += await bytesIn(path);
    // Gone again meanwhile: then it is not copied either.
    else if (entry.isFile()) bytes += (await lstat(path).catch(() => null))?.size ?? 0;
  }
  return bytes;
};

/** Copies that are on disk when they are done, with owner and rights. */
const newCopies = (onCopied: (bytes: number) => void) => {
  let files = 0;
  let bytes = 0;

  const finish = async (to: string, like: string): Promise<void> => {
    const { uid, gid, mode } = await lstat(like);
    if (isRoot()) await chown(to, uid, gid);
    const handle = await open(to, 'r');
    try {
      await handle.chmod(mode & 0o777);
      await handle.sync();
      const made = await handle.stat();
      if (made.isFile()) bytes += made.size;
    } finally {
      await handle.close();
    }
  };

  const file = async (from: string, to: string): Promise<void> => {
    try {
      await copyFile(from, to);
      await finish(to, from);
      files += 1;
      onCopied(bytes);
    } catch (error) {
      // Dropped or recycled meanwhile: the journal tells the next start.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  };

  const tree = async (from: string, to: string): Promise<void> => {
    await mkdir(to, { recursive: true });
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const { name } = entry;
      if (NOT_COPIED.has(name) || name.startsWith(TEMPORARY)) continue;
      const [source, target] = [join(from, name), join(to, name)];
      if (entry.isFile()) await file(source, target);
      else if (entry.isDirectory() && !EMPTY.has(name)) await tree(source, target);
      else if (entry.isDirectory()) {
        await mkdir(target);
        await finish(target, source);
      }
    }
    await finish(to, from);
  };

  const text = async (to: string, content: string, like: string): Promise<void> => {
    await writeFile(to, content);
    await finish(to, like);
    files += 1;
  };

  return { file, tree, text, counts: () => ({ files, bytes }) };
};
