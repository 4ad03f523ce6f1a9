import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { UnusualMark } from '../../../domain/access-log/unusual.ts';
import {
  type AccessCount,
  type AccessEntry,
  type AccessQuery,
  canShowChartNumbers,
  TYPES_OF_KIND,
} from '../../../projections/lists/access.ts';
import type { NamedPerson } from '../../../projections/lists/people-names.ts';
import type { ListSlice } from '../../../projections/lists/records.ts';
import type { CamelRow } from '../../../projections/read-model.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { findPersonByAccount, findPersonByActor } from './people-names.ts';
import { findUnusualMarks, findUnusualMarksSince } from './unusual-access.ts';

/** Entries are counted up to this limit. */
const MAX_COUNTED = 10_000;

type Row = Omit<CamelRow<'access_entry'>, 'practiceId' | 'prefillIds'> & {
  /** Timestamp with microseconds, which a `Date` would lose. */
  readonly moment: string;
  readonly person: NamedPerson | null;
  readonly account: NamedPerson | null;
  readonly keyName: string | null;
};

const KEY_NAME = sql<string | null>`
  (select coalesce(partner.name || ': ', '') || coalesce(key.name, key.key_id)
    from read.api_key key left join read.partner partner using (partner_id)
    where key.key_id = entry.actor ->> 'id')`;

export const createAccessLogReads = (db: Db) => ({
  async findAccess(practiceId: string | null, query: AccessQuery, slice: ListSlice) {
    const queryConditions = await buildConditions(db, practiceId, query);
    const marks = await findMatchingMarks(db, practiceId, query, queryConditions);
    const conditions = withMark(queryConditions, marks);
    const [{ entries }, found] = await Promise.all([
      readEntries(db, practiceId, conditions, marks, slice),
      countEntries(db, conditions, MAX_COUNTED + 1),
    ]);
    return { entries, found: Math.min(found, MAX_COUNTED), isMore: found > MAX_COUNTED };
  },

  /** Reads all matching entries in parts, as of the time of the call. */
  async readAccess(
    practiceId: string | null,
    query: AccessQuery,
  ): Promise<{
    readonly count: number;
    readonly parts: () => AsyncIterable<readonly AccessEntry[]>;
  }> {
    const queryConditions = await buildConditions(db, practiceId, query);
    const marks = await findMatchingMarks(db, practiceId, query, queryConditions);
    const { position } = await db
      .selectFrom('read.checkpoint')
      .select('position')
      .executeTakeFirstOrThrow();
    const until = sql<SqlBool>`entry.position <= ${position}`;
    const conditions = [...withMark(queryConditions, marks), until];
    return {
      count: await countEntries(db, conditions, null),
      async *parts() {
        let after: readonly RawBuilder<SqlBool>[] = [];
        for (;;) {
          const part = { skip: 0, most: PART };
          const read = await readEntries(db, practiceId, [...conditions, ...after], marks, part);
          if (read.entries.length > 0) yield read.entries;
          const { last } = read;
          if (last === undefined || read.entries.length < PART) return;
          after = [
            sql<SqlBool>`(entry.at, entry.position, entry.entry_id)
              < (${last.moment}::timestamptz, ${last.position}::bigint, ${last.entryId})`,
          ];
        }
      },
    };
  },

  async countAccess(practiceId: string, record: string): Promise<readonly AccessCount[]> {
    const conditions = await buildConditions(db, practiceId, { person: null, record, kind: null });
    const { rows } = await sql<CountRow>`
      select entry.type, entry.place, entry.actor, ${KEY_NAME} as key_name,
        ${findPersonByActor('entry.actor', sql`${practiceId}::text`)} as person,
        count(*) as times, min(entry.at) as first, max(entry.at) as last
      from read.access_entry entry
      where ${sql.join(conditions, sql` and `)}
      group by entry.type, entry.place, entry.actor`.execute(withCamelCase(db));
    return rows.map(({ actor, person, times, ...count }) => ({
      ...count,
      by: toAccessor({ actor, person }),
      times: Number(times),
    }));
  },
});

