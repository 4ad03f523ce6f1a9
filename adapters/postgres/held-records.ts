import { sql } from 'kysely';
import type { NamedProvider } from '../../domain/course-of-care/events.ts';
import type { HeldRecord } from '../../domain/course-of-care/ledger.ts';
import type {
  FindRecordStream,
  LoadFingerprintHolders,
  LoadRecords,
} from '../../domain/course-of-care/ports.ts';
import { type SparseCourse, wholeCourse } from '../../domain/course-of-care/sparse-course.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { Db } from './database.ts';
import { heldRecordIn } from './record-row.ts';

/** Loads what a turn decides on from the read tables; the revision fences what is out of date. */
export const loadRecordsFrom =
  (db: Db): LoadRecords =>
  async (streams) => {
    const rows = await db
      .selectFrom('read.birth_record')
      .selectAll()
      .where('stream', 'in', streams.length === 0 ? [''] : [...streams])
      .execute();
    return new Map(
      rows.map((row): [string, HeldRecord] => [
        row.stream,
        heldRecordIn(
          row,
          {
            ...wholeCourse(row.course as SparseCourse),
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
    const { rows } = await sql<{
      fingerprint: string;
      submission_uuid: string;
      duplicate_of: string | null;
      dismissed_duplicate_of: string | null;
      recorded_position: string;
    }>`
      select held.fingerprint, held.submission_uuid, record.duplicate_of,
        record.dismissed_duplicate_of, record.recorded_position
      from read.record_fingerprint held
      join read.birth_record record using (submission_uuid)
      where held.practice_id = ${practiceId}
        and held.fingerprint = any(${[...fingerprints]}::text[])`.execute(db);
    return rows.map((row) => ({
      fingerprint: row.fingerprint,
      submissionUuid: row.submission_uuid,
      duplicateOf: row.duplicate_of,
      dismissedDuplicateOf: row.dismissed_duplicate_of,
      age: BigInt(row.recorded_position),
    }));
  };
