import { sql } from 'kysely';
import type {
  AttributedStreams,
  LoadedProvider,
  LoadProviders,
} from '../../../domain/provider/ports.ts';
import type { Db } from '../connection/database.ts';

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