/** Number of entries of a file that are read at once. */
const PART = 1_000;

type Marks = ReadonlyMap<string, readonly UnusualMark[]> | null;

/** Marks of all matching entries, or `null` if entries without a mark match as well. */
const findMatchingMarks = async (
  db: Db,
  practiceId: string | null,
  query: AccessQuery,
  queryConditions: readonly RawBuilder<SqlBool>[],
): Promise<Marks> =>
  query.onlyUnusual === true && practiceId !== null
    ? findAllMarks(db, practiceId, query, queryConditions)
    : null;

const withMark = (
  queryConditions: readonly RawBuilder<SqlBool>[],
  marks: Marks,
): readonly RawBuilder<SqlBool>[] =>
  marks === null
    ? queryConditions
    : [...queryConditions, sql<SqlBool>`entry.entry_id = any(${[...marks.keys()]}::text[])`];

/** @param most upper limit of the count; `null` means no limit */
const countEntries = async (
  db: Db,
  conditions: readonly RawBuilder<SqlBool>[],
  most: number | null,
): Promise<number> => {
  const { rows } = await sql<{ found: string }>`
    select count(*) as found from (
      select 1 from read.access_entry entry
      where ${sql.join([...conditions], sql` and `)} limit ${most}
    ) counted`.execute(db);
  return Number(rows[0]?.found ?? 0);
};

/** Entries, latest first. @returns also the row of the last one, as a cursor */
const readEntries = async (
  db: Db,
  practiceId: string | null,
  conditions: readonly RawBuilder<SqlBool>[],
  marks: Marks,
  { skip, most }: ListSlice,
) => {
  const { rows } = await sql<Row>`
    select entry.entry_id, entry.position, entry.type, entry.at, entry.at::text as moment, entry.actor, entry.account_id,
      entry.place, entry.detail, entry.exported, entry.row_count, entry.filters, entry.record_ids,
      ${findPersonByActor('entry.actor', sql.ref('entry.practice_id'))} as person,
      ${KEY_NAME} as key_name,
      ${findPersonByAccount(sql.ref('entry.account_id'), sql.ref('entry.practice_id'))} as account
    from read.access_entry entry
    where ${sql.join([...conditions], sql` and `)}
    order by entry.at desc, entry.position desc, entry.entry_id desc limit ${most} offset ${skip}`.execute(
    withCamelCase(db),
  );
  const [chartNumbers, unusual] = await Promise.all([
    loadChartNumbers(db, practiceId, rows),
    marks ??
      (practiceId === null
        ? new Map<string, readonly UnusualMark[]>()
        : findUnusualMarks(
            db,
            practiceId,
            rows.map(({ entryId }) => entryId),
          )),
  ]);
  return {
    entries: rows.map((row) => toEntry(row, chartNumbers, unusual.get(row.entryId) ?? [])),
    last: rows.at(-1),
  };
};

/** Default period in days for unusual access, because checking all of a long log is slow. */
const UNUSUAL_WITHIN_DAYS = 90;
const DAY_MS = 86_400_000;

const findAllMarks = async (
  db: Db,
  practiceId: string,
  { record, since = null }: AccessQuery,
  queryConditions: readonly RawBuilder<SqlBool>[],
) => {
  if (record === null)
    return findUnusualMarksSince(
      db,
      practiceId,
      since ?? new Date(Date.now() - UNUSUAL_WITHIN_DAYS * DAY_MS),
    );
  const { rows } = await sql<{ entry_id: string }>`
    select entry.entry_id from read.access_entry entry where ${sql.join([...queryConditions], sql` and `)}
    order by entry.at desc`.execute(db);
  return findUnusualMarks(
    db,
    practiceId,
    rows.map((row) => row.entry_id),
  );
};

type CountRow = Pick<Row, 'type' | 'place' | 'actor' | 'person' | 'keyName'> & {
  readonly times: string;
  readonly first: Date;
  readonly last: Date;
};

