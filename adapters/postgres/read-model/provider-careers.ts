import { sql } from 'kysely';
import type { AttributedPart } from '../../../domain/provider/details.ts';
import type {
  CareerLine,
  CareerPart,
  MergeReach,
  PartCounts,
  ShownProvider,
} from '../../../projections/lists/providers.ts';
import type { Db } from '../connection/database.ts';
import { selectCareerParts } from './providers.ts';

/** Providers of a practice with their partners. */
export const createFindProviders =
  (db: Db) =>
  async (practiceId: string): Promise<readonly ShownProvider[]> => {
    const rows = await db
      .selectFrom('read.provider as provider')
      .leftJoin('read.partner as partner', 'partner.partner_id', 'provider.partner_id')
      .select(['provider.provider_id', 'provider.partner_id', 'provider.identity', 'provider.npi'])
      .select(['provider.name', 'provider.credentials', 'provider.role', 'provider.merged_into'])
      .select(['provider.survivor_id', 'provider.identified_at', 'provider.changed_at'])
      .select(['partner.name as partner_name'])
      .where('provider.practice_id', '=', practiceId)
      .orderBy(sql`lower(provider.name) nulls last`)
      .orderBy('provider.identified_at')
      .orderBy('provider.provider_id')
      .execute();
    return rows.map((row) => ({
      providerId: row.provider_id,
      partnerId: row.partner_id,
      partnerName: row.partner_name,
      identity: row.identity,
      npi: row.npi,
      name: row.name,
      credentials: row.credentials,
      role: row.role,
      mergedInto: row.merged_into,
      survivorId: row.survivor_id,
      identifiedAt: row.identified_at,
      changedAt: row.changed_at,
    }));
  };

const NO_PARTS: PartCounts = { attendant: 0, certifier: 0 };

/** Counts the live records of providers. Follows merges even before records are repointed. */
export const createCountParts =
  (db: Db) =>
  async (
    practiceId: string,
    providerIds: readonly string[],
  ): Promise<ReadonlyMap<string, PartCounts>> => {
    const counts = new Map(providerIds.map((id) => [id, NO_PARTS]));
    if (providerIds.length === 0) return counts;
    const { rows } = await sql<{ survivor_id: string; part: AttributedPart; records: string }>`
      select provider.survivor_id, entry.part, count(*) as records
      from read.provider provider
      join read.career_entry entry using (provider_id)
      where provider.practice_id = ${practiceId} and provider.survivor_id = any(${[...providerIds]})
        -- Looking up the few voided ones is faster than looking up the many live ones.
        and not exists (
          select from read.record_listing record
          where record.submission_uuid = entry.submission_uuid
            and record.practice_id = ${practiceId} and record.status = 'voided')
      group by provider.survivor_id, entry.part`.execute(db);
    for (const { survivor_id: id, part, records } of rows)
      counts.set(id, { ...(counts.get(id) ?? NO_PARTS), [part]: Number(records) });
    return counts;
  };

/** A page of a career log, one line per live record. Former parts are marked. */
export const createFindCareerLines =
  (db: Db) =>
  async (
    practiceId: string,
    providerId: string,
    { most, skip }: { readonly most: number; readonly skip: number },
  ): Promise<readonly CareerLine[]> => {
    const { rows } = await sql<{
      submission_uuid: string;
      chart_number: string | null;
      born: string | null;
      place: string | null;
      at: Date;
      parts: readonly (Omit<CareerPart, 'replacedAt'> & { replacedAt: string | null })[];
    }>`
      select record.submission_uuid, record.chart_number, record.born, record.place,
        max(entry.named_at) as at,
        jsonb_agg(jsonb_build_object('part', entry.part, 'namedId', entry.named_id,
          'replacedAt', entry.replaced_at)
          order by entry.replaced_at nulls first, entry.part) as parts
      from (${selectCareerParts(providerId)}) entry
      join read.birth_record record using (submission_uuid)
      where record.practice_id = ${practiceId} and record.status = 'live'
      group by record.submission_uuid
      order by at desc, record.submission_uuid
      limit ${most} offset ${skip}`.execute(db);
    return rows.map(({ submission_uuid, chart_number, parts, ...line }) => ({
      submissionUuid: submission_uuid,
      chartNumber: chart_number,
      ...line,
      parts: parts.map(({ replacedAt, ...part }) => ({
        ...part,
        replacedAt: replacedAt === null ? null : new Date(replacedAt),
      })),
    }));
  };

export const createCountCareer =
  (db: Db) =>
  async (practiceId: string, providerId: string): Promise<number> => {
    const { rows } = await sql<{ records: string }>`
      select count(distinct entry.submission_uuid) as records
      from (${selectCareerParts(providerId)}) entry
      join read.record_listing record using (submission_uuid)
      where record.practice_id = ${practiceId} and record.status = 'live'`.execute(db);
    return Number(rows[0]?.records ?? 0);
  };

/** Counts records and parts that a merge would repoint. */
export const createFindMergeImpact =
  (db: Db) =>
  async (practiceId: string, providerId: string): Promise<MergeReach> => {
    const { rows } = await sql<Record<'records' | 'voided' | AttributedPart, string>>`
      select count(distinct entry.submission_uuid) as records,
        count(distinct entry.submission_uuid) filter (where record.status = 'voided') as voided,
        count(*) filter (where entry.part = 'attendant') as attendant,
        count(*) filter (where entry.part = 'certifier') as certifier
      from read.provider provider
      join read.career_entry entry using (provider_id)
      join read.record_listing record using (submission_uuid)
      where provider.practice_id = ${practiceId} and provider.survivor_id = ${providerId}`.execute(
      db,
    );
    const [row] = rows;
    return {
      records: Number(row?.records ?? 0),
      voided: Number(row?.voided ?? 0),
      attendant: Number(row?.attendant ?? 0),
      certifier: Number(row?.certifier ?? 0),
    };
  };

/** Counts records that a merge has not repointed yet. */
export const createCountLeftToRepoint =
  (db: Db) =>
  async (practiceId: string, survivorId: string): Promise<number> => {
    const { rows } = await sql<{ records: string }>`
      select count(distinct entry.submission_uuid) as records
      from read.provider provider
      join read.career_entry entry using (provider_id)
      where provider.practice_id = ${practiceId} and provider.survivor_id = ${survivorId}
        and provider.provider_id <> ${survivorId}`.execute(db);
    return Number(rows[0]?.records ?? 0);
  };
