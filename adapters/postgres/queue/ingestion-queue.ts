import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { SHARED_NAME_LENGTH } from '../../../domain/stream-names.ts';
import { COURSES_PER_CHUNK, MAX_ATTEMPTS } from '../../../domain/submission/decide.ts';
import type { IngestionEnvelope } from '../../../domain/submission/events.ts';
import type { NewQueueEntry, QueueEntry } from '../../../domain/submission/queue-entry.ts';
import {
  findExceededLimit,
  type QueueContent,
  type QueueLimit,
  toQueueUse,
} from '../../../domain/submission/queue-share.ts';
import type { QueuedItem } from '../../../domain/submission/queued-item.ts';
import type { AssociatedData, RowCipher } from '../../crypto/sealing.ts';
import { queryBoolean } from '../connection/conditions.ts';
import { COMMIT_UNFLUSHED, type Db } from '../connection/database.ts';
import { groupCommit } from '../connection/group-commit.ts';
import { ARE_TABLES_OURS } from '../projector/tables-version.ts';
import { openCourses, sealCourses } from './sealed-courses.ts';

export interface EnqueueConditions {
  /** Called right before the write; if it throws, nothing is stored. */
  readonly requirePermission: () => Promise<void>;
  /** Limits of the queue that no process may exceed; `null` if they are far. */
  readonly limits: QueueContent | null;
}

interface ChunkOfEntry {
  readonly entry: QueueEntry;
  /** Zero-based. */
  readonly chunk: number;
}

/** `hotDb` runs lookups by key and scans in key order. @see openHotDatabase */
export interface QueueDatabases {
  readonly db: Db;
  readonly hotDb: Db;
}

export interface QueueOptions {
  /** Lifetime of an entry. If no worker has started it by then, it fails. */
  readonly ttlSeconds: number;
}

export const createIngestionQueue = (
  databases: QueueDatabases,
  cipher: RowCipher,
  options: QueueOptions,
) => {
  const commitSealed = groupCommit(
    async (entries: readonly SealedEntry[]) => {
      const permitted = await listPermitted(entries);
      if (permitted.length > 0) await insertWithinLimits(databases.hotDb, permitted, options);
    },
    { most: MAX_WEIGHT_PER_COMMIT, weightOf: ({ bytes }) => Math.max(MIN_WEIGHT, bytes) },
  );
  const commit = async (one: SealedEntry): Promise<void> => {
    await (one.sealed.length === 1
      ? commitSealed(one)
      : insertLongEntry(databases.db, one, options));
    if (one.refusal !== null) throw one.refusal.reason;
  };
  return createQueue(databases, cipher, commit);
};

interface SealedEntry {
  readonly entry: NewQueueEntry;
  readonly sealed: readonly Buffer[];
  readonly bytes: number;
  readonly conditions: EnqueueConditions;
  /** Set if there was no permission. */
  refusal: PromiseRejectedResult | null;
  limit: QueueLimit | null;
  /** Set by the insert: false if the idempotency key was used before. */
  isQueued: boolean;
}

/** Entries that may be written; the others get their refusals. */
const listPermitted = async (entries: readonly SealedEntry[]): Promise<readonly SealedEntry[]> => {
  const results = await Promise.allSettled(
    entries.map(({ conditions }) => conditions.requirePermission()),
  );
  return entries.filter((one, place) => {
    const result = results[place];
    one.refusal = result?.status === 'rejected' ? result : null;
    return one.refusal === null;
  });
};

// Bytes. Small entries count as the minimum, to limit the entries of a statement.
const MAX_WEIGHT_PER_COMMIT = 8 * 1024 * 1024;
const MIN_WEIGHT = MAX_WEIGHT_PER_COMMIT / 64;

/**
 * Inserts entries, with their courses if they fit into one chunk. The row of the first push reserves
 * its idempotency key. It is deleted only after the read tables show the
 * ingestion as finished, so from then on they reserve the key. Of concurrent pushes, the primary
 * key accepts one.
 */
