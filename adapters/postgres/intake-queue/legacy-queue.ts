import { sql } from 'kysely';
import { COURSES_PER_CHUNK } from '../../../domain/submission/decide.ts';
import type { Db } from '../connection/database.ts';

/** A row of version 0.1 that no projected ingestion names yet. */
interface UnconfirmedEntry {
  readonly attempt: string;
  readonly ingestionId: string;
}

/**
 * Queue of version 0.1, which guaranteed nothing until an event in the log named its row. Its rows
 * move to the current queue after an upgrade, and as long as processes of that version still run.
 */
export const createLegacyQueue = (db: Db) => ({
  /** Practices that have rows in it. */
  async practices(): Promise<readonly string[]> {
    const rows = await db
      .selectFrom('app.ingestion_queue')
      .select('practice_id')
      .distinct()
      .execute();
    return rows.map(({ practice_id }) => practice_id);
  },

  /**
   * Moves a practice's rows that a projected ingestion names, and deletes rows whose ingestion has
   * finished or names another attempt. Only for the process with the practice lease: one of version
   * 0.1 may be working on the rows.
   */
  async moveRows(practiceId: string): Promise<void> {
    await sql`
      with known as (
        select queued.*, ingestion.attempt = queued.attempt
            and ingestion.status in ('queued', 'processing') as is_open,
          coalesce(ingestion.key_id, ingestion.started_by) as sender_id, ingestion.file_hash,
          ingestion.empty_rows, ingestion.correlation_id, ingestion.received_at
        from app.ingestion_queue queued join read.ingestion using (ingestion_id)
        where queued.practice_id = ${practiceId}
      ), parts as (
        select known.ingestion_id, known.courses, part.*
        from known join app.ingestion_queue_chunk part using (attempt) where known.is_open
      ), moved as (
        insert into app.submission
          (ingestion_id, attempt, practice_id, key_kind, sender_id, file_hash, empty_rows,
            correlation_id, received_at, courses, bytes, sealed, queued_at, expires_at, attempts,
            is_in_doubt, last_fault)
        select ingestion_id, attempt, practice_id, key_kind, sender_id, file_hash, empty_rows,
          correlation_id, received_at, courses,
          (select coalesce(sum(octet_length(sealed)), 0) from parts
            where parts.attempt = known.attempt),
          (select sealed from parts
            where parts.attempt = known.attempt and courses <= ${COURSES_PER_CHUNK}),
          queued_at, expires_at, attempts, is_in_doubt, last_fault
        from known where is_open order by seq
        -- a push of now under the same Idempotency-Key, which will find that it lost
        on conflict (ingestion_id) do nothing
        returning attempt
      ), moved_parts as (
        insert into app.submission_chunk (ingestion_id, chunk, sealed)
        select ingestion_id, chunk, sealed from parts
        where courses > ${COURSES_PER_CHUNK} and attempt in (select attempt from moved)
      ), gone as (
        delete from app.ingestion_queue where attempt in (
          select attempt from moved union all select attempt from known where not is_open
        ) returning attempt
      )
      delete from app.ingestion_queue_chunk where attempt in (select attempt from gone)`.execute(
      db,
    );
  },

  /** Rows older than this without a projected ingestion. */
  async unconfirmed(olderThanMs: number): Promise<readonly UnconfirmedEntry[]> {
    const { rows } = await sql<{ attempt: string; ingestion_id: string }>`
      select attempt, ingestion_id from app.ingestion_queue queued
      where queued_at < now() - ${olderThanMs} * interval '1 millisecond'
        and not exists (
          select from read.ingestion known where known.ingestion_id = queued.ingestion_id
        )
      order by seq limit 100`.execute(db);
    return rows.map((row) => ({ attempt: row.attempt, ingestionId: row.ingestion_id }));
  },

  /** Deletes a row that no event names. Its push was never answered with 202. */
  async drop(attempt: string): Promise<void> {
    await sql`
      with gone as (delete from app.ingestion_queue where attempt = ${attempt} returning attempt)
      delete from app.ingestion_queue_chunk where attempt in (select attempt from gone)`.execute(
      db,
    );
  },
});
