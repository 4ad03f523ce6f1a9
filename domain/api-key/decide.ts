import type { Practice } from '../practice/state.ts';
import type { ApiKeyEvent, Scope } from './events.ts';
import type { ApiKey } from './state.ts';

/** Makes a native key of a practice. The id and the hash come from the token, the token stays out. */
export interface MintNativeKey {
  readonly keyId: string;
  readonly practiceId: string;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly tokenHash: string;
}

/** What a command on a key leads to: events (none: it was done before), or a refusal. */
export type ApiKeyDecision =
  | { readonly kind: 'accepted'; readonly events: readonly ApiKeyEvent[] }
  | { readonly kind: 'refused'; readonly reason: string };

const refuse = (reason: string): ApiKeyDecision => ({ kind: 'refused', reason });

/**
 * Mints a native key; only a practice in the partner-EHR beta gets one, and a key has a scope.
 * @see spec "Authentication": no self-service or command-line path to a key outside the beta
 */
export const mintNativeKey = (command: MintNativeKey, practice: Practice): ApiKeyDecision => {
  if (practice.status === 'unknown') return refuse('There is no practice with this id.');
  if (!practice.beta)
    return refuse(
      'The practice is outside the partner-EHR beta: no key can be minted for it. Add it to the beta first.',
    );
  if (command.scopes.length === 0)
    return refuse('A key needs at least one scope: ingest:write, ingest:read.');
  return {
    kind: 'accepted',
    events: [{ type: 'ApiKeyMinted', data: { ...command, kind: 'native', partnerId: null } }],
  };
};

/** Revokes a key for good. Revoking it again changes nothing. */
export const revokeKey = (key: ApiKey): ApiKeyDecision => {
  switch (key.status) {
    case 'unknown':
      return refuse('There is no key with this id.');
    case 'revoked':
      return { kind: 'accepted', events: [] };
    case 'live':
      return {
        kind: 'accepted',
        events: [{ type: 'ApiKeyRevoked', data: { keyId: key.keyId } }],
      };
  }
};
