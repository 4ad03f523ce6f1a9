import { type RawBuilder, sql } from 'kysely';
import {
  BIRTH_RATES,
  COURSE_RATES,
  type RateDefinition,
} from '../../../domain/statistics/definitions.ts';
import {
  type CountedOne,
  type FigureQuery,
  type FindCounted,
  isOfBirths,
} from '../../../domain/statistics/figure-query.ts';
import { formatPlurality, UNKNOWN } from '../../../domain/statistics/figures.ts';
import { parseMonth } from '../../../domain/statistics/over-time.ts';
import type {
  BirthCell,
  Cell,
  CellFilter,
  ContributedCell,
  CountExclusions,
  LoadBenchmarkCells,
  LoadPracticeCells,
  WholeTally,
} from '../../../domain/statistics/ports.ts';
import {
  STORED_ANSWERS,
  type StatisticsExclusionRow,
} from '../../../projections/tables/statistics-facts.ts';
import type { Db } from '../connection/database.ts';

/** A cell summed up by Postgres. Each rate has a tally `counted/not counted/unknown`. */
type CellRow = Omit<BirthCell, 'tallies' | 'attendantRole'> & {
  readonly practice_id?: string;
  readonly attendant: string | null;
  readonly attendant_role: Cell['attendantRole'];
} & Readonly<Record<string, unknown>>;

export const createStatisticsReads = (db: Db) => ({
  /** Cells of a practice, one per combination of everything that statistics group by. */
  loadPracticeCells: (async (practiceId, filter) => {
    const where = sql`fact.practice_id = ${practiceId} and ${matching(filter)}`;
    const [courses, births] = await Promise.all([
      loadCells(db, COURSE_RATES, {
        groupedBy: sql`fact.year, fact.month, fact.place, fact.source, fact.plurality`,
        counted: sql`count(*)::int as count`,
        where: sql`fact.is_course and ${where}`,
      }),
      loadCells(db, BIRTH_RATES, {
        groupedBy: sql`fact.year, fact.month, fact.place, fact.source, fact.plurality, fact.sex`,
        counted: sql`count(*)::int as count,
          count(*) filter (where fact.fetal_death)::int as "fetalDeaths"`,
        where: sql`fact.is_birth and ${where}`,
      }),
    ]);
    return { courses, births };
  }) satisfies LoadPracticeCells,

  /** Cells of all practices except one and sandboxes, with only the columns that benchmarks use. */
  loadBenchmarkCells: (async (butOf, filter) => {
    const where = sql`fact.practice_id in (
        select practice_id from read.practice where not sandbox and practice_id <> ${butOf}
      ) and ${matching(filter)}`;
    const shape = {
      groupedBy: sql`fact.practice_id, fact.place`,
      counted: sql`count(*)::int as count, 0 as "fetalDeaths", null as year, null as month,
        null as source, 0 as plurality, null as sex`,
    };
    const [courses, births, practices] = await Promise.all([
      loadCells(db, COURSE_RATES, {
        ...shape,
        where: sql`fact.is_course and ${where}`,
      }),
      loadCells(db, BIRTH_RATES, {
        ...shape,
        where: sql`fact.is_birth and ${where}`,
      }),
      db
        .selectFrom('read.practice')
        .select(({ fn }) => fn.countAll<string>().as('practices'))
        .where('sandbox', '=', false)
        .where('practice_id', '<>', butOf)
        .executeTakeFirstOrThrow(),
    ]);
    return { practices: Number(practices.practices), cells: { courses, births } };
  }) satisfies LoadBenchmarkCells,

  countExclusions: (async (practiceId) => {
    const rows = await db
      .selectFrom('read.statistics_exclusion')
      .select(({ fn }) => ['reason' as const, fn.countAll<string>().as('records')])
      .where('practice_id', '=', practiceId)
      .groupBy('reason')
      .execute();
    const of = (reason: StatisticsExclusionRow['reason']) =>
      Number(rows.find((row) => row.reason === reason)?.records ?? 0);
    return {
      voided: of('voided'),
      sandbox: of('sandbox'),
      attendantOther: of('attendant_other'),
    };
  }) satisfies CountExclusions,

  /** Years in which a practice has dated births, newest first. One index lookup per year. */
  async findYears(practiceId: string): Promise<readonly number[]> {
    const next = (before: RawBuilder<unknown>) =>
      sql`select max(year)::int from read.statistics_fact
        where practice_id = ${practiceId} and ${before}`;
    const { rows } = await sql<{ year: number }>`
      with recursive found (year) as (
        (${next(sql`true`)})
        union all
        select (${next(sql`statistics_fact.year < found.year`)}) from found where found.year is not null
      )
      select year from found where year is not null`.execute(db);
    return rows.map(({ year }) => year);
  },

  /** Finds the records behind a figure, from the facts that it sums up. */
  findCounted: (async (practiceId, filter, figure, { skip, most }) => {
    const from = sql`
      from read.statistics_fact fact
      where fact.practice_id = ${practiceId} and ${matching(filter)} and ${counting(figure)}`;
    const [lines, counted] = await Promise.all([
      sql<CountedOne>`
        select fact.submission_uuid as "submissionUuid",
          ${isOfBirths(figure) ? sql`fact.part + 1` : sql`null::int`} as child
        ${from}
        order by fact.year desc nulls last, fact.month desc nulls last, fact.submission_uuid, fact.part
        limit ${most} offset ${skip}`.execute(db),
      sql<{ found: number }>`select count(*)::int as found ${from}`.execute(db),
    ]);
    return { counted: lines.rows, found: counted.rows[0]?.found ?? 0 };
  }) satisfies FindCounted,
});

