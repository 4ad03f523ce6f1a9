import { type RawBuilder, sql } from 'kysely';
import {
  BIRTH_RATES,
  COURSE_RATES,
  type RateDefinition,
} from '../../../domain/statistics/definitions.ts';
import type {
  BirthCell,
  Cell,
  CellFilter,
  ContributedCell,
  CountExclusions,
  LoadBenchmarkCells,
  LoadPracticeCells,
  Tally,
} from '../../../domain/statistics/ports.ts';
import type { StatisticsExclusionRow } from '../../../projections/statistics-exclusions.ts';
import type { Db } from '../connection/database.ts';

/** A mistyped date of long ago shall not make a list of a thousand years. */
const MOST_YEARS = 60;

/** A cell as Postgres adds it up; each rate's column holds its tally as `numerator/denominator`. */
type CellRow = Omit<BirthCell, 'tallies' | 'attendantRole'> & {
  readonly practice_id?: string;
  readonly attendant_role: Cell['attendantRole'];
} & Readonly<Record<string, unknown>>;

/** Cells of one practice, told apart by everything that its figures go by. */
export const loadPracticeCellsFrom =
  (db: Db): LoadPracticeCells =>
  async (practiceId, filter) => {
    const where = sql`fact.practice_id = ${practiceId} and ${matching(filter)}`;
    const [courses, births] = await Promise.all([
      cellsOf(db, COURSE_RATES, {
        told: sql`fact.year, fact.month, fact.place, fact.source, fact.plurality`,
        counted: sql`count(*)::int as count`,
        where: sql`fact.is_course and ${where}`,
      }),
      cellsOf(db, BIRTH_RATES, {
        told: sql`fact.year, fact.month, fact.place, fact.source, fact.plurality, fact.sex`,
        counted: sql`count(*)::int as count,
          count(*) filter (where fact.fetal_death)::int as "fetalDeaths"`,
        where: sql`fact.is_birth and ${where}`,
      }),
    ]);
    return { courses, births };
  };

/** Cells of all practices but one and sandboxes; with only the columns that benchmarks go by. */
export const loadBenchmarkCellsFrom =
  (db: Db): LoadBenchmarkCells =>
  async (butOf, filter) => {
    const where = sql`fact.practice_id in (
        select practice_id from read.practice where not sandbox and practice_id <> ${butOf}
      ) and ${matching(filter)}`;
    const shape = {
      told: sql`fact.practice_id, fact.place`,
      counted: sql`count(*)::int as count, 0 as "fetalDeaths", null as year, null as month,
        null as source, 0 as plurality, null as sex`,
    };
    const [courses, births, practices] = await Promise.all([
      cellsOf(db, COURSE_RATES, {
        ...shape,
        where: sql`fact.is_course and ${where}`,
      }),
      cellsOf(db, BIRTH_RATES, {
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
  };

/** Counts what the view of exclusions holds for a practice. */
export const countExclusionsIn =
  (db: Db): CountExclusions =>
  async (practiceId) => {
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
  };

/** Finds the years that a practice has dated births of, newest first; the index knows both ends. */
export const findYearsIn =
  (db: Db) =>
  async (practiceId: string): Promise<readonly number[]> => {
    const { first, last } = await db
      .selectFrom('read.statistics_fact')
      .select(({ fn }) => [fn.min('year').as('first'), fn.max('year').as('last')])
      .where('practice_id', '=', practiceId)
      .executeTakeFirstOrThrow();
    if (first === null || last === null) return [];
    const years = Math.min(last - first + 1, MOST_YEARS);
    return Array.from({ length: years }, (_, index) => last - index);
  };

// Attribution follows the merge map: the survivor's role counts, also before a merge has come to
// the record itself.
const ATTENDANT = sql`
  left join read.provider named on named.provider_id = fact.attendant
  left join read.provider attendant on attendant.provider_id = named.survivor_id`;

const matching = ({ year, month, place, attendantRole }: CellFilter): RawBuilder<unknown> =>
  sql.join(
    [
      sql`true`,
      ...(year === null ? [] : [sql`fact.year = ${year}`]),
      ...(month === null ? [] : [sql`fact.month = ${month}`]),
      ...(place === null ? [] : [sql`fact.place = ${place}`]),
      ...(attendantRole === null ? [] : [sql`attendant.role = ${attendantRole}`]),
    ],
    sql` and `,
  );

const cellsOf = async (
  db: Db,
  rates: readonly RateDefinition[],
  query: {
    readonly told: RawBuilder<unknown>;
    readonly counted: RawBuilder<unknown>;
    readonly where: RawBuilder<unknown>;
  },
): Promise<readonly (BirthCell & ContributedCell)[]> => {
  const tallies = sql.join(
    rates.map(
      ({ name, column }) => sql`
        count(*) filter (where ${sql.id(column)})::int || '/' || count(${sql.id(column)}) as ${sql.id(name)}`,
    ),
  );
  const { rows } = await sql<CellRow>`
    select ${query.told}, attendant.role as attendant_role, ${query.counted}, ${tallies}
    from read.statistics_fact fact ${ATTENDANT}
    where ${query.where}
    group by ${query.told}, attendant.role`.execute(db);
  return rows.map(({ practice_id: practiceId = '', attendant_role: attendantRole, ...row }) => ({
    ...row,
    practiceId,
    attendantRole,
    tallies: Object.fromEntries(rates.map(({ name }) => [name, tallyOf(row[name])] as const)),
  }));
};

const tallyOf = (text: unknown): Tally => {
  const [numerator = 0, denominator = 0] = String(text).split('/').map(Number);
  return { numerator, denominator };
};
