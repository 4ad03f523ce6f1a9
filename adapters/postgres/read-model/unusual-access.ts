import { type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  findBusyHours,
  findOwnFamilyWords,
  hasFamilyName,
  MAX_PER_HOUR,
  MIN_RECORDS_TO_COMPARE,
  type OpenedInHour,
  type PersonCalled,
  type UnusualMark,
  USUAL_DAYS,
} from '../../../domain/access-log/unusual.ts';
import type { ReadRows } from '../../../projections/read-model.ts';
import {
  type CourseColumns,
  decodeCourse,
  type StoredCourse,
} from '../../../projections/tables/course-codec.ts';
import type { Db } from '../connection/database.ts';

/** Marks by entry id. Most entries have none. */
type UnusualMarks = ReadonlyMap<string, readonly UnusualMark[]>;

export const findUnusualMarks = async (
  db: Db,
  practiceId: string,
  entryIds: readonly string[],
): Promise<UnusualMarks> => {
  const openings = await loadOpenings(
    db,
    practiceId,
    sql`opening.entry_id = any(${[...entryIds]}::text[])`,
  );
  if (openings.length === 0) return new Map();
  const hours = new Map(
    openings.filter((one) => !one.is_own).map((one) => [buildHourKey(one), one] as const),
  );
  const [busy, people, familyNames] = await Promise.all([
    findBusyKeys(db, practiceId, [...hours.values()]),
    loadPeopleFamilyNames(db, practiceId, openings),
    loadRecordFamilyNames(db, openings),
  ]);
  return buildMarks(
    openings.filter((one) => !one.is_own && busy.has(buildHourKey(one))),
    openings.filter((one) =>
      hasFamilyName(people.get(buildPersonKey(one)) ?? [], familyNames.get(one.record_id) ?? []),
    ),
  );
};

/** All marks of a practice. @param since earliest time to check */
export const findUnusualMarksSince = async (
  db: Db,
  practiceId: string,
  since: Date,
): Promise<UnusualMarks> => {
  const [busy, namesakes] = await Promise.all([
    findBusyOpenings(db, practiceId, since),
    findNamesakeOpenings(db, practiceId, since),
  ]);
  return buildMarks(busy, namesakes);
};

const buildMarks = (
  busy: readonly Pick<Opening, 'entry_id'>[],
  namesakes: readonly Pick<Opening, 'entry_id'>[],
): UnusualMarks => {
  const marks = new Map<string, UnusualMark[]>(
    busy.map(({ entry_id: entryId }) => [entryId, ['many-records']]),
  );
  for (const { entry_id: entryId } of namesakes) {
    const entryMarks = marks.get(entryId) ?? [];
    if (!entryMarks.includes('own-family-name'))
      marks.set(entryId, [...entryMarks, 'own-family-name']);
  }
  return marks;
};

type Actor = Pick<ReadRows['read.record_opening'], 'actor_kind' | 'actor_id'>;

/** A person and a clock hour. */
interface ActorHour extends Actor {
  readonly hour: Date;
}

interface Opening
  extends ActorHour,
    Pick<ReadRows['read.record_opening'], 'entry_id' | 'record_id'> {
  /** True if the person entered the record. */
  readonly is_own: boolean;
}

const buildPersonKey = ({ actor_kind: kind, actor_id: id }: Actor): string => `${kind}:${id}`;

const buildHourKey = (one: ActorHour): string => `${buildPersonKey(one)} ${one.hour.getTime()}`;

const HOUR = sql`date_trunc('hour', opening.at, 'UTC')`;

const IS_OWN = sql<SqlBool>`exists (
  select from read.entered_record own
  where own.record_id = opening.record_id and own.member_id = opening.actor_id)`;

const loadOpenings = async (
  db: Db,
  practiceId: string,
  condition: RawBuilder<unknown>,
): Promise<readonly Opening[]> =>
  (
    await sql<Opening>`
      select opening.entry_id, opening.record_id, opening.actor_kind, opening.actor_id,
        ${HOUR} as hour, ${IS_OWN} as is_own
      from read.record_opening opening
      where opening.practice_id = ${practiceId} and ${condition}`.execute(db)
  ).rows;

const asTable = (hours: readonly ActorHour[]): RawBuilder<unknown> => sql`
  unnest(${hours.map((one) => one.actor_kind)}::text[], ${hours.map((one) => one.actor_id)}::text[],
    ${hours.map(({ hour }) => hour)}::timestamptz[]) as asked (actor_kind, actor_id, hour)`;

const IS_IN_HOUR = sql<SqlBool>`opening.actor_id = asked.actor_id
  and opening.actor_kind = asked.actor_kind
  and opening.at >= asked.hour and opening.at < asked.hour + interval '1 hour'`;

const DAY_MS = 86_400_000;

const findBusyKeys = async (
  db: Db,
  practiceId: string,
  hours: readonly ActorHour[],
): Promise<ReadonlySet<string>> => {
  if (hours.length === 0) return new Set();
  const { rows } = await sql<CountedRow>`
    select asked.actor_kind, asked.actor_id, asked.hour, counted.records
    from ${asTable(hours)}
    cross join lateral (
      select count(distinct opening.record_id) as records from read.record_opening opening
      where opening.practice_id = ${practiceId} and ${IS_IN_HOUR} and not ${IS_OWN}) counted
    where counted.records >= ${MIN_RECORDS_TO_COMPARE}`.execute(db);
  // Only these need a comparison with the person's usual number.
  const doubtful = rows.filter(({ records }) => Number(records) <= MAX_PER_HOUR);
  const usual = doubtful.length === 0 ? [] : await countEarlierHours(db, practiceId, doubtful);
  const known = new Map([...usual, ...rows].map((row) => [buildHourKey(row), row] as const));
  const busy = findBusyHours([...known.values()].map(toOpenedInHour));
  return new Set(busy.map(({ person, hour }) => `${person} ${hour.getTime()}`));
};

