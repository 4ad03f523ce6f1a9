import type { Fold } from '../fold.ts';
import type { ApiKeyEvent, ApiKeyMinted } from './events.ts';

/** An API key as its events tell it. */
export type ApiKey =
  | { readonly status: 'unknown' }
  | ({
      readonly status: 'live' | 'revoked';
      /** ISO 8601 instant from which it does not work; null: it works until it is revoked. */
      readonly endsAt: string | null;
      /** Addresses and networks that it may be used from; empty: any. */
      readonly addresses: readonly string[];
    } & ApiKeyMinted['data']);

/** A key before its first event. */
export const unknownKey: ApiKey = { status: 'unknown' };

/** The key after one more event. */
export const evolve = (state: ApiKey, event: ApiKeyEvent): ApiKey => {
  switch (event.type) {
    case 'ApiKeyMinted':
      return { status: 'live', endsAt: null, addresses: [], ...event.data };
    case 'ApiKeyEndSet':
      return state.status === 'unknown' ? state : { ...state, endsAt: event.data.endsAt };
    case 'ApiKeyAddressesSet':
      return state.status === 'unknown' ? state : { ...state, addresses: event.data.addresses };
    case 'ApiKeyRevoked':
      return state.status === 'unknown' ? state : { ...state, status: 'revoked' };
  }
};

/** How a stream of a key is read. */
export const keyFold: Fold<ApiKey, ApiKeyEvent> = { initial: unknownKey, evolve };
