import { sql } from 'kysely';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { CamelRow } from '../../../projections/read-model.ts';
import { decodeCourse } from '../../../projections/tables/course-codec.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';

type Row = Pick<
  CamelRow<'birth_record'>,
  | 'submissionUuid'
  | 'practiceId'
  | 'status'
  | 'keyKind'
  | 'stamp'
  | 'chartNumber'
  | 'changedAt'
  | 'course'
  | 'providers'
  | 'fingerprints'
>;

export interface RehearsedRecord extends Omit<Row, 'chartNumber' | 'course'> {
  readonly course: CourseOfCare;
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
    const { rows } = await sql<Row>`
      select submission_uuid, practice_id, status, key_kind, stamp, chart_number, changed_at, course,
        providers, fingerprints
      from ${sql.id(schema, 'birth_record')} where submission_uuid > ${after}::uuid
      order by submission_uuid limit ${PAGE}`.execute(withCamelCase(db));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ chartNumber, ...row }) => ({
      ...row,
      course: decodeCourse({ ...row, chart_number: chartNumber }),
    }));
    after = last.submissionUuid;
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
