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
  const openings = await openingsWhere(
    db,
    practiceId,
    sql`opening.entry_id = any(${[...entryIds]}::text[])`,
  );
  if (openings.length === 0) return new Map();
  const hours = new Map(
    openings.filter((one) => !one.is_own).map((one) => [hourKey(one), one] as const),
  );
  const [busy, people, familyNames] = await Promise.all([
    busyKeysAmong(db, practiceId, [...hours.values()]),
    peopleWithFamilyName(db, practiceId, openings),
    familyNamesOf(db, openings),
  ]);
  return marked(
    openings.filter((one) => !one.is_own && busy.has(hourKey(one))),
    openings.filter((one) =>
      hasFamilyName(people.get(personOf(one)) ?? [], familyNames.get(one.record_id) ?? []),
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
    busyOpenings(db, practiceId, since),
    namesakeOpenings(db, practiceId, since),
  ]);
  return marked(busy, namesakes);
};

const marked = (
  busy: readonly Pick<Opening, 'entry_id'>[],
  namesakes: readonly Pick<Opening, 'entry_id'>[],
): UnusualMarks => {
  const marks = new Map<string, UnusualMark[]>(
    busy.map(({ entry_id: entryId }) => [entryId, ['many-records']]),
  );
  for (const { entry_id: entryId } of namesakes) {
    const held = marks.get(entryId) ?? [];
    if (!held.includes('own-family-name')) marks.set(entryId, [...held, 'own-family-name']);
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

const personOf = ({ actor_kind: kind, actor_id: id }: Actor): string => `${kind}:${id}`;

const hourKey = (one: ActorHour): string => `${personOf(one)} ${one.hour.getTime()}`;

const HOUR = sql`date_trunc('hour', opening.at, 'UTC')`;

const IS_OWN = sql<SqlBool>`exists (
  select from read.entered_record own
  where own.record_id = opening.record_id and own.member_id = opening.actor_id)`;

const openingsWhere = async (
  db: Db,
  practiceId: string,
  asked: RawBuilder<unknown>,
): Promise<readonly Opening[]> =>
  (
    await sql<Opening>`
      select opening.entry_id, opening.record_id, opening.actor_kind, opening.actor_id,
        ${HOUR} as hour, ${IS_OWN} as is_own
      from read.record_opening opening
      where opening.practice_id = ${practiceId} and ${asked}`.execute(db)
  ).rows;

const asTable = (hours: readonly ActorHour[]): RawBuilder<unknown> => sql`
  unnest(${hours.map((one) => one.actor_kind)}::text[], ${hours.map((one) => one.actor_id)}::text[],
    ${hours.map(({ hour }) => hour)}::timestamptz[]) as asked (actor_kind, actor_id, hour)`;

const IS_ASKED = sql<SqlBool>`opening.actor_id = asked.actor_id
  and opening.actor_kind = asked.actor_kind
  and opening.at >= asked.hour and opening.at < asked.hour + interval '1 hour'`;

const DAY_MS = 86_400_000;

const busyKeysAmong = async (
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
      where opening.practice_id = ${practiceId} and ${IS_ASKED} and not ${IS_OWN}) counted
    where counted.records >= ${MIN_RECORDS_TO_COMPARE}`.execute(db);
  // Only these need a comparison with the person's usual number.
  const doubtful = rows.filter(({ records }) => Number(records) <= MAX_PER_HOUR);
  const usual = doubtful.length === 0 ? [] : await hoursBefore(db, practiceId, doubtful);
  const known = new Map([...usual, ...rows].map((row) => [hourKey(row), row] as const));
  const busy = findBusyHours([...known.values()].map(opened));
  return new Set(busy.map(({ person, hour }) => `${person} ${hour.getTime()}`));
};

type CountedRow = ActorHour & { readonly records: string };

const opened = (row: CountedRow): OpenedInHour => ({
  person: personOf(row),
  hour: row.hour,
  records: Number(row.records),
});

/** Number of records that these people opened before, by hour. */
const hoursBefore = async (
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

const busyOpenings = async (
  db: Db,
  practiceId: string,
  since: Date,
): Promise<readonly Opening[]> => {
  const { rows } = await sql<ActorHour>`
    select opening.actor_kind, opening.actor_id, ${HOUR} as hour
    from read.record_opening opening
    where opening.practice_id = ${practiceId} and opening.at >= date_trunc('hour', ${since}::timestamptz, 'UTC')
    group by 1, 2, 3 having count(*) >= ${MIN_RECORDS_TO_COMPARE}`.execute(db);
  const keys = await busyKeysAmong(db, practiceId, rows);
  const busy = rows.filter((row) => keys.has(hourKey(row)));
  if (busy.length === 0) return [];
  return openingsWhere(
    db,
    practiceId,
    sql`not ${IS_OWN} and exists (select from ${asTable(busy)} where ${IS_ASKED})`,
  );
};

type CalledRow = Actor & PersonCalled;

/** Words of the family name by person, if known. */
const peopleWithFamilyName = async (
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
      .map((row) => [personOf(row), findOwnFamilyWords(row)] as const)
      .filter(([, words]) => words.length > 0),
  );
};

type NamedRow = CourseColumns & { readonly course: StoredCourse };

const familyNamesIn = (row: NamedRow): readonly (string | null)[] => {
  const { mother, children } = decodeCourse(row);
  return [mother, ...children]
    .map(({ family_name: name }) => name)
    .concat(mother.birth_surname ?? null);
};

/** Family names in the opened records, by record id. */
const familyNamesOf = async (
  db: Db,
  openings: readonly Opening[],
): Promise<ReadonlyMap<string, readonly (string | null)[]>> => {
  const ids = [...new Set(openings.map((one) => one.record_id))];
  const { rows } = await sql<NamedRow & { readonly submission_uuid: string }>`
    select submission_uuid, chart_number, stamp, course from read.birth_record
    where submission_uuid = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.submission_uuid, familyNamesIn(row)]));
};

/** Openings of records of the same family name, by the word index. */
const namesakeOpenings = async (
  db: Db,
  practiceId: string,
  since: Date,
): Promise<readonly Pick<Opening, 'entry_id'>[]> => {
  const operators = await sql<Actor>`
    select distinct actor_kind, actor_id from read.record_opening
    where practice_id = ${practiceId} and actor_kind = 'operator'`.execute(db);
  const people = await peopleWithFamilyName(db, practiceId, operators.rows);
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
        (row) => personOf(row) === person && hasFamilyName(words, familyNamesIn(row)),
      );
    }),
  );
  return found.flat();
};