const insertEntries = async (
  db: Db,
  group: readonly SealedEntry[],
  { ttlSeconds }: QueueOptions,
): Promise<void> => {
  // Sorted in every process: otherwise two with the same keys could deadlock.
  const sealedEntries = group.toSorted((one, other) =>
    one.entry.ingestionId < other.entry.ingestionId ? -1 : 1,
  );
  const entries = sealedEntries.map(({ entry }) => entry);
  const inRow = sealedEntries.map(({ sealed }) => (sealed.length === 1 ? sealed : []));
  let end = 1; // substring counts from one
  const starts = inRow.map(([sealed]) => {
    if (sealed === undefined) return null;
    end += sealed.length;
    return end - sealed.length;
  });
  // One binary parameter has all courses, because an array would double them as hex.
  const { rows } = await sql<{ attempt: string }>`
    with entry as (
      insert into app.submission
        (ingestion_id, attempt, practice_id, key_kind, sender_id, correlation_id, received_at,
          courses, bytes, sealed, expires_at)
      select ingestion_id, attempt, practice_id, key_kind, sender_id, correlation_id, received_at,
        courses, bytes, substring(${Buffer.concat(inRow.flat())}::bytea from starts for bytes),
        now() + ${ttlSeconds} * interval '1 second'
      from unnest(
        ${entries.map(({ ingestionId }) => ingestionId)}::text[],
        ${entries.map(({ attempt }) => attempt)}::uuid[],
        ${entries.map(({ practiceId }) => practiceId)}::text[],
        ${entries.map(({ keyKind }) => keyKind)}::text[],
        ${entries.map(({ keyId }) => keyId)}::text[],
        ${entries.map(({ correlationId }) => correlationId)}::text[],
        ${entries.map(({ receivedAt }) => receivedAt)}::timestamptz[],
        ${entries.map(({ courses }) => courses)}::integer[],
        ${sealedEntries.map(({ bytes }) => bytes)}::integer[],
        ${starts}::integer[],
        ${entries.map(({ isKeyed }) => isKeyed)}::boolean[]
      ) as new_entry (ingestion_id, attempt, practice_id, key_kind, sender_id, correlation_id,
        received_at, courses, bytes, starts, is_keyed)
      where not (is_keyed and exists (
        select from read.ingestion known where known.ingestion_id = new_entry.ingestion_id
      ))
      on conflict (ingestion_id) do nothing
      returning ingestion_id, attempt
    )
    select attempt from entry`.execute(db);
  const queued = new Set(rows.map(({ attempt }) => attempt));
  for (const one of sealedEntries) one.isQueued = queued.has(one.entry.attempt);
};

/** Close to a limit, one process at a time counts and inserts, so that together they stay within it. */
const insertWithinLimits = (
  db: Db,
  entries: readonly SealedEntry[],
  options: QueueOptions,
): Promise<void> =>
  entries.every(({ conditions }) => conditions.limits === null)
    ? insertEntries(db, entries, options)
    : db.transaction().execute(async (transaction) => {
        const fitting = listWithRoom(entries, await countUnderLock(transaction));
        if (fitting.length > 0) await insertEntries(transaction, fitting, options);
      });

const QUEUE_LOCK = 'registry_queue';
/** A process that stops under the lock loses it. */
const MAX_IDLE_UNDER_LOCK_MS = 5_000;

/** Content of the queue, which only this transaction can add to until it ends. */
const countUnderLock = async (transaction: Db): Promise<Map<string, QueueContent>> => {
  await sql`
    select set_config('idle_in_transaction_session_timeout', ${String(MAX_IDLE_UNDER_LOCK_MS)}, true),
      pg_advisory_xact_lock(hashtextextended(${QUEUE_LOCK}, 0))`.execute(transaction);
  return toContents(await sumChanges(transaction));
};

/** One after the other; the others get their limit. */
const listWithRoom = (
  entries: readonly SealedEntry[],
  contents: Map<string, QueueContent>,
): readonly SealedEntry[] => {
  const add = ({ entry, bytes }: SealedEntry): void => {
    const before = contents.get(entry.practiceId) ?? { courses: 0, bytes: 0 };
    const courses = before.courses + entry.courses;
    contents.set(entry.practiceId, { courses, bytes: before.bytes + bytes });
  };
  return entries.filter((one) => {
    const { limits } = one.conditions;
    const { courses, practiceId } = one.entry;
    one.limit =
      limits === null
        ? null
        : findExceededLimit(
            toQueueUse(contents, practiceId),
            { courses, bytes: one.bytes },
            limits,
          );
    if (one.limit === null) add(one);
    return one.limit === null;
  });
};