// Attribution follows the merge map, even before a merge has repointed the record.
const ROLE_OF_ATTENDANT = sql`
  select survivor.role from read.provider named
  join read.provider survivor on survivor.provider_id = named.survivor_id`;

const matching = ({ year, month, place, attendantRole }: CellFilter): RawBuilder<unknown> =>
  sql.join(
    [
      sql`true`,
      ...(year === null ? [] : [sql`fact.year = ${year}`]),
      ...(month === null ? [] : [sql`fact.month = ${month}`]),
      ...(place === null ? [] : [sql`fact.place = ${place}`]),
      ...(attendantRole === null
        ? []
        : [
            sql`fact.attendant in (
              select named.provider_id from read.provider named
              join read.provider survivor on survivor.provider_id = named.survivor_id
              where survivor.role = ${attendantRole})`,
          ]),
    ],
    sql` and `,
  );

const counting = (figure: FigureQuery): RawBuilder<unknown> =>
  sql.join(
    [
      isOfBirths(figure) ? sql`fact.is_birth` : sql`fact.is_course`,
      buildCounted(figure.counts),
      inGroup(figure.group),
      datedAs(figure.dated),
    ],
    sql` and `,
  );

const buildCounted = (counts: FigureQuery['counts']): RawBuilder<unknown> => {
  if (counts === 'fetalDeaths') return sql`fact.fetal_death`;
  if (typeof counts === 'string') return sql`true`;
  const column = sql.id('fact', counts.rate.column);
  switch (counts.part) {
    case 'counted':
      return sql`${column} = ${STORED_ANSWERS.counted}`;
    case 'known':
      return sql`${column} in (${STORED_ANSWERS.counted}, ${STORED_ANSWERS.notCounted})`;
    case 'unknown':
      return sql`${column} = ${STORED_ANSWERS.unknown}`;
  }
};

const GROUP_COLUMNS = {
  place: sql`fact.place`,
  source: sql`fact.source`,
  sex: sql`fact.sex`,
  attendantRole: sql`(${ROLE_OF_ATTENDANT} where named.provider_id = fact.attendant)`,
  plurality: sql`case when fact.plurality <= 1 then ${formatPlurality(1)}
    when fact.plurality = 2 then ${formatPlurality(2)} else ${formatPlurality(3)} end`,
};

const inGroup = (group: FigureQuery['group']): RawBuilder<unknown> =>
  group === null
    ? sql`true`
    : sql`coalesce(${GROUP_COLUMNS[group.by]}, ${UNKNOWN}) = ${group.name}`;

const datedAs = (dated: FigureQuery['dated']): RawBuilder<unknown> => {
  switch (dated.kind) {
    case 'any':
      return sql`true`;
    case 'undated':
      return sql`fact.year is null`;
    case 'year-only':
      return sql`fact.year is not null and fact.month is null`;
    case 'within': {
      const { year, months } = dated.period;
      if (months === null) return sql`fact.year = ${year}`;
      return sql`fact.year = ${year} and fact.month between ${months[0]} and ${months[1]}`;
    }
    case 'outside': {
      const { from, to } = dated.span;
      return sql`fact.year is not null and not case when fact.month is null
        then fact.year between ${parseYear(from)} and ${parseYear(to)}
        else ${MONTH_NUMBER} between ${parseMonth(from)} and ${parseMonth(to)} end`;
    }
  }
};

const MONTH_NUMBER = sql`fact.year * 12 + fact.month - 1`;

const parseYear = (month: string): number => Number(month.slice(0, 4));

const loadCells = async (
  db: Db,
  rates: readonly RateDefinition[],
  query: {
    readonly groupedBy: RawBuilder<unknown>;
    readonly counted: RawBuilder<unknown>;
    readonly where: RawBuilder<unknown>;
  },
): Promise<readonly (BirthCell & ContributedCell)[]> => {
  const tallies = sql.join(
    rates.map(
      ({ name, column }) => sql`
        ${countedAs(column, 'counted')} || '/' || ${countedAs(column, 'notCounted')} || '/' ||
          ${countedAs(column, 'unknown')} as ${sql.id(name)}`,
    ),
  );
  // With a role per fact, Postgres would expect one cell per fact and sort them all.
  const { rows } = await sql<CellRow>`
    select cell.*, (${ROLE_OF_ATTENDANT} where named.provider_id = cell.attendant) as attendant_role
    from (
      select ${query.groupedBy}, fact.attendant, ${query.counted}, ${tallies}
      from read.statistics_fact fact
      where ${query.where}
      group by ${query.groupedBy}, fact.attendant
    ) cell`.execute(db);
  return rows.map(
    ({ practice_id: practiceId = '', attendant_role: attendantRole, attendant: _, ...row }) => ({
      ...row,
      practiceId,
      attendantRole,
      tallies: Object.fromEntries(rates.map(({ name }) => [name, parseTally(row[name])] as const)),
    }),
  );
};

const countedAs = (column: string, answer: keyof typeof STORED_ANSWERS): RawBuilder<unknown> =>
  sql`count(*) filter (where ${sql.id(column)} = ${sql.lit(STORED_ANSWERS[answer])})`;

const parseTally = (text: unknown): WholeTally => {
  const [numerator = 0, notCounted = 0, unknown = 0] = String(text).split('/').map(Number);
  return { numerator, denominator: numerator + notCounted, unknown };
};
