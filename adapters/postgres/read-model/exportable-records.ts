import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { NamedProvider } from '../../../domain/provider/details.ts';
import type { ExportableRecord, ListedForExport } from '../../../projections/lists/exports.ts';
import type { RecordSearch } from '../../../projections/lists/records.ts';
import {
  decodeCourse,
  type StoredCourse,
  TRANSFERS_KEY,
} from '../../../projections/tables/course-codec.ts';
import type { Db } from '../connection/database.ts';
import { buildConditions } from './record-search.ts';

interface Row {
  readonly submission_uuid: string;
  readonly status: 'live' | 'voided';
  readonly version: number;
  readonly key_kind: 'native' | 'partner' | null;
  readonly stamp: string | null;
  readonly chart_number: string | null;
  readonly changed_at: Date;
  readonly changed_position: string;
  readonly course: StoredCourse;
  readonly providers: readonly NamedProvider[];
}

const COLUMNS = sql.raw(
  'submission_uuid, status, version, key_kind, stamp, chart_number, ' +
    'coalesce(voided_at, changed_at) as changed_at, changed_position, course, providers',
);

/**
 * Reads records in order of their last change. Log positions only increase, and the tables follow
 * the log in order: a record that changes in between appears again, and none is missed.
 */
export const createReadChangedRecords =
  (db: Db) =>
  async (
    practiceId: string,
    since: Date | null,
    after: string | null,
    most: number,
  ): Promise<readonly ExportableRecord[]> => {
    const conditions = [
      sql<SqlBool>`practice_id = ${practiceId}`,
      ...(after === null ? [] : [sql<SqlBool>`changed_position > ${after}::bigint`]),
      ...(after !== null || since === null ? [] : [changedSince(practiceId, since)]),
    ];
    const { rows } = await sql<Row>`
      select ${COLUMNS} from read.birth_record
      where ${sql.join(conditions, sql` and `)}
      order by changed_position limit ${most}`.execute(db);
    return rows.map(exportable);
  };

export const createCountChangedRecords =
  (db: Db) =>
  async (practiceId: string, since: Date | null): Promise<number> => {
    const { rows } = await sql<{ records: string }>`
      select count(*) as records from read.birth_record
      where practice_id = ${practiceId}
        and ${since === null ? sql`true` : changedSince(practiceId, since)}`.execute(db);
    return Number(rows[0]?.records ?? 0);
  };

export const createReadExportable =
  (db: Db) =>
  async (
    practiceId: string,
    submissionUuids: readonly string[],
  ): Promise<readonly ExportableRecord[]> => {
    const { rows } = await sql<Row>`
      select ${COLUMNS} from read.birth_record
      where practice_id = ${practiceId}
        and submission_uuid = any(${[...submissionUuids]}::uuid[])`.execute(db);
    const byId = new Map(rows.map((row) => [row.submission_uuid, exportable(row)]));
    return submissionUuids.flatMap((id) => byId.get(id) ?? []);
  };

/**
 * Matches everything from the first log position with a change since then. Clocks of processes
 * differ, so a later log entry may have an earlier time, and clients that poll must not miss it.
 */
const changedSince = (practiceId: string, since: Date): RawBuilder<SqlBool> =>
  sql<SqlBool>`changed_position >= (
    select min(changed.changed_position) from (
      select changed_position from read.birth_record
      where practice_id = ${practiceId} and changed_at >= ${since}
      offset 0
    ) changed)`;

const exportable = (row: Row): ExportableRecord => ({
  submissionUuid: row.submission_uuid,
  status: row.status,
  version: row.version,
  keyKind: row.key_kind,
  stamp: row.stamp,
  changedAt: row.changed_at,
  position: row.changed_position,
  course: decodeCourse(row),
  providers: row.providers,
});

/** Lists the records of an export. */
export const createListForExport =
  (db: Db) =>
  async (
    practiceId: string,
    chosen: readonly string[] | RecordSearch,
    most: number,
  ): Promise<readonly ListedForExport[]> => {
    const isChosen =
      'words' in chosen
        ? sql.join(buildConditions(practiceId, chosen), sql` and `)
        : sql`practice_id = ${practiceId} and submission_uuid = any(${[...chosen]}::uuid[])`;
    const { rows } = await sql<{
      submission_uuid: string;
      status: 'live' | 'voided';
      children: number;
      transfers: number;
    }>`
      select record.submission_uuid, record.status, record.children,
        coalesce(json_array_length(record.course -> ${TRANSFERS_KEY}), 0) as transfers
      from (
        select submission_uuid from read.record_listing where ${isChosen}
        order by changed_at, submission_uuid limit ${most}
      ) chosen join read.birth_record record using (submission_uuid)
      order by record.changed_at, record.submission_uuid`.execute(db);
    return rows.map(({ submission_uuid, ...row }) => ({ submissionUuid: submission_uuid, ...row }));
  };

export const createFindLastExport =
  (db: Db) =>
  async (
    submissionUuid: string,
  ): Promise<{ readonly version: number; readonly at: Date } | null> => {
    const row = await db
      .selectFrom('read.record_export')
      .select(['version', 'exported_at'])
      .where('record_id', '=', submissionUuid)
      .executeTakeFirst();
    return row === undefined ? null : { version: row.version, at: row.exported_at };
  };
