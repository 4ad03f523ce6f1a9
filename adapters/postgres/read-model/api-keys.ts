import { sql } from 'kysely';
import type { Scope } from '../../../domain/api-key/events.ts';
import type { Actor } from '../../../domain/event-log.ts';
import type { ListedKey } from '../../../projections/lists/accounts.ts';
import type { ActorSummary } from '../../../projections/lists/audit.ts';
import type { NamedPerson } from '../../../projections/lists/people-names.ts';
import type { Db } from '../connection/database.ts';
import { findPersonByActor } from './people-names.ts';

export const createApiKeyReads = (db: Db) => ({
  listPracticeKeys: async (practiceId: string): Promise<readonly ListedKey[]> =>
    (await selectKeys(db).where('key.practice_id', '=', practiceId).execute()).map(listedKey),

  listPartnerKeys: async (partnerId: string): Promise<readonly ListedKey[]> =>
    (await selectKeys(db).where('key.partner_id', '=', partnerId).execute()).map(listedKey),
});

const selectKeys = (db: Db) =>
  db
    .selectFrom('read.api_key as key')
    .leftJoin('read.practice as practice', 'practice.practice_id', 'key.practice_id')
    .leftJoin('read.partner as partner', 'partner.partner_id', 'key.partner_id')
    .leftJoin('app.key_use as use', 'use.key_id', 'key.key_id')
    .leftJoin('app.key_refusal as refusal', 'refusal.key_id', 'key.key_id')
    .leftJoin('app.idempotent_replay as replay', 'replay.key_id', 'key.key_id')
    .select(['key.key_id', 'key.practice_id', 'key.kind', 'key.partner_id', 'key.name'])
    .select([
      'key.last_four',
      'key.ends_at',
      'key.addresses',
      'key.scopes',
      'key.minted_at',
      'key.minted_by',
      'key.revoked_at',
      'key.revoked_by',
    ])
    .select(['practice.name as practice_name', 'partner.name as partner_name', 'use.last_used_at'])
    .select([
      'use.last_address',
      'refusal.last_used_at as refused_at',
      'refusal.last_address as refused_from',
    ])
    .select(['replay.replays', 'replay.last_at as last_replay_at'])
    .select([
      findPersonByActor('key.minted_by', sql.ref('key.practice_id')).as('minted_by_person'),
      findPersonByActor('key.revoked_by', sql.ref('key.practice_id')).as('revoked_by_person'),
    ])
    .orderBy(sql`key.revoked_at is not null`)
    .orderBy('key.minted_at', 'desc')
    .orderBy('key.key_id');

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number];

const listedKey = (row: KeyRow): ListedKey => ({
  keyId: row.key_id,
  practiceId: row.practice_id,
  practiceName: row.practice_name ?? '',
  kind: row.kind,
  partnerId: row.partner_id,
  partnerName: row.partner_name,
  name: row.name,
  lastFour: row.last_four,
  scopes: row.scopes as readonly Scope[],
  mintedAt: row.minted_at,
  mintedBy: toActorSummary(row.minted_by, row.minted_by_person),
  lastUsedAt: row.last_used_at,
  lastUsedFrom: row.last_address,
  addresses: row.addresses as readonly string[],
  lastRefused:
    row.refused_at === null ? null : { at: row.refused_at, from: row.refused_from ?? '' },
  replays: Number(row.replays ?? 0),
  lastReplayAt: row.last_replay_at,
  endsAt: row.ends_at,
  revokedAt: row.revoked_at,
  revokedBy: row.revoked_by === null ? null : toActorSummary(row.revoked_by, row.revoked_by_person),
});

/** Summary of an actor. @param person `null` if the actor has no account */
export const toActorSummary = ({ kind }: Actor, person: NamedPerson | null): ActorSummary => ({
  kind,
  email: person?.email ?? null,
  name: person?.name ?? null,
});
