import { sql } from 'kysely';
import type { AttributedPart } from '../../../domain/course-of-care/events.ts';
import type { FindCareer, ListProviders } from '../../../domain/provider/ports.ts';
import type { Db } from '../connection/database.ts';

/** Lists the providers of a practice. */
export const listProvidersIn =
  (db: Db): ListProviders =>
  async (practiceId) => {
    const rows = await db
      .selectFrom('read.provider')
      .select(['provider_id', 'identity', 'npi', 'name', 'credentials', 'role', 'merged_into'])
      .where('practice_id', '=', practiceId)
      .orderBy('identified_at')
      .orderBy('provider_id')
      .execute();
    return rows.map(({ provider_id: providerId, merged_into: mergedInto, ...details }) => ({
      ...{ providerId, ...details, mergedInto },
    }));
  };

/**
 * Finds the career log of a provider: live records only, for a voided one is in no figure. The
 * merge map counts at once, also for records that a merge has not come to yet.
 */
export const findCareerIn =
  (db: Db): FindCareer =>
  async (providerId) => {
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
      place_of_birth: string | null;
    }>`
      select record.chart_number, record.submission_uuid, entry.part, entry.named_at,
        entry.named_id, record.place as place_of_birth
      from read.provider provider
      join read.career_entry entry using (provider_id)
      join read.birth_record record using (submission_uuid)
      where provider.survivor_id = ${providerId} and record.status = 'live'
      order by entry.named_at, record.recorded_position, entry.part`.execute(db);
    return rows.map((row) => ({
      chartNumber: row.chart_number,
      submissionUuid: row.submission_uuid,
      part: row.part,
      at: row.named_at.toISOString(),
      placeOfBirth: row.place_of_birth,
      via: row.named_id === providerId ? null : row.named_id,
    }));
  };

/** Finds the practice of a provider; null if there is no such provider. */
export const findPracticeOfProviderIn =
  (db: Db) =>
  async (providerId: string): Promise<string | null> => {
    const row = await db
      .selectFrom('read.provider')
      .select('practice_id')
      .where('provider_id', '=', providerId)
      .executeTakeFirst();
    return row?.practice_id ?? null;
  };
