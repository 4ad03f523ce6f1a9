import { sql } from 'kysely';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { NamedProvider } from '../../../domain/provider/details.ts';
import { decodeCourse, type StoredCourse } from '../../../projections/tables/course-codec.ts';
import type { Db } from '../connection/database.ts';

export interface RehearsedRecord {
  readonly submissionUuid: string;
  readonly practiceId: string;
  readonly status: 'live' | 'voided';
  readonly keyKind: 'native' | 'partner' | null;
  readonly stamp: string | null;
  readonly changedAt: Date;
  readonly course: CourseOfCare;
  readonly providers: readonly NamedProvider[];
  readonly fingerprints: readonly string[];
}

const PAGE = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** All records in pages, ordered by id. */
export async function* compareRehearsedRecords(
  db: Db,
  schema: string,
): AsyncGenerator<readonly RehearsedRecord[]> {
  let after = BEFORE_ALL;
  for (;;) {
    const { rows } = await sql<{
      readonly submission_uuid: string;
      readonly practice_id: string;
      readonly status: 'live' | 'voided';
      readonly key_kind: 'native' | 'partner' | null;
      readonly stamp: string | null;
      readonly chart_number: string | null;
      readonly changed_at: Date;
      readonly course: StoredCourse;
      readonly providers: readonly NamedProvider[];
      readonly fingerprints: readonly string[];
    }>`
      select submission_uuid, practice_id, status, key_kind, stamp, chart_number, changed_at, course,
        providers, fingerprints
      from ${sql.id(schema, 'birth_record')} where submission_uuid > ${after}::uuid
      order by submission_uuid limit ${PAGE}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => ({
      submissionUuid: row.submission_uuid,
      practiceId: row.practice_id,
      status: row.status,
      keyKind: row.key_kind,
      stamp: row.stamp,
      changedAt: row.changed_at,
      course: decodeCourse(row),
      providers: row.providers,
      fingerprints: row.fingerprints,
    }));
    after = last.submission_uuid;
  }
}

export const countRehearsed = async (db: Db, schema: string): Promise<number> => {
  const { rows } = await sql<{ records: string }>`
    select count(*) as records from ${sql.id(schema, 'birth_record')}`.execute(db);
  return Number(rows[0]?.records);
};

export const countRefused = async (db: Db, schema: string): Promise<number> => {
  const { rows } = await sql<{ refused: string }>`
    select count(*) as refused from ${sql.id(schema, 'refused_record')}`.execute(db);
  return Number(rows[0]?.refused);
};
