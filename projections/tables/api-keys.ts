import type { ApiKeyEvent, Scope } from '../../domain/api-key/events.ts';
import type { Actor } from '../../domain/event-log.ts';
import { column, defineTable, type Handlers, update, upsert } from '../projection.ts';

/** For lists only: authentication reads the log. */
const apiKey = defineTable({
  name: 'api_key',
  columns: {
    key_id: column.text(),
    practice_id: column.text(),
    kind: column.text<'native' | 'partner'>(),
    partner_id: column.textOrNull(),
    name: column.textOrNull(),
    /** Empty if its only scope was retired, so the key is useless. */
    scopes: column.jsonb<readonly Scope[]>(),
    minted_at: column.timestamptz(),
    minted_by: column.jsonb<Actor>(),
    /** Last characters of its token; null for keys of version 0.1. */
    last_four: column.textOrNull(),
    /** Expiration; null if it is valid until revoked. */
    ends_at: column.timestamptzOrNull(),
    /** Addresses and networks; any if empty. */
    addresses: column.jsonb<readonly string[]>(),
    revoked_at: column.timestamptzOrNull(),
    revoked_by: column.jsonbOrNull<Actor>(),
  },
  key: ['key_id'],
  indexes: ['(practice_id, minted_at)', '(partner_id, minted_at)'],
});

export const apiKeys = {
  name: 'api_keys',
  version: 5,
  tables: [apiKey],
  on: {
    ApiKeyMinted: (data, { metadata }) => [
      upsert('api_key', {
        key_id: data.keyId,
        practice_id: data.practiceId,
        kind: data.kind,
        partner_id: data.partnerId,
        name: data.name,
        scopes: data.scopes,
        minted_at: metadata.recordedAt,
        minted_by: metadata.actor,
        last_four: data.lastFour ?? null,
        ends_at: null,
        addresses: data.addresses ?? [],
        revoked_at: null,
        revoked_by: null,
      }),
    ],
    ApiKeyEndSet: ({ keyId, endsAt }) => [
      update('api_key', { key_id: keyId }, { ends_at: endsAt }),
    ],
    ApiKeyAddressesSet: ({ keyId, addresses }) => [
      update('api_key', { key_id: keyId }, { addresses }),
    ],
    ApiKeyRevoked: (data, { metadata }) => [
      update(
        'api_key',
        { key_id: data.keyId },
        { revoked_at: metadata.recordedAt, revoked_by: metadata.actor },
      ),
    ],
  } satisfies Handlers<ApiKeyEvent>,
};
