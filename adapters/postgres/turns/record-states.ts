import { emptyCourseOfCare } from '../../../domain/course-of-care/canonical-record.ts';
import type { HeldRecord } from '../../../domain/course-of-care/ledger.ts';
import type { LoadRecords } from '../../../domain/course-of-care/ports.ts';
import type { Db } from '../connection/database.ts';
import { DECIDING_COLUMNS, heldRecordIn, isOnStream, TOLD_APART_FROM } from './record-columns.ts';

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
      .select([...DECIDING_COLUMNS, TOLD_APART_FROM])
      .where(isOnStream(streams))
      .execute();
    return new Map(
      rows.map((row): [string, HeldRecord] => [
        row.stream,
        heldRecordIn(row, emptyCourseOfCare(), []),
      ]),
    );
  };
