import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { foldChartNumber } from '../../../domain/course/search-words.ts';
import type {
  BirthLine,
  ListSlice,
  MatchesOfRecord,
  NamedRecord,
  RecordLine,
  RecordSearch,
} from '../../../projections/lists/records.ts';
import { toBirthDayWord } from '../../../projections/tables/birth-records.ts';
import { decodeCourse, type StoredCourse } from '../../../projections/tables/course-codec.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { escapeLike } from '../connection/escape-like.ts';

const LINE = sql.raw(
  'submission_uuid, chart_number, mother_name, child_names, born, children, fetal_deaths, place, ' +
    'status, version, source, key_kind, ' +
    'exists (select from read.look_alike alike where alike.is_newer ' +
    'and alike.submission_uuid = record_listing.submission_uuid) as is_suspected_duplicate, ' +
    'changed_at',
);

/** Hits are counted up to this limit. */
const MAX_COUNTED = 10_000;

export const createRecordReads = (db: Db) => ({
  /** Finds records by what people remember about them. */
  async findRecords(practiceId: string, search: RecordSearch, { skip, most }: ListSlice) {
    const where = sql.join(buildConditions(practiceId, search), sql` and `);
    const order = sql`order by changed_at desc, submission_uuid limit ${most} offset ${skip}`;
    // The subquery skips rows before the costly check for pairs.
    const inOrderOfChange = () =>
      sql<RecordLine>`
        with page as materialized (
          select submission_uuid from read.record_listing where ${where} ${order}
        )
        select ${LINE} from page join read.record_listing using (submission_uuid)
        order by changed_at desc, submission_uuid`.execute(withCamelCase(db));
    if (search.chart === '') {
      const [{ rows: records }, found] = await Promise.all([
        inOrderOfChange(),
        countRecords(db, where),
      ]);
      return { records, ...found };
    }
    // Finds first, then sorts: scanning in order of change would be slow with few hits.
    const { rows } = await sql<RecordLine & { readonly found: string }>`
      with hit as materialized (
        select submission_uuid, changed_at from read.record_listing
        where ${where} limit ${MAX_COUNTED + 1}
      ), page as (
        select submission_uuid, count(*) over () as found from hit ${order}
      )
      select ${LINE}, found from page join read.record_listing using (submission_uuid)
      order by changed_at desc, submission_uuid`.execute(withCamelCase(db));
    // Past the last page, no row contains the total.
    const found =
      rows[0] === undefined && skip > 0
        ? await countRecords(db, where)
        : capCount(Number(rows[0]?.found ?? 0));
    return {
      records: found.isMore
        ? (await inOrderOfChange()).rows
        : rows.map(({ found: _, ...line }) => line),
      ...found,
    };
  },

  /** A year sorts before any date in it, so births with only a year come last in their year. */
  async findBirths(practiceId: string, year: number | null, { skip, most }: ListSlice) {
    const all = sql`practice_id = ${practiceId} and status = 'live' and not is_prefilled`;
    const where =
      year === null
        ? all
        : sql`${all} and born >= ${yearText(year)} and born < ${yearText(year + 1)}`;
    const [lines, found, ends] = await Promise.all([
      sql<RecordLine & { readonly course: StoredCourse; readonly stamp: string | null }>`
        with hit as materialized (
          select submission_uuid from read.record_listing where ${where}
          order by born desc nulls last, submission_uuid limit ${most} offset ${skip}
        ), page as (
          select ${LINE} from hit join read.record_listing using (submission_uuid)
        )
        select page.*, record.course, record.stamp
        from page join read.birth_record record using (submission_uuid)
        order by page.born desc nulls last, page.submission_uuid`.execute(withCamelCase(db)),
      countRecords(db, where),
      sql<{ first: string | null; last: string | null }>`
        select min(born) as first, max(born) as last from read.record_listing where ${all}`.execute(
        db,
      ),
    ]);
    return {
      births: lines.rows.map(
        ({ course, stamp, ...line }): BirthLine => ({
          ...line,
          weights: decodeCourse({ course, stamp, chart_number: line.chartNumber }).children.map(
            (child) => child.birth_weight_grams,
          ),
        }),
      ),
      ...found,
      years: parseYears(ends.rows[0]),
    };
  },

  async findRecordLines(
    practiceId: string,
    submissionUuids: readonly string[],
  ): Promise<ReadonlyMap<string, RecordLine>> {
    if (submissionUuids.length === 0) return new Map();
    const { rows } = await sql<RecordLine>`
      select ${LINE} from read.record_listing
      where practice_id = ${practiceId}
        and submission_uuid in (${sql.join([...new Set(submissionUuids)])})`.execute(
      withCamelCase(db),
    );
    return new Map(rows.map((line) => [line.submissionUuid, line]));
  },

  async findMatches(
    practiceId: string,
    submissionUuid: string,
    most: number,
  ): Promise<MatchesOfRecord> {
    const { rows } = await sql<RecordLine & { readonly isNewer: boolean; readonly total: string }>`
      with every as (
        select distinct other_uuid, is_newer from read.look_alike
        where submission_uuid = ${submissionUuid} and practice_id = ${practiceId}
      ), alike as materialized (
        select other_uuid, is_newer, count(*) over () as total from every
        -- Those that make it a suspect come first.
        order by is_newer desc, other_uuid
        limit ${most}
      )
      select ${LINE}, alike.is_newer, alike.total
      from alike join read.record_listing on record_listing.submission_uuid = alike.other_uuid
      order by changed_at desc, submission_uuid`.execute(withCamelCase(db));
    const pickLines = (newer: boolean) =>
      rows.flatMap(({ isNewer, total: _, ...line }) => (isNewer === newer ? [line] : []));
    const more = Number(rows[0]?.total ?? 0) - rows.length;
    return { older: pickLines(true), newer: pickLines(false), more };
  },

  /** Names records of a practice. Omits records of other practices. */
  async nameRecords(
    practiceId: string,
    submissionUuids: readonly string[],
  ): Promise<readonly NamedRecord[]> {
    if (submissionUuids.length === 0) return [];
    return withCamelCase(db)
      .selectFrom('read.recordListing')
      .select(['submissionUuid', 'chartNumber', 'motherName', 'born'])
      .where('practiceId', '=', practiceId)
      .where('submissionUuid', 'in', [...submissionUuids])
      .execute();
  },

  /** Names the records of a practice with these chart numbers, including voided ones. */
  async listNamedRecordsByChartNumber(
    practiceId: string,
    chartNumbers: readonly string[],
  ): Promise<readonly NamedRecord[]> {
    if (chartNumbers.length === 0) return [];
    return (
      withCamelCase(db)
        .selectFrom('read.recordListing')
        .select(['submissionUuid', 'chartNumber', 'motherName', 'born'])
        .where('practiceId', '=', practiceId)
        // The folded form uses the index, the exact form distinguishes MRN-1 from mrn-1.
        .where('chartFolded', 'in', [...new Set(chartNumbers.map(foldChartNumber))])
        .where('chartNumber', 'in', [...chartNumbers])
        .execute()
    );
  },

  async findPracticeByRecord(submissionUuid: string): Promise<string | null> {
    const row = await db
      .selectFrom('read.birth_record')
      .select('practice_id')
      .where('submission_uuid', '=', submissionUuid)
      .executeTakeFirst();
    return row?.practice_id ?? null;
  },
});

