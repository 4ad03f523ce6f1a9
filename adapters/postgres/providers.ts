import { sql } from 'kysely';
import type { AttributedPart } from '../../domain/course-of-care/events.ts';
import type {
  AttributedStreams,
  FindCareer,
  HeldProvider,
  ListProviders,
  LoadProviders,
} from '../../domain/provider/ports.ts';
import type { Db } from './database.ts';

/** Loads the providers that a turn decides on; the revision fences what is out of date. */
export const loadProvidersFrom =
  (db: Db): LoadProviders =>
  async (providerIds) => {
    if (providerIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('read.provider')
      .selectAll()
      .where('provider_id', '=', sql<string>`any(${[...providerIds]})`)
      .execute();
    return new Map(
      rows.map((row): [string, HeldProvider] => [
        row.provider_id,
        {
          state: {
            status: 'known',
            providerId: row.provider_id,
            practiceId: row.practice_id,
            partnerId: row.partner_id,
            ...{ identity: row.identity, npi: row.npi, name: row.name },
            ...{ credentials: row.credentials, role: row.role },
          },
          expected: BigInt(row.revision),
          survivorId: row.survivor_id,
        },
      ]),
    );
  };

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

/** Finds the records that a merge has to repoint. */
export const attributedStreamsIn =
  (db: Db): AttributedStreams =>
  async (providerIds, after, most) => {
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
  };
