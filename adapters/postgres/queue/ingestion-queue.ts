import { type RawBuilder, sql } from 'kysely';
import type { SubmissionSource } from '../../../domain/course-of-care/events.ts';
import { MOST_ATTEMPTS } from '../../../domain/ingestion/decide.ts';
import type {
  ClaimEntries,
  CountAnew,
  Dequeue,
  DropFinishedEntries,
  DropOrphanedChunks,
  Enqueue,
  IngestionsWithoutEntry,
  NewQueueEntry,
  NoteFault,
  OpenChunks,
  PickEntries,
  PracticesWithWork,
  QueuedCourses,
  QueueEntry,
  UnclaimEntries,
  UnconfirmedEntries,
} from '../../../domain/ingestion/ports.ts';
import type { RowBinding, RowCipher } from '../../crypto/sealing.ts';
import type { Db } from '../connection/database.ts';
import { groupCommit } from '../connection/group-commit.ts';
import { openCourses, sealCourses } from './sealed-courses.ts';

/** What the worker and the intake endpoint ask of the queue. */
interface QueuePorts {
  readonly enqueue: Enqueue;
  readonly dequeue: Dequeue;
  readonly pick: PickEntries;
  readonly claim: ClaimEntries;
  readonly unclaim: UnclaimEntries;
  readonly countAnew: CountAnew;
  readonly noteFault: NoteFault;
  readonly openChunks: OpenChunks;
  readonly practicesWithWork: PracticesWithWork;
  readonly queuedCourses: QueuedCourses;
  readonly dropFinished: DropFinishedEntries;
  readonly unconfirmed: UnconfirmedEntries;
  readonly withoutEntry: IngestionsWithoutEntry;
  readonly dropOrphanedChunks: DropOrphanedChunks;
}

/** Where the queue is: `hotDb` for what goes by keys, or in the order of one. @see openHotDatabase */
export interface QueueDatabases {
  readonly db: Db;
  readonly hotDb: Db;
}

/**
 * The queue of mapped courses between the intake endpoint and the worker. Bodies are sealed.
 * @param ttlSeconds life of an entry; one that was not begun by then is failed
 */
export const ingestionQueueOf = (
  databases: QueueDatabases,
  cipher: RowCipher,
  ttlSeconds: number,
) => {
  const commitSealed = groupCommit(
    (entries: readonly SealedEntry[]) => insertEntries(databases.hotDb, entries, ttlSeconds),
    { most: MOST_WEIGHT_PER_COMMIT, weightOf },
  );
  return queueOf(databases, cipher, commitSealed);
};

/** An entry with its chunks as they are stored. */
interface SealedEntry {
  readonly entry: NewQueueEntry;
  readonly sealed: readonly Buffer[];
}

// Bytes; an entry counts for something even when it is small, so that a statement has an end.
const MOST_WEIGHT_PER_COMMIT = 8 * 1024 * 1024;
const LEAST_WEIGHT = MOST_WEIGHT_PER_COMMIT / 64;

const weightOf = ({ sealed }: SealedEntry): number =>
  Math.max(
    LEAST_WEIGHT,
    sealed.reduce((bytes, chunk) => bytes + chunk.length, 0),
  );

const insertEntries = async (
  db: Db,
  sealedEntries: readonly SealedEntry[],
  ttlSeconds: number,
): Promise<void> => {
  const entries = sealedEntries.map(({ entry }) => entry);
  const chunks = sealedEntries.flatMap(({ entry, sealed }) =>
    sealed.map((bytes, chunk) => ({ attempt: entry.attempt, chunk, sealed: bytes })),
  );
  // One statement is one transaction: entry and chunks are there together or not at all.
  await sql`
    with entry as (
      insert into app.ingestion_queue
        (attempt, ingestion_id, practice_id, key_kind, courses, expires_at)
      select attempt, ingestion_id, practice_id, key_kind, courses,
        now() + ${ttlSeconds} * interval '1 second'
      from unnest(
        ${entries.map(({ attempt }) => attempt)}::uuid[],
        ${entries.map(({ ingestionId }) => ingestionId)}::text[],
        ${entries.map(({ practiceId }) => practiceId)}::text[],
        ${entries.map(({ keyKind }) => keyKind)}::text[],
        ${entries.map(({ courses }) => courses)}::integer[]
      ) as new_entry (attempt, ingestion_id, practice_id, key_kind, courses)
    )
    insert into app.ingestion_queue_chunk (attempt, chunk, sealed)
    select * from unnest(
      ${chunks.map(({ attempt }) => attempt)}::uuid[],
      ${chunks.map(({ chunk }) => chunk)}::integer[],
      ${chunks.map(({ sealed }) => sealed)}::bytea[]
    )`.execute(db);
};

