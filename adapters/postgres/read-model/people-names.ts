import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../domain/event-log.ts';
import {
  type ActorName,
  displayName,
  displayNameWithEmail,
  type NamedPerson,
  type ProviderName,
} from '../../../projections/lists/people-names.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';

type Expression = RawBuilder<unknown>;

/**
 * Person with an account, as known to a practice, or `null` if there is no such account. The email
 * belongs to the account, the name to a practice: a seat elsewhere must not change a person's name
 * in this practice's history.
 * @param practiceId `null` outside of a practice: service staff see the latest name
 */
export const findPersonByAccount = (
  accountId: Expression,
  practiceId: Expression,
): RawBuilder<NamedPerson | null> => sql<NamedPerson | null>`
  coalesce(
    (select json_build_object('email', seat.email, 'name',
        case when ${practiceId} is null or seat.practice_id = ${practiceId} then seat.name end)
      from read.member as seat where seat.member_id = ${accountId}
      order by seat.practice_id = ${practiceId} desc nulls last, seat.added_at desc limit 1),
    (select json_build_object('email', person.email, 'name', person.name)
      from read.staff as person where person.staff_id = ${accountId}))`;

export const findPersonByActor = (
  actor: string,
  practiceId: Expression,
): RawBuilder<NamedPerson | null> =>
  findPersonByAccount(sql`(${sql.ref(actor)} ->> 'id')`, practiceId);

/** Current, former or invited member of the practice, or `null` if the id is unknown. */
export const findPersonByPractice = (
  memberId: Expression,
  practiceId: Expression,
): RawBuilder<NamedPerson | null> => {
  const selectPerson = (table: 'member' | 'invitation') => sql`
    (select json_build_object('email', email, 'name', name) from ${sql.table(`read.${table}`)} as listed
      where listed.member_id = ${memberId} and listed.practice_id = ${practiceId})`;
  return sql<NamedPerson | null>`coalesce(${selectPerson('member')}, ${selectPerson('invitation')})`;
};

export const createNameReads = (db: Db) => ({
  async findActorNames(
    practiceId: string,
    actors: readonly Actor[],
  ): Promise<ReadonlyMap<string, ActorName>> {
    const [keys, members] = await Promise.all([
      loadKeyNames(db, practiceId, listIds(actors, 'key')),
      loadMemberNames(db, practiceId, listIds(actors, 'member')),
    ]);
    return new Map([...keys, ...members]);
  },

  /** Finds the names of providers. A merged provider gets the survivor's name. */
  async findProviderNames(
    practiceId: string,
    providerIds: readonly string[],
  ): Promise<ReadonlyMap<string, ProviderName>> {
    if (providerIds.length === 0) return new Map();
    const rows = await withCamelCase(db)
      .selectFrom('read.provider as named')
      .innerJoin('read.provider as survivor', 'survivor.providerId', 'named.survivorId')
      .select(['named.providerId', 'named.survivorId'])
      .select([selectFullName('survivor').as('name'), selectFullName('named').as('ownName')])
      .where('named.practiceId', '=', practiceId)
      .where('named.providerId', 'in', [...new Set(providerIds)])
      .execute();
    return new Map(rows.map(({ providerId, ...name }) => [providerId, name]));
  },
});

const listIds = (actors: readonly Actor[], actorKind: Actor['kind']): readonly string[] => [
  ...new Set(actors.filter(({ kind }) => kind === actorKind).map(({ id }) => id)),
];

type Named = readonly [string, ActorName];

const loadKeyNames = async (
  db: Db,
  practiceId: string,
  ids: readonly string[],
): Promise<readonly Named[]> => {
  if (ids.length === 0) return [];
  const rows = await withCamelCase(db)
    .selectFrom('read.apiKey as key')
    .leftJoin('read.partner as partner', 'partner.partnerId', 'key.partnerId')
    .select(['key.keyId', 'key.name', 'partner.name as partner'])
    .where('key.practiceId', '=', practiceId)
    .where('key.keyId', 'in', [...ids])
    .execute();
  return rows.map(({ keyId, ...key }) => [`key:${keyId}`, { ...key, email: null }]);
};

const loadMemberNames = async (
  db: Db,
  practiceId: string,
  ids: readonly string[],
): Promise<readonly Named[]> => {
  if (ids.length === 0) return [];
  const rows = await withCamelCase(db)
    .selectFrom('read.member as member')
    .select(['member.memberId', 'member.email', 'member.name'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('read.member as other')
          .select('other.memberId')
          .whereRef('other.practiceId', '=', 'member.practiceId')
          .whereRef('other.memberId', '<>', 'member.memberId')
          .where(sql<boolean>`lower(other.name) = lower(member.name)`),
      ).as('isShared'),
    )
    .where('member.practiceId', '=', practiceId)
    .where('member.memberId', 'in', [...ids])
    .execute();
  return rows.map(({ memberId, isShared, email, name }) => [
    `member:${memberId}`,
    {
      name: (isShared ? displayNameWithEmail : displayName)({ email, name }),
      email,
      partner: null,
    },
  ]);
};

const selectFullName = (provider: 'survivor' | 'named') => sql<string | null>`
  nullif(concat_ws(', ', ${sql.ref(`${provider}.name`)}, ${sql.ref(`${provider}.credentials`)}), '')`;