/** Takes back the chunks of an entry that is not queued. */
class NotQueued extends Error {
  override readonly name = 'NotQueued';
}

const rollBackUnlessQueued = async (
  db: Db,
  work: (transaction: Db) => Promise<void>,
): Promise<void> => {
  try {
    await db.transaction().execute(work);
  } catch (error) {
    if (!(error instanceof NotQueued)) throw error;
  }
};

/**
 * Inserts chunks and their entry in one transaction, so that all exist or none does. Small entries
 * do not wait for it, and one chunk at a time is made into a statement, because all of them would
 * hold this thread. The entry comes last: with its row, but without the lock, one of the same id under
 * the lock would wait for it, and it for the lock.
 */
const insertLongEntry = (db: Db, one: SealedEntry, options: QueueOptions): Promise<void> =>
  rollBackUnlessQueued(db, async (transaction) => {
    const { ingestionId, isKeyed } = one.entry;
    if (isKeyed && (await isKnown(transaction, ingestionId))) return;
    for (const [chunk, sealed] of one.sealed.entries())
      await sql`
        insert into app.submission_chunk (ingestion_id, chunk, sealed)
        values (${ingestionId}, ${chunk}, ${sealed})
        on conflict (ingestion_id, chunk) do update set sealed = excluded.sealed`.execute(
        transaction,
      );
    // Writing the chunks takes long: a refusal now takes them back.
    await one.conditions.requirePermission();
    const hasRoom =
      one.conditions.limits === null ||
      listWithRoom([one], await countUnderLock(transaction)).length > 0;
    if (hasRoom) await insertEntries(transaction, [one], options);
    if (!one.isQueued) throw new NotQueued();
  });

// One snapshot: a row is deleted only after the read tables show the ingestion as finished.
const isKnown = (db: Db, ingestionId: string): Promise<boolean> =>
  queryBoolean(
    db,
    sql`exists (select from app.submission where ingestion_id = ${ingestionId})
      or exists (select from read.ingestion where ingestion_id = ${ingestionId})`,
  );

/** The limit forces one lookup by key per row, or Postgres may scan the index of open ingestions for each. */
const WITH_INGESTION = sql`
  left join lateral (
    select status, revision from read.ingestion known
    where known.ingestion_id = queued.ingestion_id limit 1
  ) ingestion on true`;
const IS_OPEN = sql`coalesce(ingestion.status, 'queued') in ('queued', 'processing')`;

/** Up to this many courses come with the picked entry, which saves a second query. */
const FEW_COURSES = 4;

const buildBinding = (
  { attempt, practiceId, keyKind }: Pick<IngestionEnvelope, 'attempt' | 'practiceId' | 'keyKind'>,
  chunk: number,
): AssociatedData => ({ row: attempt, part: chunk, practiceId, keyKind });

interface PickedRow {
  readonly ingestion_id: string;
  readonly attempt: string;
  readonly key_kind: 'native' | 'partner' | null;
  readonly sender_id: string;
  readonly file_hash: string | null;
  readonly empty_rows: readonly number[] | null;
  readonly correlation_id: string;
  readonly received_at: Date;
  readonly courses: number;
  readonly sealed: Buffer | null;
  readonly attempts: number;
  readonly is_in_doubt: boolean;
  readonly last_fault: string | null;
  readonly is_expired: boolean;
  readonly revision: string | null;
  readonly is_parked: boolean;
}

const toEntry = (row: PickedRow, practiceId: string): QueueEntry => {
  const isImport = row.key_kind === null;
  return {
    ingestionId: row.ingestion_id,
    practiceId,
    keyId: isImport ? null : row.sender_id,
    keyKind: row.key_kind,
    ...(isImport && {
      imported: {
        memberId: row.sender_id,
        fileHash: row.file_hash ?? '',
        emptyRows: row.empty_rows ?? [],
      },
    }),
    attempt: row.attempt,
    courses: row.courses,
    correlationId: row.correlation_id,
    receivedAt: row.received_at.toISOString(),
    source: isImport ? 'csv' : 'fhir_push',
    actor: { kind: isImport ? 'member' : 'key', id: row.sender_id },
    sealed: row.sealed,
    attempts: row.attempts,
    mayBePartiallyRecorded: row.is_in_doubt,
    revision: row.revision === null ? null : BigInt(row.revision),
    isParked: row.is_parked,
    lastFault: row.last_fault,
    isExpired: row.is_expired,
  };
};