type CountedRow = ActorHour & { readonly records: string };

const toOpenedInHour = (row: CountedRow): OpenedInHour => ({
  person: buildPersonKey(row),
  hour: row.hour,
  records: Number(row.records),
});

/** Number of records that these people opened before, by hour. */
const countEarlierHours = async (
  db: Db,
  practiceId: string,
  hours: readonly ActorHour[],
): Promise<readonly CountedRow[]> => {
  const moments = hours.map(({ hour }) => hour.getTime());
  const { rows } = await sql<CountedRow>`
    select opening.actor_kind, opening.actor_id, ${HOUR} as hour,
      count(distinct opening.record_id) as records
    from read.record_opening opening
    where opening.practice_id = ${practiceId}
      and opening.actor_id = any(${[...new Set(hours.map((one) => one.actor_id))]}::text[])
      and opening.at >= ${new Date(Math.min(...moments) - USUAL_DAYS * DAY_MS)}
      and opening.at < ${new Date(Math.max(...moments))} and not ${IS_OWN}
    group by 1, 2, 3`.execute(db);
  return rows;
};

const findBusyOpenings = async (
  db: Db,
  practiceId: string,
  since: Date,
): Promise<readonly Opening[]> => {
  const { rows } = await sql<ActorHour>`
    select opening.actor_kind, opening.actor_id, ${HOUR} as hour
    from read.record_opening opening
    where opening.practice_id = ${practiceId} and opening.at >= date_trunc('hour', ${since}::timestamptz, 'UTC')
    group by 1, 2, 3 having count(*) >= ${MIN_RECORDS_TO_COMPARE}`.execute(db);
  const keys = await findBusyKeys(db, practiceId, rows);
  const busy = rows.filter((row) => keys.has(buildHourKey(row)));
  if (busy.length === 0) return [];
  return loadOpenings(
    db,
    practiceId,
    sql`not ${IS_OWN} and exists (select from ${asTable(busy)} where ${IS_IN_HOUR})`,
  );
};

type CalledRow = Actor & PersonCalled;

/** Words of the family name by person, if known. */
const loadPeopleFamilyNames = async (
  db: Db,
  practiceId: string,
  people: readonly Actor[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const members = await sql<CalledRow>`
    select 'member' as actor_kind, member_id as actor_id, to_jsonb(member) ->> 'name' as name, email
    from read.member member
    where practice_id = ${practiceId}`.execute(db);
  // The id of an operator is the person's name.
  const operators = people
    .filter(({ actor_kind: kind }) => kind === 'operator')
    .map((one) => ({ ...one, name: one.actor_id, email: null }));
  return new Map(
    [...members.rows, ...operators]
      .map((row) => [buildPersonKey(row), findOwnFamilyWords(row)] as const)
      .filter(([, words]) => words.length > 0),
  );
};

type NamedRow = CourseColumns & { readonly course: StoredCourse };

const listFamilyNames = (row: NamedRow): readonly (string | null)[] => {
  const { mother, children } = decodeCourse(row);
  return [mother, ...children]
    .map(({ family_name: name }) => name)
    .concat(mother.birth_surname ?? null);
};

/** Family names in the opened records, by record id. */
const loadRecordFamilyNames = async (
  db: Db,
  openings: readonly Opening[],
): Promise<ReadonlyMap<string, readonly (string | null)[]>> => {
  const ids = [...new Set(openings.map((one) => one.record_id))];
  const { rows } = await sql<NamedRow & { readonly submission_uuid: string }>`
    select submission_uuid, chart_number, stamp, course from read.birth_record
    where submission_uuid = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.submission_uuid, listFamilyNames(row)]));
};

/** Openings of records of the same family name, by the word index. */
const findNamesakeOpenings = async (
  db: Db,
  practiceId: string,
  since: Date,
): Promise<readonly Pick<Opening, 'entry_id'>[]> => {
  const operators = await sql<Actor>`
    select distinct actor_kind, actor_id from read.record_opening
    where practice_id = ${practiceId} and actor_kind = 'operator'`.execute(db);
  const people = await loadPeopleFamilyNames(db, practiceId, operators.rows);
  const found = await Promise.all(
    [...people].map(async ([person, words]) => {
      const { rows } = await sql<Actor & NamedRow & Pick<Opening, 'entry_id'>>`
        select opening.entry_id, opening.actor_kind, opening.actor_id,
          record.chart_number, record.stamp, record.course
        from read.record_opening opening
        join read.birth_record record on record.submission_uuid = opening.record_id
        where opening.practice_id = ${practiceId} and opening.at >= ${since}
          and opening.actor_id = ${person.slice(person.indexOf(':') + 1)}
          and record.words @@ ${words.map((word) => `'${word}'`).join(' | ')}::tsquery`.execute(db);
      return rows.filter(
        (row) => buildPersonKey(row) === person && hasFamilyName(words, listFamilyNames(row)),
      );
    }),
  );
  return found.flat();
};
