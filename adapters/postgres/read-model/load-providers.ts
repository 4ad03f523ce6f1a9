import { sql } from 'kysely';
import type { LoadedProvider } from '../../../domain/provider/ports.ts';
import type { Db } from '../connection/database.ts';

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

/**
 * Finds streams of live and voided records that a provider merge has to repoint, ordered by name.
 * @param after returns only streams with a name after this one
 */
export const createFindAttributedStreams =
  (db: Db) =>
  async (
    providerIds: readonly string[],
    after: string,
    most: number,
  ): Promise<readonly string[]> => {
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
