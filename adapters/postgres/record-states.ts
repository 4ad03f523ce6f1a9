import { emptyCourseOfCare } from '../../domain/course-of-care/canonical-record.ts';
import type { SubmissionSource } from '../../domain/course-of-care/events.ts';
import type { HeldRecord } from '../../domain/course-of-care/ledger.ts';
import type { LoadRecords } from '../../domain/course-of-care/ports.ts';
import type { Db } from './database.ts';

/**
 * Loads what a decision depends on, without the courses of care: enough to say ahead what a large
 * file will do, not to write it.
 */
export const loadRecordStatesFrom =
  (db: Db): LoadRecords =>
  async (streams) => {
    if (streams.length === 0) return new Map();
    const rows = await db
      .selectFrom('read.birth_record')
      .select([
        ...(['stream', 'status', 'submission_uuid', 'practice_id', 'version', 'stamp'] as const),
        ...(['source', 'key_kind', 'fingerprints', 'duplicate_of'] as const),
        ...(['dismissed_duplicate_of', 'revision', 'recorded_position'] as const),
      ])
      .where('stream', 'in', [...streams])
      .execute();
    return new Map(
      rows.map((row): [string, HeldRecord] => [
        row.stream,
        {
          state: {
            status: row.status,
            submissionUuid: row.submission_uuid,
            practiceId: row.practice_id,
            version: row.version,
            stamp: row.stamp,
            source: row.source as SubmissionSource,
            keyKind: row.key_kind,
            course: emptyCourseOfCare(),
            providers: [],
            fingerprints: row.fingerprints as readonly string[],
            duplicateOf: row.duplicate_of,
            dismissedDuplicateOf: row.dismissed_duplicate_of,
          },
          expected: BigInt(row.revision),
          age: BigInt(row.recorded_position),
        },
      ]),
    );
  };
