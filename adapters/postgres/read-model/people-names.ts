import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../domain/event-log.ts';
import {
  type ActorName,
  displayName,
  displayNameWithEmail,
  type NamedPerson,
  type ProviderName,
} from '../../../projections/lists/people-names.ts';
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
          name: formatFullName(row.name, row.credentials),
          ownName: formatFullName(row.own_name, row.own_credentials),
        },
      ]),
    );
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
  const rows = await db
    .selectFrom('read.api_key as key')
    .leftJoin('read.partner as partner', 'partner.partner_id', 'key.partner_id')
    .select(['key.key_id', 'key.name', 'partner.name as partner_name'])
    .where('key.practice_id', '=', practiceId)
    .where('key.key_id', 'in', [...ids])
    .execute();
  return rows.map((row) => [
    `key:${row.key_id}`,
    { name: row.name, email: null, partner: row.partner_name },
  ]);
};

const loadMemberNames = async (
  db: Db,
  practiceId: string,
  ids: readonly string[],
): Promise<readonly Named[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('read.member as member')
    .select(['member.member_id', 'member.email', 'member.name'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('read.member as other')
          .select('other.member_id')
          .whereRef('other.practice_id', '=', 'member.practice_id')
          .whereRef('other.member_id', '<>', 'member.member_id')
          .where(sql<boolean>`lower(other.name) = lower(member.name)`),
      ).as('is_shared'),
    )
    .where('member.practice_id', '=', practiceId)
    .where('member.member_id', 'in', [...ids])
    .execute();
  return rows.map((row) => [
    `member:${row.member_id}`,
    {
      name: row.is_shared ? displayNameWithEmail(row) : displayName(row),
      email: row.email,
      partner: null,
    },
  ]);
};

const formatFullName = (name: string | null, credentials: string | null): string | null =>
  [name, credentials].filter((part) => part !== null).join(', ') || null;
