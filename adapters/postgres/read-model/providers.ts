import { sql } from 'kysely';
import type { AttributedPart } from '../../../domain/provider/details.ts';
import type { CareerEntry, ListedProvider } from '../../../domain/provider/ports.ts';
import type { Db } from '../connection/database.ts';

/** Lists the providers of a practice in order of identification. */
export const createListProviders =
  (db: Db) =>
  async (practiceId: string): Promise<readonly ListedProvider[]> => {
    const rows = await db
      .selectFrom('read.provider')
      .select(['provider_id', 'identity', 'npi', 'name', 'credentials', 'role', 'merged_into'])
      .where('practice_id', '=', practiceId)
      .orderBy('identified_at')
      .orderBy('provider_id')
      .execute();
    return rows.map(({ provider_id: providerId, merged_into: mergedInto, ...details }) => ({
      providerId,
      ...details,
      mergedInto,
    }));
  };

/**
 * Finds the career log of a provider, oldest first. Returns `null` for an unknown provider. Lists
 * only live records, because statistics exclude voided ones. Applies the merge map even to records
 * that a merge has not repointed yet. Includes parts that an amendment later assigned to another
 * provider.
 */
export const createFindCareer =
  (db: Db) =>
  async (providerId: string): Promise<readonly CareerEntry[] | null> => {
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
  };

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

/** Returns `null` if there is no such provider. */
export const createFindPracticeByProvider =
  (db: Db) =>
  async (providerId: string): Promise<string | null> => {
    const row = await db
      .selectFrom('read.provider')
      .select('practice_id')
      .where('provider_id', '=', providerId)
      .executeTakeFirst();
    return row?.practice_id ?? null;
  };
