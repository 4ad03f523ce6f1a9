import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AccessEntryRow } from '../../../projections/access-entries.ts';
import {
  type AccessEntry,
  type AccessQuery,
  type FindAccess,
  namesRecords,
  TYPES_OF_KIND,
} from '../../../projections/access-entries.ts';
import type { NamedPerson } from '../../../projections/people-names.ts';
import type { Db } from '../connection/database.ts';
import { doerOf } from './api-keys.ts';
import { personOfAccount, personOfActor } from './people-names.ts';

/** More entries than these are counted no further. */
const MOST_COUNTED = 10_000;

type Row = AccessEntryRow & {
  readonly person: NamedPerson | null;
  readonly account: NamedPerson | null;
  readonly key_name: string | null;
};

/** Finds entries of the access log, and what the records that they name are called now. */
export const findAccessIn =
  (db: Db): FindAccess =>
  async (practiceId, query, { skip, most }) => {
    const where = sql.join(conditionsOf(practiceId, query), sql` and `);
    const [{ rows }, counted] = await Promise.all([
      sql<Row>`
        select entry.entry_id, entry.type, entry.at, entry.actor, entry.account_id, entry.place,
          entry.detail, entry.exported, entry.row_count, entry.filters, entry.record_ids,
          ${personOfActor('entry.actor', sql.ref('entry.practice_id'))} as person,
          (select coalesce(partner.name || ': ', '') || coalesce(key.name, key.key_id)
            from read.api_key key left join read.partner partner using (partner_id)
            where key.key_id = entry.actor ->> 'id') as key_name,
          ${personOfAccount(sql.ref('entry.account_id'), sql.ref('entry.practice_id'))} as account
        from read.access_entry entry
        where ${where}
        order by entry.at desc, entry.position desc, entry.entry_id limit ${most} offset ${skip}`.execute(
        db,
      ),
      sql<{ found: string }>`
        select count(*) as found from (
          select 1 from read.access_entry entry where ${where} limit ${MOST_COUNTED + 1}
        ) counted`.execute(db),
    ]);
    const chartNumbers = await chartNumbersOf(db, practiceId, rows);
    const found = Number(counted.rows[0]?.found ?? 0);
    return {
      entries: rows.map((row) => entryOf(row, chartNumbers)),
      found: Math.min(found, MOST_COUNTED),
      isMore: found > MOST_COUNTED,
    };
  };

const conditionsOf = (
  practiceId: string | null,
  { person, record, kind, since = null, until = null }: AccessQuery,
): readonly RawBuilder<SqlBool>[] => [
  practiceId === null
    ? sql<SqlBool>`entry.practice_id is null`
    : sql<SqlBool>`entry.practice_id = ${practiceId}`,
  ...(person === null ? [] : [sql<SqlBool>`entry.account_id = ${person}`]),
  ...(record === null
    ? []
    : [sql<SqlBool>`entry.record_ids @> ${JSON.stringify([record])}::jsonb`]),
  ...(since === null ? [] : [sql<SqlBool>`entry.at >= ${since}`]),
  ...(until === null ? [] : [sql<SqlBool>`entry.at < ${until}`]),
  ...(kind === null && record === null ? [sql<SqlBool>`entry.type <> 'ReceiptsRead'`] : []),
  ...(kind === null ? [] : [sql<SqlBool>`entry.type in (${sql.join([...TYPES_OF_KIND[kind]])})`]),
];

const chartNumbersOf = async (
  db: Db,
  practiceId: string | null,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, string | null>> => {
  const ids = [
    ...new Set(
      rows.flatMap(({ place, record_ids: recordIds }) =>
        recordIds !== null && namesRecords(place, recordIds.length) ? recordIds : [],
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

/** What was done to an account, not by it. */
const ABOUT_ANOTHER: ReadonlySet<string> = new Set([
  'PasswordRefused',
  'SignInHeldBack',
  'SessionsEnded',
]);

const entryOf = (row: Row, chartNumbers: ReadonlyMap<string, string | null>): AccessEntry => ({
  entryId: row.entry_id,
  type: row.type,
  at: row.at,
  by: { id: row.actor.id, ...doerOf(row.actor, row.person) },
  keyName: row.key_name,
  accountId: row.account_id,
  tried: ABOUT_ANOTHER.has(row.type) ? row.account : null,
  place: row.place,
  detail: row.detail,
  exported: row.exported,
  rows: row.row_count,
  filters: row.filters ?? [],
  records: (row.record_ids ?? []).map((submissionUuid) => ({
    submissionUuid,
    chartNumber: chartNumbers.get(submissionUuid) ?? null,
  })),
});