const createQueue = (
  { db, hotDb }: QueueDatabases,
  cipher: RowCipher,
  commitSealed: (entry: SealedEntry) => Promise<void>,
) => {
  /** This process, which is gone once another one finds its entries in progress. */
  const worker = randomUUID();
  const updateEntries = async (
    ingestionIds: readonly string[],
    changes: RawBuilder<unknown>,
  ): Promise<void> => {
    await sql`
      update app.submission set ${changes}
      where ingestion_id = any(${[...ingestionIds]}::text[])`.execute(hotDb);
  };
  return {
    /**
     * Durable, which is what the 202 promises. Concurrent calls share one transaction.
     * @returns `known`, or the limit that the entry would exceed: nothing was queued
     */
    async enqueue(
      entry: NewQueueEntry,
      conditions: EnqueueConditions,
    ): Promise<'queued' | 'known' | QueueLimit> {
      const sealed: Buffer[] = [];
      for (const [chunk, courses] of entry.chunks.entries()) {
        if (chunk > 0) await setImmediate();
        sealed.push(sealCourses(cipher, courses, buildBinding(entry, chunk)));
      }
      const bytes = sealed.reduce((sum, chunk) => sum + chunk.length, 0);
      const one: SealedEntry = {
        entry,
        sealed,
        bytes,
        conditions,
        refusal: null,
        limit: null,
        isQueued: false,
      };
      await commitSealed(one);
      return one.limit ?? (one.isQueued ? 'queued' : 'known');
    },

    /** True if an ingestion is queued or projected, so its push was answered with a 202. */
    isKnown: (ingestionId: string): Promise<boolean> => isKnown(hotDb, ingestionId),

    /** Deletes entries whose end is projected, or that lost the race for their idempotency key. */
    async dequeue(ingestionIds: readonly string[]): Promise<void> {
      await drop(hotDb, sql`ingestion_id = any(${[...ingestionIds]}::text[])`);
    },

    /** Returns the entries of a practice that are ready for processing, oldest first, excluding `except`. */
    async pick(
      practiceId: string,
      except: readonly string[],
      limit: number,
    ): Promise<readonly QueueEntry[]> {
      // Both parts scan their index, oldest first, and stop at the limit, so queue depth does not
      // matter. Entries with too many attempts come last: their stream may be unreadable.
      const selectWorkable = (tries: RawBuilder<unknown>) => sql`(
      select queued.ingestion_id, queued.attempt, queued.key_kind, queued.sender_id,
        queued.file_hash, queued.empty_rows, queued.correlation_id, queued.received_at,
        queued.courses, case when queued.courses <= ${FEW_COURSES} then queued.sealed end as sealed,
        queued.attempts, queued.is_in_doubt, queued.last_fault,
        queued.expires_at < now() as is_expired, ingestion.revision,
        exists (
          select from read.parked_stream where stream in (
            'ingestion-' || queued.ingestion_id,
            'ingestion-' || left(queued.ingestion_id, ${SHARED_NAME_LENGTH})
          )
        ) as is_parked
      from app.submission queued
      ${WITH_INGESTION}
      where queued.practice_id = ${practiceId} and ${tries} and ${IS_OPEN}
        and queued.ingestion_id <> all(${[...except]}::text[])
      order by queued.seq
      limit ${limit})`;
      const { rows } = await sql<PickedRow>`
      select * from (
        ${selectWorkable(sql`queued.attempts < ${MAX_ATTEMPTS}`)}
        union all
        ${selectWorkable(sql`queued.attempts >= ${MAX_ATTEMPTS}`)}
        limit ${limit}
      ) picked where ${ARE_TABLES_OURS}`.execute(hotDb);
      return rows.map((row) => toEntry(row, practiceId));
    },

    /**
     * Durable, before the attempt begins; marks entries as possibly recorded in part. An attempt counts
     * if another process died of it, or if this one has been at it for too long: a store that is down
     * ends attempts, too, and those do not count.
     * @returns counted attempts of each entry that still exists
     */
    async claim(ingestionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const { rows } = await sql<{ ingestion_id: string; attempts: number }>`
        update app.submission set is_in_doubt = true, in_progress_by = ${worker},
          attempts = attempts + (${isInterrupted(worker)})::integer,
          in_progress_since = case when in_progress_by = ${worker} and not (${isInterrupted(worker)})
            then in_progress_since else now() end
        where ingestion_id = any(${[...ingestionIds]}::text[])
        returning ingestion_id, attempts`.execute(hotDb);
      return new Map(rows.map(({ ingestion_id, attempts }) => [ingestion_id, attempts]));
    },

    /** Ends an attempt that does not count: others get their turn, or a store is down. */
    release: (ingestionIds: readonly string[]): Promise<void> =>
      updateEntries(ingestionIds, NOT_IN_PROGRESS),

    /** Counts an attempt that ended in a fault. @param exception name of its class */
    fail: (ingestionIds: readonly string[], exception: string): Promise<void> =>
      updateEntries(
        ingestionIds,
        sql`attempts = attempts + 1, last_fault = ${exception}, ${NOT_IN_PROGRESS}`,
      ),

    /** Part of the entry is recorded, and the next attempt begins after it. */
    resetAttempts: (ingestionIds: readonly string[]): Promise<void> =>
      updateEntries(ingestionIds, sql`attempts = 0, last_fault = null, in_progress_since = now()`),

    /** Decrypts chunks in the requested order; `null` for a chunk that no longer exists. */
    async openChunks(
      chunks: readonly ChunkOfEntry[],
    ): Promise<readonly (readonly QueuedItem[] | null)[]> {
      const unloaded = chunks.filter(({ entry }) => entry.sealed === null);
      const found =
        unloaded.length === 0 ? new Map<string, Buffer | null>() : await loadSealed(unloaded);
      return Promise.all(
        chunks.map(({ entry, chunk }) => {
          const bytes = entry.sealed ?? found.get(`${entry.ingestionId} ${chunk}`) ?? null;
          return bytes === null ? null : openCourses(cipher, bytes, buildBinding(entry, chunk));
        }),
      );

      async function loadSealed(some: typeof chunks): Promise<ReadonlyMap<string, Buffer | null>> {
        const { rows } = await sql<{
          ingestion_id: string;
          chunk: number;
          sealed: Buffer | null;
        }>`
        select wanted.ingestion_id, wanted.chunk, coalesce(queued.sealed, part.sealed) as sealed
        from unnest(
          ${some.map(({ entry }) => entry.ingestionId)}::text[],
          ${some.map(({ chunk }) => chunk)}::integer[]
        ) as wanted (ingestion_id, chunk)
        cross join lateral (
          select sealed from app.submission where ingestion_id = wanted.ingestion_id limit 1
        ) queued
        left join lateral (
          select sealed from app.submission_chunk
          where ingestion_id = wanted.ingestion_id and chunk = wanted.chunk limit 1
        ) part on true`.execute(hotDb);
        return new Map(rows.map((row) => [`${row.ingestion_id} ${row.chunk}`, row.sealed]));
      }
    },

    async practicesWithWork(except: readonly string[]): Promise<readonly string[]> {
      // Skips from practice to practice by the index: the worker polls often, and queues may be deep.
      const { rows } = await sql<{ practice_id: string }>`
      with recursive waiting (practice_id) as (
        (select practice_id from app.submission order by practice_id limit 1)
        union all
        select (
          select practice_id from app.submission
          where practice_id > waiting.practice_id order by practice_id limit 1
        )
        from waiting where waiting.practice_id is not null
      )
      select waiting.practice_id
      from waiting cross join lateral (
        select queued.seq from app.submission queued
        ${WITH_INGESTION}
        where queued.practice_id = waiting.practice_id and ${IS_OPEN}
        order by queued.seq limit 1
      ) oldest
      where waiting.practice_id <> all(${[...except]}::text[]) and ${ARE_TABLES_OURS}
      order by oldest.seq`.execute(hotDb);
      return rows.map(({ practice_id }) => practice_id);
    },

    /** Content of each practice that has any. Cheap, however deep the queue is. */
    async countQueued(): Promise<ReadonlyMap<string, QueueContent>> {
      const rows = await sumChanges(hotDb);
      // Folding leaves one row of each practice.
      const superfluous = rows.reduce((sum, { changes }) => sum + changes - 1, 0);
      if (superfluous > MAX_SUPERFLUOUS_CHANGES) await foldChanges(hotDb);
      return toContents(rows);
    },

    async dropFinished(): Promise<void> {
      await drop(
        db,
        sql`ingestion_id in (
        select queued.ingestion_id from app.submission queued
        ${WITH_INGESTION}
        where ingestion.status in ('completed', 'failed')
      )`,
      );
    },

    /** Returns ingestions older than this that have not ended and have no queue entry. */
    async withoutEntry(olderThanMs: number): Promise<readonly string[]> {
      const { rows } = await sql<{ ingestion_id: string }>`
      select ingestion_id from read.ingestion open
      where status in ('queued', 'processing')
        and received_at < now() - ${olderThanMs} * interval '1 millisecond'
        and not exists (
          select from app.submission queued where queued.ingestion_id = open.ingestion_id
        )
      order by received_at limit 100`.execute(db);
      return rows.map((row) => row.ingestion_id);
    },

    /** Deletes chunks whose entry no longer exists. */
    async dropOrphanedChunks(): Promise<void> {
      // One statement inserts entry and chunks, so no snapshot shows chunks before their entry.
      await sql`
      delete from app.submission_chunk orphan
      where not exists (
        select from app.submission queued where queued.ingestion_id = orphan.ingestion_id
      )`.execute(db);
    },
  };
};

