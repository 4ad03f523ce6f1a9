import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { createKey, unwrapKey, wrapKey } from '../../crypto/keys.ts';
import { encodeKeyMark, KEY_MARK_BYTES } from '../../crypto/sealing.ts';
import { hasTable } from '../connection/conditions.ts';
import type { Db } from '../connection/database.ts';

export interface StoredQueueKey {
  readonly version: number;
  /** Wrapped with the registry's secret. @see openQueueKey */
  readonly wrappedKey: string;
  /** Version of the fingerprint key that the same rotation adds to the log. */
  readonly fingerprintKey: number;
}

export const createFirstQueueKey = async (db: Db, secret: string): Promise<void> => {
  await sql`
    insert into app.queue_key (id, wrapped_key)
    select 1, ${wrapKey(createKey(), secret, 'queue-key')}
    where not exists (select from app.queue_key)
    on conflict (id) do nothing`.execute(db);
};

export const loadQueueKeys = async (db: Db): Promise<readonly StoredQueueKey[]> => {
  const rows = await db
    .selectFrom('app.queue_key')
    .select(['id', 'wrapped_key', 'fingerprint_key'])
    .orderBy('id')
    .execute();
  return rows.map(({ id, wrapped_key, fingerprint_key }) => ({
    version: id,
    wrappedKey: wrapped_key,
    fingerprintKey: fingerprint_key,
  }));
};

/** @throws WrongRegistrySecret */
export const openQueueKey = ({ wrappedKey }: StoredQueueKey, secret: string): Buffer =>
  unwrapKey(wrappedKey, secret, 'queue-key');

export interface KeyRotation {
  readonly queueKey: number;
  readonly fingerprintKey: number;
  /** True if another command has already completed it. */
  readonly isDone: boolean;
}

/** Time on the database's clock. */
export const databaseTime = async (db: Db): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  return rows[0]?.now ?? new Date();
};

/** Runs `work` while no other command rotates the keys. Waits for a running one. */
export const whileRotating = <Result>(db: Db, work: () => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (transaction) => {
    await sql`
      select pg_advisory_xact_lock(hashtext('birth-registry key rotation'))`.execute(transaction);
    return work();
  });

/** Resumes an interrupted one. `since` is on the database's clock. @throws WrongRegistrySecret */
export const beginRotation = (
  db: Db,
  secret: string,
  newestFingerprintKey: number,
  since: Date,
): Promise<KeyRotation> =>
  db.transaction().execute(async (transaction) => {
    await lockKeys(transaction);
    for (const key of await loadQueueKeys(transaction)) openQueueKey(key, secret);
    const newest = await transaction
      .selectFrom('app.queue_key')
      .select(['id', 'fingerprint_key', 'settled_at'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const isDone = newest.settled_at !== null && newest.settled_at >= since && newest.id > 1;
    if (isDone || newest.settled_at === null)
      return { queueKey: newest.id, fingerprintKey: newest.fingerprint_key, isDone };
    const made = {
      id: newest.id + 1,
      // A restored log may be behind: rows in this database use the later versions.
      fingerprint_key: Math.max(newest.fingerprint_key, newestFingerprintKey) + 1,
    };
    await transaction
      .insertInto('app.queue_key')
      .values({ ...made, wrapped_key: wrapKey(createKey(), secret, 'queue-key'), settled_at: null })
      .execute();
    return { queueKey: made.id, fingerprintKey: made.fingerprint_key, isDone: false };
  });

export const settleRotation = async (db: Db, { queueKey }: KeyRotation): Promise<void> => {
  await db
    .updateTable('app.queue_key')
    .set({ settled_at: sql<Date>`now()` })
    .where('id', '=', queueKey)
    .execute();
};

/** The last two store values for long. @see resealLastingRows */
export const SEALED_COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ['submission', 'sealed'],
  ['submission_chunk', 'sealed'],
  ['file_check', 'refusal'],
  ['staged_import', 'summary'],
  ['staged_import_chunk', 'sealed'],
  ['draft', 'sealed'],
  ['ehr_launch', 'sealed'],
  ['prefill', 'sealed'],
  ['prefill_review', 'sealed'],
  ['handed_over', 'sealed'],
  ['time_code', 'sealed'],
  ['sso_secret', 'sealed'],
];

/** New versions load within seconds, but an import is encrypted while it is read, and stored later. */
const STILL_SEALS_MINUTES = 60;

export const dropUnusedQueueKeys = async (db: Db): Promise<readonly number[]> => {
  const versions = (await loadQueueKeys(db)).map(({ version }) => version);
  const older = versions.slice(0, -1);
  for (const version of older) {
    const isSealed = SEALED_COLUMNS.map(
      ([table, column]) => sql<SqlBool>`
        exists (
          select from ${sql.table(`app.${table}`)}
          where ${isSealedWith(version, versions, sql.ref(column))}
        )`,
    );
    await sql`
      delete from app.queue_key old
      where old.id = ${version}
        and exists (
          select from app.queue_key later
          where later.id > old.id
            and later.made_at < now() - ${STILL_SEALS_MINUTES} * interval '1 minute'
        )
        and not (${sql.join(isSealed, sql` or `)})`.execute(db);
  }
  const left = new Set((await loadQueueKeys(db)).map(({ version }) => version));
  return older.filter((version) => left.has(version));
};

const isSealedWith = (
  version: number,
  versions: readonly number[],
  column: RawBuilder<unknown>,
): RawBuilder<SqlBool> => {
  const mark = sql`substring(${column} from 1 for ${KEY_MARK_BYTES})`;
  if (version > 1) return sql<SqlBool>`${mark} = ${encodeKeyMark(version)}`;
  // The first version encrypts without a mark.
  const marks = versions.filter((one) => one > 1).map(encodeKeyMark);
  return sql<SqlBool>`${mark} <> all(${marks}::bytea[])`;
};

/** Blocks creating and rewrapping versions until the transaction ends. */
const lockKeys = (transaction: Db) =>
  sql`lock table app.queue_key in share row exclusive mode`.execute(transaction);

/** False if already wrapped with `next`. @throws WrongRegistrySecret if neither secret unwraps a version */
export const rewrapQueueKeys = (
  db: Db,
  { previous, next }: { readonly previous: string; readonly next: string },
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    await lockKeys(transaction);
    const closed = (await loadQueueKeys(transaction)).filter((key) => !canOpen(key, next));
    for (const key of closed)
      await transaction
        .updateTable('app.queue_key')
        .set({ wrapped_key: wrapKey(openQueueKey(key, previous), next, 'queue-key') })
        .where('id', '=', key.version)
        .execute();
    return closed.length > 0;
  });

export const areQueueKeysOpenedBy = async (db: Db, secret: string): Promise<boolean> => {
  // The database may not be migrated, or be from an older release.
  if (!(await hasTable(db, 'app.queue_key'))) return true;
  const rows = await db.selectFrom('app.queue_key').select(['id', 'wrapped_key']).execute();
  return rows.every((row) =>
    canOpen({ version: row.id, wrappedKey: row.wrapped_key, fingerprintKey: 1 }, secret),
  );
};

const canOpen = (key: StoredQueueKey, secret: string): boolean => {
  try {
    openQueueKey(key, secret);
    return true;
  } catch {
    return false;
  }
};
