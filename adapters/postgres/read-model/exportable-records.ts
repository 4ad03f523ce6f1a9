import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ExportableRecord, ListedForExport } from '../../../projections/lists/exports.ts';
import type { RecordSearch } from '../../../projections/lists/records.ts';
import {
  decodeCourse,
  type StoredCourse,
  TRANSFERS_KEY,
} from '../../../projections/tables/course-codec.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { toGivenReason } from './item-reasons.ts';
import { buildConditions } from './record-search.ts';

type Row = Omit<ExportableRecord, 'course' | 'reasons'> & {
  readonly chartNumber: string | null;
  readonly course: StoredCourse;
  readonly reasons: readonly Parameters<typeof toGivenReason>[0][];
};

const COLUMNS = sql.raw(
  'submission_uuid, status, version, key_kind, stamp, chart_number, ' +
    'coalesce(voided_at, changed_at) as changed_at, changed_position as position, course, providers, ' +
    `(select coalesce(jsonb_agg(jsonb_build_object(
        'path', asked.path, 'values', asked.question_values, 'answer', asked.answer
      ) order by asked.version), '[]')
      from read.asked_question asked
      where asked.submission_uuid = birth_record.submission_uuid and asked.answer is not null
    ) as answers, ` +
    "array(select json_build_object('part', part, 'item', item, 'children', reason.children, 'until', until) " +
    'from read.item_reason reason where reason.submission_uuid = birth_record.submission_uuid ' +
    'order by part, item) as reasons',
);

export const createExportReads = (db: Db) => ({
  /** In order of their last change: one that changes in between appears again, and none is missed. */
  async readChangedRecords(
    practiceId: string,
    since: Date | null,
    after: string | null,
    most: number,
  ): Promise<readonly ExportableRecord[]> {
    const conditions = [
      sql<SqlBool>`practice_id = ${practiceId}`,
      ...(after === null ? [] : [sql<SqlBool>`changed_position > ${after}::bigint`]),
      ...(after !== null || since === null ? [] : [changedSince(practiceId, since)]),
    ];
    const { rows } = await sql<Row>`
      select ${COLUMNS} from read.birth_record
      where ${sql.join(conditions, sql` and `)}
      order by changed_position limit ${most}`.execute(withCamelCase(db));
    return rows.map(exportable);
  },

  async countChangedRecords(practiceId: string, since: Date | null): Promise<number> {
    const { rows } = await sql<{ records: string }>`
      select count(*) as records from read.birth_record
      where practice_id = ${practiceId}
        and ${since === null ? sql`true` : changedSince(practiceId, since)}`.execute(db);
    return Number(rows[0]?.records ?? 0);
  },

  async readExportable(
    practiceId: string,
    submissionUuids: readonly string[],
  ): Promise<readonly ExportableRecord[]> {
    const { rows } = await sql<Row>`
      select ${COLUMNS} from read.birth_record
      where practice_id = ${practiceId}
        and submission_uuid = any(${[...submissionUuids]}::uuid[])`.execute(withCamelCase(db));
    const byId = new Map(rows.map((row) => [row.submissionUuid, exportable(row)]));
    return submissionUuids.flatMap((id) => byId.get(id) ?? []);
  },

  async listForExport(
    practiceId: string,
    chosen: readonly string[] | RecordSearch,
    most: number,
  ): Promise<readonly ListedForExport[]> {
    const isChosen =
      'words' in chosen
        ? sql.join(buildConditions(practiceId, chosen), sql` and `)
        : sql`practice_id = ${practiceId} and submission_uuid = any(${[...chosen]}::uuid[])`;
    const { rows } = await sql<ListedForExport>`
      select record.submission_uuid, record.status, record.children,
        coalesce(json_array_length(record.course -> ${TRANSFERS_KEY}), 0) as transfers,
        exists (
          select from read.open_question asked where asked.submission_uuid = record.submission_uuid
        ) as is_questioned
      from (
        select submission_uuid from read.record_listing where ${isChosen}
        order by changed_at, submission_uuid limit ${most}
      ) chosen join read.birth_record record using (submission_uuid)
      order by record.changed_at, record.submission_uuid`.execute(withCamelCase(db));
    return rows;
  },

  async findLastExport(
    submissionUuid: string,
  ): Promise<{ readonly version: number; readonly at: Date } | null> {
    const last = await withCamelCase(db)
      .selectFrom('read.recordExport')
      .select(['version', 'exportedAt as at'])
      .where('recordId', '=', submissionUuid)
      .executeTakeFirst();
    return last ?? null;
  },
});

/** From the first position with such a change: clocks differ, and clients that poll must not miss one. */
const changedSince = (practiceId: string, since: Date): RawBuilder<SqlBool> =>
  sql<SqlBool>`changed_position >= (
    select min(changed.changed_position) from (
      select changed_position from read.birth_record
      where practice_id = ${practiceId} and changed_at >= ${since}
      offset 0
    ) changed)`;

const exportable = ({ chartNumber, course, reasons, ...row }: Row): ExportableRecord => ({
  ...row,
  reasons: reasons.map(toGivenReason),
  course: decodeCourse({ course, stamp: row.stamp, chart_number: chartNumber }),
});
