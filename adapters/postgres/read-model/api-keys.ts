import { sql } from 'kysely';
import type { Actor } from '../../../domain/event-log.ts';
import type { ListedKey } from '../../../projections/lists/accounts.ts';
import type { ActorSummary } from '../../../projections/lists/audit.ts';
import type { NamedPerson } from '../../../projections/lists/people-names.ts';
import { type CamelDb, withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { findPersonByActor } from './people-names.ts';

export const createApiKeyReads = (db: Db) => ({
  async listPracticeKeys(practiceId: string): Promise<readonly ListedKey[]> {
    const keys = selectKeys(withCamelCase(db)).where('key.practiceId', '=', practiceId);
    return (await keys.execute()).map(toListedKey);
  },

  async listPartnerKeys(partnerId: string): Promise<readonly ListedKey[]> {
    const keys = selectKeys(withCamelCase(db)).where('key.partnerId', '=', partnerId);
    return (await keys.execute()).map(toListedKey);
  },
});

const selectKeys = (db: CamelDb) =>
  db
    .selectFrom('read.apiKey as key')
    .leftJoin('read.practice as practice', 'practice.practiceId', 'key.practiceId')
    .leftJoin('read.partner as partner', 'partner.partnerId', 'key.partnerId')
    .leftJoin('app.keyUse as use', 'use.keyId', 'key.keyId')
    .leftJoin('app.keyRefusal as refusal', 'refusal.keyId', 'key.keyId')
    .leftJoin('app.idempotentReplay as replay', 'replay.keyId', 'key.keyId')
    .selectAll('key')
    .select(['practice.name as practiceName', 'partner.name as partnerName', 'use.lastUsedAt'])
    .select(['use.lastAddress as lastUsedFrom', 'replay.replays', 'replay.lastAt as lastReplayAt'])
    .select(['refusal.lastUsedAt as refusedAt', 'refusal.lastAddress as refusedFrom'])
    .select([
      findPersonByActor('key.minted_by', sql.ref('key.practice_id')).as('mintedByPerson'),
      findPersonByActor('key.revoked_by', sql.ref('key.practice_id')).as('revokedByPerson'),
    ])
    .orderBy(sql`key.revoked_at is not null`)
    .orderBy('key.mintedAt', 'desc')
    .orderBy('key.keyId');

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number];

const toListedKey = ({
  mintedByPerson,
  revokedByPerson,
  refusedAt,
  refusedFrom,
  ...key
}: KeyRow): ListedKey => ({
  ...key,
  practiceName: key.practiceName ?? '',
  mintedBy: toActorSummary(key.mintedBy, mintedByPerson),
  lastRefused: refusedAt && { at: refusedAt, from: refusedFrom ?? '' },
  replays: Number(key.replays ?? 0),
  revokedBy: key.revokedBy && toActorSummary(key.revokedBy, revokedByPerson),
});

/** Summary of an actor. @param person `null` if the actor has no account */
export const toActorSummary = ({ kind }: Actor, person: NamedPerson | null): ActorSummary => ({
  kind,
  email: person?.email ?? null,
  name: person?.name ?? null,
});