/**
 * Joins the ingestion of the row `queued`. The limit keeps it one look by the key, however many there
 * are: with conditions inside, Postgres went through the index of all open ingestions for each row
 * when it had last seen none open, and read 230,000 blocks for 50 of 5,000 entries.
 */
const WITH_INGESTION = sql`
  cross join lateral (
    select * from read.ingestion known where known.ingestion_id = queued.ingestion_id limit 1
  ) ingestion`;
/** The row can be worked on. */
const IS_OPEN = sql`
  ingestion.attempt = queued.attempt and ingestion.status in ('queued', 'processing')`;

const bindingOf = (
  { attempt, practiceId, keyKind }: Pick<QueueEntry, 'attempt' | 'practiceId' | 'keyKind'>,
  chunk: number,
): RowBinding => ({ row: attempt, part: chunk, practiceId, keyKind });

const queueOf = (
  { db, hotDb }: QueueDatabases,
  cipher: RowCipher,
  commitSealed: (entry: SealedEntry) => Promise<void>,
) =>
  ({
    enqueue: (entry) =>
      commitSealed({
        entry,
        sealed: entry.chunks.map((courses, chunk) =>
          sealCourses(cipher, courses, bindingOf(entry, chunk)),
        ),
      }),

    async dequeue(attempts) {
      await drop(hotDb, sql`attempt = any(${[...attempts]}::uuid[])`);
    },

    async pick(practiceId, except, most) {
      // Each by its index, oldest first, and no further than wanted, however deep the queue is. What
      // was tried too often comes last: its stream may be what cannot be read.
      const workable = (tries: RawBuilder<unknown>) => sql`(
      select queued.attempt, queued.ingestion_id, queued.key_kind, queued.courses, queued.attempts,
        queued.is_in_doubt, queued.last_fault, queued.expires_at < now() as is_expired,
        ingestion.source, coalesce(ingestion.key_id, ingestion.started_by) as actor_id,
        case when ingestion.key_id is null then 'member' else 'key' end as actor_kind,
        ingestion.correlation_id, ingestion.received_at, ingestion.run, ingestion.revision
      from app.ingestion_queue queued
      ${WITH_INGESTION}
      where queued.practice_id = ${practiceId} and ${tries} and ${IS_OPEN}
        and queued.attempt <> all(${[...except]}::uuid[])
      order by queued.seq
      limit ${most})`;
      const { rows } = await sql<{
        attempt: string;
        ingestion_id: string;
        key_kind: 'native' | 'partner' | null;
        source: SubmissionSource;
        actor_kind: 'key' | 'member';
        actor_id: string;
        correlation_id: string;
        received_at: Date;
        courses: number;
        attempts: number;
        is_in_doubt: boolean;
        last_fault: string | null;
        is_expired: boolean;
        run: number;
        revision: string;
      }>`
      ${workable(sql`queued.attempts < ${MOST_ATTEMPTS}`)}
      union all
      ${workable(sql`queued.attempts >= ${MOST_ATTEMPTS}`)}
      limit ${most}`.execute(hotDb);
      return rows.map((row) => ({
        attempt: row.attempt,
        ingestionId: row.ingestion_id,
        practiceId,
        keyKind: row.key_kind,
        source: row.source,
        actor: { kind: row.actor_kind, id: row.actor_id },
        correlationId: row.correlation_id,
        receivedAt: row.received_at.toISOString(),
        courses: row.courses,
        attempts: row.attempts,
        isInDoubt: row.is_in_doubt,
        lastFault: row.last_fault,
        isExpired: row.is_expired,
        run: row.run,
        revision: BigInt(row.revision),
      }));
    },

    async claim(attempts) {
      await sql`
      update app.ingestion_queue set attempts = attempts + 1, is_in_doubt = true
      where attempt = any(${[...attempts]}::uuid[])`.execute(hotDb);
    },

    async unclaim(attempts) {
      await sql`
      update app.ingestion_queue set attempts = greatest(attempts - 1, 0)
      where attempt = any(${[...attempts]}::uuid[])`.execute(hotDb);
    },

    async countAnew(attempts) {
      await sql`
      update app.ingestion_queue set attempts = 1, last_fault = null
      where attempt = any(${[...attempts]}::uuid[])`.execute(hotDb);
    },

    async noteFault(attempts, exception) {
      await sql`
      update app.ingestion_queue set last_fault = ${exception}
      where attempt = any(${[...attempts]}::uuid[])`.execute(hotDb);
    },

    async openChunks(wanted) {
      const { rows } = await sql<{ attempt: string; chunk: number; sealed: Buffer }>`
      select attempt, chunk, sealed
      from app.ingestion_queue_chunk
      join unnest(
        ${wanted.map(({ entry }) => entry.attempt)}::uuid[],
        ${wanted.map(({ chunk }) => chunk)}::integer[]
      ) as wanted (attempt, chunk) using (attempt, chunk)`.execute(hotDb);
      const sealed = new Map(rows.map((row) => [`${row.attempt} ${row.chunk}`, row.sealed]));
      return wanted.map(({ entry, chunk }) => {
        const bytes = sealed.get(`${entry.attempt} ${chunk}`);
        if (bytes === undefined) return null;
        return openCourses(cipher, bytes, bindingOf(entry, chunk));
      });
    },

    async practicesWithWork() {
      // From practice to practice by the index, and in each to the first that can be worked on: the
      // worker asks often, and a queue may be deep.
      const { rows } = await sql<{ practice_id: string }>`
      with recursive waiting (practice_id) as (
        (select practice_id from app.ingestion_queue order by practice_id limit 1)
        union all
        select (
          select practice_id from app.ingestion_queue
          where practice_id > waiting.practice_id order by practice_id limit 1
        )
        from waiting where waiting.practice_id is not null
      )
      select waiting.practice_id
      from waiting cross join lateral (
        select queued.seq from app.ingestion_queue queued
        ${WITH_INGESTION}
        where queued.practice_id = waiting.practice_id and ${IS_OPEN}
        order by queued.seq limit 1
      ) oldest
      order by oldest.seq`.execute(hotDb);
      return rows.map(({ practice_id }) => practice_id);
    },

    async queuedCourses() {
      const { rows } = await sql<{ courses: string }>`
      select coalesce(sum(courses), 0) as courses from app.ingestion_queue`.execute(db);
      return Number(rows[0]?.courses ?? 0);
    },

    dropFinished: (among) =>
      drop(
        db,
        sql`attempt in (
        select queued.attempt from app.ingestion_queue queued
        ${WITH_INGESTION}
        where ${among === 'all' ? sql`true` : sql`queued.is_in_doubt`}
          and (ingestion.status in ('completed', 'failed') or ingestion.attempt <> queued.attempt)
      )`,
      ),

    async unconfirmed(olderThanMs) {
      const { rows } = await sql<{ attempt: string; ingestion_id: string }>`
      select attempt, ingestion_id from app.ingestion_queue queued
      where queued_at < now() - ${olderThanMs} * interval '1 millisecond'
        and not exists (
          select from read.ingestion known where known.ingestion_id = queued.ingestion_id
        )
        and not exists (
          select from app.staged_import staged
          where staged.attempt = queued.attempt and staged.announced_at is null
        )
      order by seq limit 100`.execute(db);
      return rows.map((row) => ({ attempt: row.attempt, ingestionId: row.ingestion_id }));
    },

    async withoutEntry(olderThanMs) {
      const { rows } = await sql<{ ingestion_id: string }>`
      select ingestion_id from read.ingestion open
      where status in ('queued', 'processing')
        and received_at < now() - ${olderThanMs} * interval '1 millisecond'
        and not exists (
          select from app.ingestion_queue queued where queued.attempt = open.attempt
        )
      order by received_at limit 100`.execute(db);
      return rows.map((row) => row.ingestion_id);
    },

    async dropOrphanedChunks() {
      // Entry and chunks come in one statement: no snapshot shows chunks before their entry.
      await sql`
      delete from app.ingestion_queue_chunk orphan
      where not exists (
        select from app.ingestion_queue queued where queued.attempt = orphan.attempt
      )`.execute(db);
    },
  }) satisfies QueuePorts;

/** Deletes entries with their chunks, in one statement. @returns how many */
const drop = async (db: Db, condition: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ count: string }>`
    with gone as (delete from app.ingestion_queue where ${condition} returning attempt),
      chunks as (
        delete from app.ingestion_queue_chunk where attempt in (select attempt from gone)
      )
    select count(*) as count from gone`.execute(db);
  return Number(rows[0]?.count ?? 0);
};
