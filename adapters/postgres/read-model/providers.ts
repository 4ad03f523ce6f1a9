import { sql } from 'kysely';
import type { AttributedPart } from '../../../domain/provider/details.ts';
import type {
  CareerEntry,
  ListedProvider,
  LoadedProvider,
} from '../../../domain/provider/ports.ts';
import type {
  CareerLine,
  CareerPart,
  MergeReach,
  PartCounts,
  ProviderListing,
} from '../../../projections/lists/providers.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';

export const createProviderReads = (db: Db) => ({
  async listProviders(practiceId: string): Promise<readonly ListedProvider[]> {
    return withCamelCase(db)
      .selectFrom('read.provider')
      .select(['providerId', 'identity', 'npi', 'name', 'credentials', 'role', 'mergedInto'])
      .where('practiceId', '=', practiceId)
      .orderBy('identifiedAt')
      .orderBy('providerId')
      .execute();
  },

  /**
   * Finds the career log of a provider, oldest first. Returns `null` for an unknown provider. Lists
   * only live records, because statistics exclude voided ones. Applies the merge map even to records
   * that a merge has not repointed yet. Includes parts that an amendment later assigned to another
   * provider.
   */
  async findCareer(providerId: string): Promise<readonly CareerEntry[] | null> {
    const known = await db
      .selectFrom('read.provider')
      .select('provider_id')
      .where('provider_id', '=', providerId)
      .executeTakeFirst();
    if (known === undefined) return null;
    const { rows } = await sql<{
      chart_number: string | null;
      submission_uuid: string;
      part: AttributedPart;
      named_at: Date;
      named_id: string;
      replaced_at: Date | null;
      place_of_birth: string | null;
    }>`
      select record.chart_number, record.submission_uuid, entry.part, entry.named_at,
        entry.named_id, entry.replaced_at, record.place as place_of_birth
      from (${selectCareerParts(providerId)}) entry
      join read.birth_record record using (submission_uuid)
      where record.status = 'live'
      order by entry.named_at, record.recorded_position, entry.part`.execute(db);
    return rows.map((row) => {
      const entry: CareerEntry = {
        chartNumber: row.chart_number,
        submissionUuid: row.submission_uuid,
        part: row.part,
        at: row.named_at.toISOString(),
        placeOfBirth: row.place_of_birth,
        via: row.named_id === providerId ? null : row.named_id,
      };
      return row.replaced_at === null
        ? entry
        : { ...entry, replacedAt: row.replaced_at.toISOString() };
    });
  },

  async findPracticeByProvider(providerId: string): Promise<string | null> {
    const row = await db
      .selectFrom('read.provider')
      .select('practice_id')
      .where('provider_id', '=', providerId)
      .executeTakeFirst();
    return row?.practice_id ?? null;
  },

  /** Live and voided, ordered by name. @param after only streams with a later name */
  async findAttributedStreams(
    providerIds: readonly string[],
    after: string,
    most: number,
  ): Promise<readonly string[]> {
    const rows = await db
      .selectFrom('read.career_entry')
      .select('stream')
      .distinct()
      .where('provider_id', 'in', [...providerIds])
      .where('stream', '>', after)
      .orderBy('stream')
      .limit(most)
      .execute();
    return rows.map(({ stream }) => stream);
  },

  async findProviders(practiceId: string): Promise<readonly ProviderListing[]> {
    return withCamelCase(db)
      .selectFrom('read.provider as provider')
      .leftJoin('read.partner as partner', 'partner.partnerId', 'provider.partnerId')
      .selectAll('provider')
      .select('partner.name as partnerName')
      .where('provider.practiceId', '=', practiceId)
      .orderBy(sql`lower(provider.name) nulls last`)
      .orderBy('provider.identifiedAt')
      .orderBy('provider.providerId')
      .execute();
  },

  /** Counts the live records of providers. Follows merges even before records are repointed. */
  async countParts(
    practiceId: string,
    providerIds: readonly string[],
  ): Promise<ReadonlyMap<string, PartCounts>> {
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
  },

  /** A page of a career log, one line per live record. Former parts are marked. */
  async findCareerLines(
    practiceId: string,
    providerId: string,
    { most, skip }: { readonly most: number; readonly skip: number },
  ): Promise<readonly CareerLine[]> {
    const { rows } = await sql<
      Omit<CareerLine, 'parts'> & {
        parts: readonly (Omit<CareerPart, 'replacedAt'> & { replacedAt: string | null })[];
      }
    >`
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
      limit ${most} offset ${skip}`.execute(withCamelCase(db));
    return rows.map(({ parts, ...line }) => ({
      ...line,
      parts: parts.map(({ replacedAt, ...part }) => ({
        ...part,
        replacedAt: replacedAt === null ? null : new Date(replacedAt),
      })),
    }));
  },

  async countCareer(practiceId: string, providerId: string): Promise<number> {
    const { rows } = await sql<{ records: string }>`
      select count(distinct entry.submission_uuid) as records
      from (${selectCareerParts(providerId)}) entry
      join read.record_listing record using (submission_uuid)
      where record.practice_id = ${practiceId} and record.status = 'live'`.execute(db);
    return Number(rows[0]?.records ?? 0);
  },

  async findMergeImpact(practiceId: string, providerId: string): Promise<MergeReach> {
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
  },

  async countLeftToRepoint(practiceId: string, survivorId: string): Promise<number> {
    const { rows } = await sql<{ records: string }>`
      select count(distinct entry.submission_uuid) as records
      from read.provider provider
      join read.career_entry entry using (provider_id)
      where provider.practice_id = ${practiceId} and provider.survivor_id = ${survivorId}
        and provider.provider_id <> ${survivorId}`.execute(db);
    return Number(rows[0]?.records ?? 0);
  },
});

/** Current parts of a provider in records, including through merges, and former parts. */
export const selectCareerParts = (providerId: string): ReturnType<typeof sql> => sql`
  select entry.submission_uuid, entry.part, entry.named_id, entry.named_at,
    null::timestamptz as replaced_at
  from read.provider provider
  join read.career_entry entry using (provider_id)
  where provider.survivor_id = ${providerId}
  union all
  select submission_uuid, part, named_id, named_at, replaced_at
  from read.replaced_attribution
  where survivor_id = ${providerId}`;

/** Loads providers by id, omitting unknown ids. Their revision lets an append reject stale data. */
export const createLoadProviders =
  (db: Db) =>
  async (providerIds: readonly string[]): Promise<ReadonlyMap<string, LoadedProvider>> => {
    if (providerIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('read.provider')
      .selectAll()
      .where('provider_id', '=', sql<string>`any(${[...providerIds]})`)
      .execute();
    return new Map(
      rows.map((row): [string, LoadedProvider] => [
        row.provider_id,
        {
          state: {
            status: 'known',
            providerId: row.provider_id,
            practiceId: row.practice_id,
            partnerId: row.partner_id,
            identity: row.identity,
            npi: row.npi,
            name: row.name,
            credentials: row.credentials,
            role: row.role,
          },
          expected: BigInt(row.revision),
          survivorId: row.survivor_id,
        },
      ]),
    );
  };

const NO_PARTS: PartCounts = { attendant: 0, certifier: 0 };