const buildConditions = async (
  db: Db,
  practiceId: string | null,
  { person, record, kind, since = null, until = null }: AccessQuery,
): Promise<readonly RawBuilder<SqlBool>[]> => {
  // A record lists its exports individually. All other queries list the exported file.
  const types = (kind === null ? [] : TYPES_OF_KIND[kind]).filter(
    (type) => record !== null || type !== 'RecordsExported',
  );
  return [
    record === null || practiceId === null
      ? buildPracticeCondition(practiceId)
      : await buildRecordCondition(db, practiceId, record),
    ...(person === null ? [] : [sql<SqlBool>`entry.account_id = ${person}`]),
    ...(since === null ? [] : [sql<SqlBool>`entry.at >= ${since}`]),
    ...(until === null ? [] : [sql<SqlBool>`entry.at < ${until}`]),
    ...(kind === null && record === null
      ? [sql<SqlBool>`entry.type <> all(array['ReceiptsRead', 'RecordsExported'])`]
      : []),
    ...(kind === null ? [] : [sql<SqlBool>`entry.type in (${sql.join([...types])})`]),
  ];
};

const buildPracticeCondition = (practiceId: string | null): RawBuilder<SqlBool> =>
  practiceId === null
    ? sql<SqlBool>`entry.practice_id is null`
    : sql<SqlBool>`entry.practice_id = ${practiceId}`;

/** Also entries of people who viewed its pre-fills before they were saved, even before sign-in. */
const buildRecordCondition = async (
  db: Db,
  practiceId: string,
  record: string,
): Promise<RawBuilder<SqlBool>> => {
  const named = sql<SqlBool>`(
    entry.practice_id = ${practiceId} and entry.record_ids @> ${JSON.stringify([record])}::jsonb)`;
  const { rows } = await sql<{ prefill_ids: readonly string[] }>`
    select entry.prefill_ids from read.access_entry entry
    where ${named} and entry.prefill_ids is not null`.execute(db);
  const seen = rows
    .flatMap(({ prefill_ids: ids }) => ids)
    .map(
      (prefillId) => sql<SqlBool>`(
        entry.prefill_ids @> ${JSON.stringify([prefillId])}::jsonb and entry.prefill_ids is not null
          and (entry.practice_id = ${practiceId} or entry.practice_id is null))`,
    );
  return sql<SqlBool>`(${sql.join([named, ...seen], sql` or `)})`;
};

const loadChartNumbers = async (
  db: Db,
  practiceId: string | null,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, string | null>> => {
  const ids = [
    ...new Set(
      rows.flatMap(({ place, recordIds }) =>
        recordIds !== null && canShowChartNumbers(place, recordIds.length) ? recordIds : [],
      ),
    ),
  ];
  if (practiceId === null || ids.length === 0) return new Map();
  const named = await db
    .selectFrom('read.record_listing')
    .select(['submission_uuid', 'chart_number'])
    .where('practice_id', '=', practiceId)
    .where(sql<boolean>`submission_uuid = any(${ids}::uuid[])`)
    .execute();
  return new Map(named.map((row) => [row.submission_uuid, row.chart_number]));
};

const toAccessor = ({ actor, person }: Pick<Row, 'actor' | 'person'>): AccessEntry['by'] => ({
  kind: actor.kind,
  id: actor.id,
  email: person?.email ?? null,
  name: person?.name ?? null,
});

/** Types of events done to an account, not by it. */
const ABOUT_ANOTHER: ReadonlySet<string> = new Set([
  'PasswordRefused',
  'SingleSignOnRefused',
  'SignInHeldBack',
  'SessionsEnded',
]);

const toEntry = (
  { moment: _, position: __, actor, person, account, rowCount, filters, recordIds, ...entry }: Row,
  chartNumbers: ReadonlyMap<string, string | null>,
  unusual: readonly UnusualMark[],
): AccessEntry => ({
  ...entry,
  by: toAccessor({ actor, person }),
  tried: ABOUT_ANOTHER.has(entry.type) ? account : null,
  rows: rowCount,
  filters: filters ?? [],
  records: (recordIds ?? []).map((submissionUuid) => ({
    submissionUuid,
    chartNumber: chartNumbers.get(submissionUuid) ?? null,
  })),
  unusual,
});