/** @see createIngestionQueue */
export type IngestionQueue = ReturnType<typeof createIngestionQueue>;

const NOT_IN_PROGRESS = sql`in_progress_by = null, in_progress_since = null`;
/** Longer than any outage should be. */
const MAX_MINUTES_IN_PROGRESS = 15;
const isInterrupted = (worker: string) => sql`in_progress_by is not null and (
  in_progress_by <> ${worker}
  or in_progress_since < now() - ${MAX_MINUTES_IN_PROGRESS} * interval '1 minute')`;

interface ChangesOfPractice {
  readonly practice_id: string;
  readonly courses: number;
  readonly bytes: number;
  readonly changes: number;
}

const sumChanges = async (db: Db): Promise<readonly ChangesOfPractice[]> => {
  const { rows } = await sql<ChangesOfPractice>`
    select practice_id, sum(courses)::float8 as courses, sum(bytes)::float8 as bytes,
      count(*)::integer as changes
    from app.queue_change group by practice_id`.execute(db);
  return rows;
};

const toContents = (rows: readonly ChangesOfPractice[]): Map<string, QueueContent> =>
  new Map(
    rows
      .filter(({ courses, bytes }) => courses > 0 || bytes > 0)
      .map(({ practice_id, courses, bytes }) => [practice_id, { courses, bytes }]),
  );

/** With more rows that folding removes, it is worth its cost. */
const MAX_SUPERFLUOUS_CHANGES = 1_000;

/** Rows that another process folds are left to it, so that none counts twice. */
const foldChanges = async (db: Db): Promise<void> => {
  await sql`
    with folded as (
      delete from app.queue_change where ctid in (
        select ctid from app.queue_change for update skip locked
      ) returning practice_id, courses, bytes
    )
    insert into app.queue_change (practice_id, courses, bytes)
    select practice_id, sum(courses), sum(bytes) from folded
    group by practice_id having sum(courses) <> 0 or sum(bytes) <> 0`.execute(db);
};

/** After a crash of Postgres, rows that come back are found finished, and dropped again. */
const drop = async (db: Db, condition: RawBuilder<unknown>): Promise<void> => {
  await sql`
    with gone as (
      delete from app.submission where ${condition} and (select ${COMMIT_UNFLUSHED}) is not null
      returning ingestion_id, courses
    )
    delete from app.submission_chunk where ingestion_id in (
      select ingestion_id from gone where courses > ${COURSES_PER_CHUNK}
    )`.execute(db);
};
