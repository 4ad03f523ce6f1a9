import { type RawBuilder, sql } from 'kysely';
import {
  busyHours,
  hasFamilyName,
  ownFamilyWords,
  type UnusualMark,
  USUAL_DAYS,
} from '../../../domain/access-log/unusual.ts';
import type { RecordOpeningRow } from '../../../projections/access-entries.ts';
import {
  courseIn,
  type StatedBeside,
  type StoredCourse,
} from '../../../projections/stored-course.ts';
import type { Db } from '../connection/database.ts';

/** The marks of entries, by their ids; most entries have none. */
type UnusualMarks = ReadonlyMap<string, readonly UnusualMark[]>;

/** Which entries of a practice are looked at: some by their ids, or all. */
type LookedAt = readonly string[] | 'all';

/**
 * Finds unusual access of a practice. The tables tell who opened how many records in which hour, and whose family
 * name a record may have; the domain says what is unusual.
 */
export const unusualAccessIn = async (
  db: Db,
  practiceId: string,
  lookedAt: LookedAt,
): Promise<UnusualMarks> => {
  const openings = lookedAt === 'all' ? null : await openingsOf(db, practiceId, lookedAt);
  if (openings?.length === 0) return new Map();
  const marks = new Map<string, UnusualMark[]>();
  const mark = (entryId: string, one: UnusualMark): void => {
    const held = marks.get(entryId) ?? [];
    if (!held.includes(one)) marks.set(entryId, [...held, one]);
  };
  const [busy, namesakes] = await Promise.all([
    busyEntries(db, practiceId, openings),
    namesakeEntries(db, practiceId, openings),
  ]);
  for (const entryId of busy) mark(entryId, 'many-records');
  for (const entryId of namesakes) mark(entryId, 'own-family-name');
  return marks;
};

type Opening = Pick<RecordOpeningRow, 'entry_id' | 'actor_kind' | 'actor_id' | 'at'>;

const openingsOf = async (
  db: Db,
  practiceId: string,
  entryIds: readonly string[],
): Promise<readonly Opening[]> =>
  (
    await sql<Opening>`
      select distinct entry_id, actor_kind, actor_id, at from read.record_opening
      where practice_id = ${practiceId} and entry_id = any(${[...entryIds]}::text[])`.execute(db)
  ).rows;

const personOf = ({ actor_kind: kind, actor_id: id }: Pick<Opening, 'actor_kind' | 'actor_id'>) =>
  `${kind}:${id}`;

const idsIn = (openings: readonly Opening[]): string[] => [
  ...new Set(openings.map(({ actor_id: id }) => id)),
];

/** A record that the person entered does not count. */
const NOT_OWN = sql`not exists (
  select from read.entered_record own
  where own.record_id = opening.record_id and own.member_id = opening.actor_id)`;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The entries of busy hours. @param openings those that are asked for; null: all */
const busyEntries = async (
  db: Db,
  practiceId: string,
  openings: readonly Opening[] | null,
): Promise<readonly string[]> => {
  const moments = openings?.map(({ at }) => at.getTime()) ?? [];
  const asked: RawBuilder<unknown> =
    openings === null
      ? sql`true`
      : sql`opening.actor_id = any(${idsIn(openings)}::text[])
          and opening.at >= ${new Date(Math.min(...moments) - USUAL_DAYS * DAY_MS - HOUR_MS)}
          and opening.at < ${new Date(Math.max(...moments) + HOUR_MS)}`;
  const hours = await sql<Pick<Opening, 'actor_kind' | 'actor_id'> & HourRow>`
    select opening.actor_kind, opening.actor_id, date_trunc('hour', opening.at, 'UTC') as hour,
      count(distinct opening.record_id) as records
    from read.record_opening opening
    where opening.practice_id = ${practiceId} and ${asked} and ${NOT_OWN}
    group by 1, 2, 3`.execute(db);
  const busy = busyHours(
    hours.rows.map((row) => ({
      person: personOf(row),
      hour: row.hour,
      records: Number(row.records),
    })),
  );
  if (busy.length === 0) return [];
  const { rows } = await sql<Pick<Opening, 'entry_id'>>`
    select distinct opening.entry_id
    from unnest(${busy.map(({ person }) => person)}::text[], ${busy.map(({ hour }) => hour)}::timestamptz[])
      as busy (person, hour)
    join read.record_opening opening
      on opening.actor_id = substr(busy.person, strpos(busy.person, ':') + 1)
      and opening.actor_kind = split_part(busy.person, ':', 1)
      and opening.at >= busy.hour and opening.at < busy.hour + interval '1 hour'
    where opening.practice_id = ${practiceId} and ${NOT_OWN}`.execute(db);
  const found = rows.map(({ entry_id: entryId }) => entryId);
  if (openings === null) return found;
  const wanted = new Set(openings.map(({ entry_id: entryId }) => entryId));
  return found.filter((entryId) => wanted.has(entryId));
};

interface HourRow {
  readonly hour: Date;
  readonly records: string;
}

interface CalledRow {
  readonly actor_id: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** The entries of which the record has the family name of who opened it. */
const namesakeEntries = async (
  db: Db,
  practiceId: string,
  openings: readonly Opening[] | null,
): Promise<readonly string[]> => {
  // An account that has or had a seat, or the person that a command of the operator names.
  const members = await sql<CalledRow>`
    select member_id as actor_id, to_jsonb(member) ->> 'name' as name, email
    from read.member member
    where practice_id = ${practiceId}`.execute(db);
  const operators = await sql<CalledRow>`
    select distinct actor_id, actor_id as name, null as email
    from read.record_opening where practice_id = ${practiceId} and actor_kind = 'operator'`.execute(
    db,
  );
  const ids = openings === null ? null : new Set(idsIn(openings));
  const named = [...members.rows, ...operators.rows]
    .map((row) => ({ actorId: row.actor_id, words: ownFamilyWords(row) }))
    .filter(({ actorId, words }) => words.length > 0 && (ids?.has(actorId) ?? true));
  const found = await Promise.all(
    named.map(async ({ actorId, words }) => {
      const asked: RawBuilder<unknown> =
        openings === null
          ? sql`true`
          : sql`opening.entry_id = any(${openings.map((one) => one.entry_id)}::text[])`;
      const { rows } = await sql<Pick<Opening, 'entry_id'> & StatedBeside & StoredRow>`
        select opening.entry_id, record.chart_number, record.stamp, record.course
        from read.record_opening opening
        join read.birth_record record on record.submission_uuid = opening.record_id
        where opening.practice_id = ${practiceId} and opening.actor_id = ${actorId} and ${asked}
          and record.words @@ ${words.map((word) => `'${word}'`).join(' | ')}::tsquery`.execute(db);
      return rows.filter((row) => {
        const { mother, children } = courseIn(row);
        return hasFamilyName(words, [
          mother.family_name,
          mother.birth_surname,
          ...children.map((child) => child.family_name),
        ]);
      });
    }),
  );
  return found.flat().map(({ entry_id: entryId }) => entryId);
};

interface StoredRow {
  readonly course: StoredCourse;
}
