import type { Fold } from '../fold.ts';
import type { ApiKeyEvent } from './events.ts';

export type ApiKey =
  | { readonly status: 'unknown' }
  | ({
      readonly status: 'live' | 'revoked';
      readonly endsAt: string | null;
      /** Addresses and networks it may be used from; empty means any. */
      readonly addresses: readonly string[];
    } & ApiKeyEvent<'ApiKeyMinted'>['data']);

export const unknownKey: ApiKey = { status: 'unknown' };

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

export const keyFold: Fold<ApiKey, ApiKeyEvent> = { initial: unknownKey, evolve };
