import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

export interface ComparedRecord {
  readonly practiceId: string;
  readonly submissionUuid: string;
  readonly current: readonly string[];
  readonly made: readonly string[];
}

/** Two records that match by one set of fingerprints but not by the other. */
export interface PairDifference {
  /** `found`: only by the rules. `lost`: only by the stored fingerprints. */
  readonly kind: 'found' | 'lost';
  readonly one: string;
  readonly other: string;
}

/** Pairs that differ between the two sets, with the first examples of each kind. */
export interface PairDifferences {
  readonly found: number;
  readonly lost: number;
  readonly examples: readonly PairDifference[];
  /** Fingerprints that too many records share under the rules. Their pairs are not counted. */
  readonly tooCommon: number;
}

/** More would fill the disk that the service needs. */
const MAX_RECORDS_PER_FINGERPRINT = 50;

export const openPairs = async (db: Db) => {
  await sql`
    create temp table rehearsed_fingerprint (
      set_of text not null, practice_id text not null, fingerprint text not null, record uuid not null
    ) on commit preserve rows`.execute(db);
  return {
    async add(records: readonly ComparedRecord[]): Promise<void> {
      const rows = records.flatMap(({ practiceId, submissionUuid, current, made }) => [
        ...current.map((fingerprint) => ['held', practiceId, fingerprint, submissionUuid] as const),
        ...made.map((fingerprint) => ['made', practiceId, fingerprint, submissionUuid] as const),
      ]);
      await sql`
        insert into rehearsed_fingerprint
        select * from unnest(${rows.map(([set]) => set)}::text[],
          ${rows.map(([, practice]) => practice)}::text[],
          ${rows.map(([, , fingerprint]) => fingerprint)}::text[],
          ${rows.map(([, , , record]) => record)}::uuid[])`.execute(db);
    },

    async differences(schema: string, most: number): Promise<PairDifferences> {
      await sql`analyze rehearsed_fingerprint`.execute(db);
      await sql`
        create temp table rehearsed_common on commit preserve rows as
        select set_of, practice_id, fingerprint from rehearsed_fingerprint
        group by 1, 2, 3 having count(distinct record) > ${sql.lit(MAX_RECORDS_PER_FINGERPRINT)}`.execute(
        db,
      );
      const { rows: common } = await sql<{ found: string }>`
        select count(*) as found from rehearsed_common where set_of = 'made'`.execute(db);
      const { rows } = await sql<PairDifference & { readonly total: string }>`
        with pair as (
          select one.set_of, one.record as one, other.record as other
          from rehearsed_fingerprint one
          join rehearsed_fingerprint other using (set_of, practice_id, fingerprint)
          where one.record < other.record and not exists (
            select from rehearsed_common common
            where common.set_of = one.set_of and common.practice_id = one.practice_id
              and common.fingerprint = one.fingerprint)
          group by 1, 2, 3
        ),
        difference as (
          select case when held.one is null then 'found' else 'lost' end as kind, one, other
          from (select one, other from pair where set_of = 'held') held
          full join (select one, other from pair where set_of = 'made') made using (one, other)
          where (held.one is null or made.one is null) and not exists (
            select from ${sql.id(schema, 'duplicate_pair')} dismissed
            where dismissed.is_dismissed and (
              (dismissed.submission_uuid = one and dismissed.duplicate_of = other)
              or (dismissed.submission_uuid = other and dismissed.duplicate_of = one)))
        ),
        numbered as (
          select *, count(*) over (partition by kind) as total,
            row_number() over (partition by kind order by one, other) as number
          from difference
        )
        select kind, one, other, total from numbered where number <= ${most}
        order by kind, one, other`.execute(db);
      const getTotal = (kind: PairDifference['kind']) =>
        Number(rows.find((row) => row.kind === kind)?.total ?? 0);
      return {
        found: getTotal('found'),
        lost: getTotal('lost'),
        examples: rows.map(({ kind, one, other }) => ({ kind, one, other })),
        tooCommon: Number(common[0]?.found),
      };
    },
  };
};