interface Counted {
  readonly found: number;
  readonly isMore: boolean;
}

const capCount = (found: number): Counted => ({
  found: Math.min(found, MAX_COUNTED),
  isMore: found > MAX_COUNTED,
});

const countRecords = async (db: Db, where: RawBuilder<unknown>): Promise<Counted> => {
  const { rows } = await sql<{ found: string }>`
    select count(*) as found from (
      select 1 from read.record_listing where ${where} limit ${MAX_COUNTED + 1}
    ) counted`.execute(db);
  return capCount(Number(rows[0]?.found ?? 0));
};

export const buildConditions = (
  practiceId: string,
  search: RecordSearch,
): readonly RawBuilder<SqlBool>[] => [
  sql`practice_id = ${practiceId}`,
  ...(search.status === null ? [] : [sql<SqlBool>`status = ${search.status}`]),
  ...(search.source === null ? [] : [sql<SqlBool>`source = ${search.source}`]),
  ...(search.onlyDuplicates ? [inOpenPair(practiceId)] : []),
  ...(search.onlyUnexported === true ? [CHANGED_SINCE_EXPORT] : []),
  ...(search.chart === '' ? [] : [matching(search)]),
];

const CHANGED_SINCE_EXPORT = sql<SqlBool>`not exists (
  select from read.record_export export
  where export.record_id = record_listing.submission_uuid
    and export.version >= record_listing.version)`;

const inOpenPair = (practiceId: string): RawBuilder<SqlBool> =>
  // One check per flagged record, because pairs grow with the square of similar records.
  sql<SqlBool>`status = 'live' and submission_uuid in (
    select flagged.submission_uuid from read.birth_record flagged
    where flagged.practice_id = ${practiceId} and flagged.was_flagged and flagged.status = 'live'
      and exists (
        select from read.look_alike alike
        where alike.submission_uuid = flagged.submission_uuid and alike.is_newer
      ))`;

const matching = ({ words, birthDay, recordNumbers, chart }: RecordSearch): RawBuilder<SqlBool> => {
  const each = words.map(
    // Words contain only letters and digits, so they cannot break out of the quotes.
    (word) => sql<SqlBool>`(words @@ ${`'${word}':*`}::tsquery or ${inChart(word)})`,
  );
  if (birthDay !== null)
    each.push(
      sql<SqlBool>`(words @@ ${`'${toBirthDayWord(birthDay.day)}'`}::tsquery or ${inChart(birthDay.text)})`,
    );
  const all = each.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`${sql.join(each, sql` and `)}`;
  const byNumber =
    recordNumbers === null
      ? sql``
      : sql`or submission_uuid between ${recordNumbers.from} and ${recordNumbers.to}`;
  return sql<SqlBool>`((${all}) or ${inChart(chart)} ${byNumber})`;
};

const inChart = (text: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(chart_folded like ${buildPrefixPattern(text)}
    or chart_backwards like ${buildPrefixPattern([...text].reverse().join(''))})`;

const buildPrefixPattern = (text: string): string => `${escapeLike(text)}%`;

const YEAR_LENGTH = 4;

const yearText = (year: number): string => String(year).padStart(YEAR_LENGTH, '0');

const parseYears = (
  ends: { readonly first: string | null; readonly last: string | null } | undefined,
) =>
  ends === undefined || ends.first === null || ends.last === null
    ? null
    : {
        first: Number(ends.first.slice(0, YEAR_LENGTH)),
        last: Number(ends.last.slice(0, YEAR_LENGTH)),
      };
