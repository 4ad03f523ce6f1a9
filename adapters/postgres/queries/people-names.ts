import type { Actor } from '../../../domain/event-log.ts';
import type {
  ActorName,
  FindActorNames,
  FindProviderNames,
  ProviderName,
} from '../../../projections/people-names.ts';
import type { Db } from '../connection/database.ts';

/** Looks up keys with their partners, and members. */
export const findActorNamesIn =
  (db: Db): FindActorNames =>
  async (practiceId, actors) => {
    const [keys, members] = await Promise.all([
      keyNames(db, practiceId, idsOf(actors, 'key')),
      memberNames(db, practiceId, idsOf(actors, 'member')),
    ]);
    return new Map([...keys, ...members]);
  };

const idsOf = (actors: readonly Actor[], wanted: Actor['kind']): readonly string[] => [
  ...new Set(actors.filter(({ kind }) => kind === wanted).map(({ id }) => id)),
];

type Named = readonly [string, ActorName];

const keyNames = async (
  db: Db,
  practiceId: string,
  ids: readonly string[],
): Promise<readonly Named[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('read.api_key as key')
    .leftJoin('read.partner as partner', 'partner.partner_id', 'key.partner_id')
    .select(['key.key_id', 'key.name', 'partner.name as partner_name'])
    .where('key.practice_id', '=', practiceId)
    .where('key.key_id', 'in', [...ids])
    .execute();
  return rows.map((row) => [`key:${row.key_id}`, { name: row.name, partner: row.partner_name }]);
};

const memberNames = async (
  db: Db,
  practiceId: string,
  ids: readonly string[],
): Promise<readonly Named[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('read.member')
    .select(['member_id', 'email'])
    .where('practice_id', '=', practiceId)
    .where('member_id', 'in', [...ids])
    .execute();
  return rows.map((row) => [`member:${row.member_id}`, { name: row.email, partner: null }]);
};

/** Looks up providers; a merged one has the survivor's name. */
export const findProviderNamesIn =
  (db: Db): FindProviderNames =>
  async (practiceId, providerIds) => {
    if (providerIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('read.provider as named')
      .innerJoin('read.provider as survivor', 'survivor.provider_id', 'named.survivor_id')
      .select(['named.provider_id', 'named.survivor_id'])
      .select(['survivor.name', 'survivor.credentials'])
      .select(['named.name as own_name', 'named.credentials as own_credentials'])
      .where('named.practice_id', '=', practiceId)
      .where('named.provider_id', 'in', [...new Set(providerIds)])
      .execute();
    return new Map(
      rows.map((row): [string, ProviderName] => [
        row.provider_id,
        {
          survivorId: row.survivor_id,
          name: fullName(row.name, row.credentials),
          ownName: fullName(row.own_name, row.own_credentials),
        },
      ]),
    );
  };

const fullName = (name: string | null, credentials: string | null): string | null =>
  [name, credentials].filter((part) => part !== null).join(', ') || null;
