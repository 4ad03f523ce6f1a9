import { foldChartNumber } from '../../../domain/course/search-words.ts';
import type { NamedRecord } from '../../../projections/lists/records.ts';
import type { Db } from '../connection/database.ts';

/** Names records of a practice. Omits records of other practices. */
export const createNameRecords =
  (db: Db) =>
  async (
    practiceId: string,
    submissionUuids: readonly string[],
  ): Promise<readonly NamedRecord[]> => {
    if (submissionUuids.length === 0) return [];
    const rows = await db
      .selectFrom('read.record_listing')
      .select(['submission_uuid', 'chart_number', 'mother_name', 'born'])
      .where('practice_id', '=', practiceId)
      .where('submission_uuid', 'in', [...submissionUuids])
      .execute();
    return rows.map(namedRecord);
  };

/** Names the records of a practice with these chart numbers, including voided ones. */
export const createNameRecordsByChart =
  (db: Db) =>
  async (practiceId: string, chartNumbers: readonly string[]): Promise<readonly NamedRecord[]> => {
    if (chartNumbers.length === 0) return [];
    const rows = await db
      .selectFrom('read.record_listing')
      .select(['submission_uuid', 'chart_number', 'mother_name', 'born'])
      .where('practice_id', '=', practiceId)
      // The folded form uses the index, the exact form distinguishes MRN-1 from mrn-1.
      .where('chart_folded', 'in', [...new Set(chartNumbers.map(foldChartNumber))])
      .where('chart_number', 'in', [...chartNumbers])
      .execute();
    return rows.map(namedRecord);
  };

const namedRecord = (row: {
  readonly submission_uuid: string;
  readonly chart_number: string | null;
  readonly mother_name: string | null;
  readonly born: string | null;
}): NamedRecord => ({
  submissionUuid: row.submission_uuid,
  chartNumber: row.chart_number,
  motherName: row.mother_name,
  born: row.born,
});

/** Returns `null` if no practice has the record. */
export const createFindPracticeByRecord =
  (db: Db) =>
  async (submissionUuid: string): Promise<string | null> => {
    const row = await db
      .selectFrom('read.birth_record')
      .select('practice_id')
      .where('submission_uuid', '=', submissionUuid)
      .executeTakeFirst();
    return row?.practice_id ?? null;
  };
