import { sql } from 'kysely';
import type { NamedProvider } from '../../../domain/course-of-care/events.ts';
import type { HeldRecord } from '../../../domain/course-of-care/ledger.ts';
import type {
  FindRecordStream,
  LoadFingerprintHolders,
  LoadRecords,
} from '../../../domain/course-of-care/ports.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { courseIn } from '../../../projections/stored-course.ts';
import type { Db } from '../connection/database.ts';
import { HELD_COLUMNS, heldRecordIn, isOnStream } from './record-columns.ts';

/** Loads what a turn decides on from the read tables; the revision fences what is out of date. */
export const loadRecordsFrom =
  (db: Db): LoadRecords =>
  async (streams) => {
    const rows = await db
      .selectFrom('read.birth_record')
      .select(HELD_COLUMNS)
      .where(isOnStream(streams))
      .execute();
    return new Map(
      rows.map((row): [string, HeldRecord] => [
        row.stream,
        heldRecordIn(
          row,
          {
            ...courseIn(row),
            ...{ attendant: row.attendant, certifier: row.certifier },
          },
          row.providers as readonly NamedProvider[],
        ),
      ]),
    );
  };

/** Finds a record of a practice by its id; whatever is no id finds nothing. */
export const findRecordStreamIn =
  (db: Db): FindRecordStream =>
  async (practiceId, submissionUuid) => {
    if (!isUuid(submissionUuid)) return null;
    const row = await db
      .selectFrom('read.birth_record')
      .select('stream')
      .where('submission_uuid', '=', submissionUuid)
      .where('practice_id', '=', practiceId)
      .executeTakeFirst();
    return row?.stream ?? null;
  };

/** Finds the live records behind fingerprints, for the duplicate check. */
export const loadFingerprintHoldersFrom =
  (db: Db): LoadFingerprintHolders =>
  async (practiceId, fingerprints) => {
    if (fingerprints.length === 0) return [];
    // One by one, and what else is asked for afterwards (`offset 0` keeps it apart): before Postgres
    // knows what the tables hold, it would take the whole list for most of the table and read all
    // of that, or all live records of the practice by another index.
    const { rows } = await sql<{
      fingerprint: string;
      submission_uuid: string;
      duplicate_of: string | null;
      dismissed_duplicate_of: string | null;
      recorded_position: string;
    }>`
      select asked.fingerprint, held.submission_uuid, held.duplicate_of,
        held.dismissed_duplicate_of, held.recorded_position
      from unnest(${[...new Set(fingerprints)]}::text[]) asked (fingerprint)
      cross join lateral (
        select submission_uuid, duplicate_of, dismissed_duplicate_of, recorded_position,
          practice_id, status
        from read.birth_record
        where fingerprints @> array[asked.fingerprint]
        offset 0
      ) held
      where held.practice_id = ${practiceId} and held.status = 'live'`.execute(db);
    return rows.map((row) => ({
      fingerprint: row.fingerprint,
      submissionUuid: row.submission_uuid,
      duplicateOf: row.duplicate_of,
      dismissedDuplicateOf: row.dismissed_duplicate_of,
      age: BigInt(row.recorded_position),
    }));
  };
