import type { ApiKeyEvent } from '../../domain/api-key/events.ts';
import type { Actor } from '../../domain/event-log.ts';
import { type Handlers, type ReadTable, update, upsert } from '../projection.ts';

/** Row of `read.api_key`. For lists only: authentication reads the log. */
export interface ApiKeyRow {
  readonly key_id: string;
  readonly practice_id: string;
  readonly kind: 'native' | 'partner';
  readonly partner_id: string | null;
  readonly name: string | null;
  readonly scopes: unknown;
  readonly minted_at: Date;
  readonly minted_by: Actor;
  readonly last_four: string | null;
  readonly ends_at: Date | null;
  /** Addresses and networks; any if empty. */
  readonly addresses: unknown;
  readonly revoked_at: Date | null;
  readonly revoked_by: Actor | null;
}

const apiKey: ReadTable = {
  name: 'api_key',
  columns: {
    key_id: 'text not null',
    practice_id: 'text not null',
    kind: 'text not null',
    partner_id: 'text',
    name: 'text',
    scopes: 'jsonb not null',
    minted_at: 'timestamptz not null',
    minted_by: 'jsonb not null',
    last_four: 'text',
    ends_at: 'timestamptz',
    addresses: 'jsonb not null',
    revoked_at: 'timestamptz',
    revoked_by: 'jsonb',
  },
  key: ['key_id'],
  indexes: ['(practice_id, minted_at)', '(partner_id, minted_at)'],
};

/** API keys of each practice, live and revoked. */
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
