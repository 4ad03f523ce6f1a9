import type { ApiKeyEvent, Scope } from '../domain/api-key/events.ts';
import type { Actor } from '../domain/event-log.ts';
import type { Doer } from './audit-entries.ts';
import { type Handlers, patch, put, type ReadTable } from './projection.ts';

/** Row of `read.api_key`: for lists; authentication reads the log itself. */
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
  /** Addresses and networks; empty: any. */
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

/** The API keys of each practice, live and revoked, with who minted and revoked them. */
export const apiKeys = {
  name: 'api_keys',
  version: 5,
  tables: [apiKey],
  on: {
    ApiKeyMinted: (data, { metadata }) => [
      put('api_key', {
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
    ApiKeyEndSet: ({ keyId, endsAt }) => [patch('api_key', { key_id: keyId }, { ends_at: endsAt })],
    ApiKeyAddressesSet: ({ keyId, addresses }) => [
      patch('api_key', { key_id: keyId }, { addresses }),
    ],
    ApiKeyRevoked: (data, { metadata }) => [
      patch(
        'api_key',
        { key_id: data.keyId },
        { revoked_at: metadata.recordedAt, revoked_by: metadata.actor },
      ),
    ],
  } satisfies Handlers<ApiKeyEvent>,
};

/** A key as lists show it. The token is nowhere. */
export interface ListedKey {
  readonly keyId: string;
  readonly practiceId: string;
  readonly practiceName: string;
  readonly kind: 'native' | 'partner';
  readonly partnerId: string | null;
  readonly partnerName: string | null;
  readonly name: string | null;
  /** End of its token; null for keys of version 0.1. */
  readonly lastFour: string | null;
  /** None: it was minted with a scope that there no longer is, and can do nothing. */
  readonly scopes: readonly Scope[];
  readonly mintedAt: Date;
  readonly mintedBy: Doer;
  /** To the minute; null if it never was. */
  readonly lastUsedAt: Date | null;
  /** From where that was; null if it is not known. */
  readonly lastUsedFrom: string | null;
  /** Addresses and networks that it may be used from; empty: any. */
  readonly addresses: readonly string[];
  /** When it was last tried from elsewhere and refused, and from where; null: never. */
  readonly lastRefused: { readonly at: Date; readonly from: string } | null;
  /** Submissions that queued nothing, because their Idempotency-Key had been used at the practice. */
  readonly replays: number;
  /** Null if there were none. */
  readonly lastReplayAt: Date | null;
  /** From then on it does not work; null: it works until it is revoked. */
  readonly endsAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revokedBy: Doer | null;
}

/** Keys of a practice or of a partner: the live ones first, then newest first. */
export type ListKeys = (ownerId: string) => Promise<readonly ListedKey[]>;
