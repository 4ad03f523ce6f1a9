import { mintNativeKey, revokeKey } from '../../../domain/api-key/decide.ts';
import type { ApiKeyEvent } from '../../../domain/api-key/events.ts';
import { type ApiKey, evolve, unknownKey } from '../../../domain/api-key/state.ts';
import type { Practice } from '../../../domain/practice/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly ApiKeyEvent[]): ApiKey => events.reduce<ApiKey>(evolve, unknownKey);

const command = {
  ...{ keyId: 'k-1', practiceId: 'practice', name: 'Maple EHR', tokenHash: 'hash' },
  scopes: ['ingest:write'],
} as const;
const practice = (beta: boolean): Practice => ({
  status: 'known',
  ...{ practiceId: 'practice', name: 'Cedar Birth Center', sandbox: false, beta },
});
const minted: ApiKeyEvent = {
  type: 'ApiKeyMinted',
  data: { ...command, kind: 'native', partnerId: null },
};
const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: { keyId: 'k-1' } };

scenarios('minting a native key', fold, [
  {
    name: 'a practice in the beta gets one',
    given: [],
    when: () => mintNativeKey(command, practice(true)),
    expect: { kind: 'accepted', events: [minted] },
  },
  {
    name: 'there is no command-line path to a key outside the beta',
    given: [],
    when: () => mintNativeKey(command, practice(false)).kind,
    expect: 'refused',
  },
  {
    name: 'an unknown practice gets none',
    given: [],
    when: () => mintNativeKey(command, { status: 'unknown' }).kind,
    expect: 'refused',
  },
  {
    name: 'a key without scope is refused',
    given: [],
    when: () => mintNativeKey({ ...command, scopes: [] }, practice(true)).kind,
    expect: 'refused',
  },
]);

scenarios('revoking a key', fold, [
  {
    name: 'a live key is revoked',
    given: [minted],
    when: revokeKey,
    expect: { kind: 'accepted', events: [revoked] },
  },
  {
    name: 'a revoked key stays revoked without another event',
    given: [minted, revoked],
    when: revokeKey,
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'an unknown key is refused',
    given: [],
    when: (state) => revokeKey(state).kind,
    expect: 'refused',
  },
  {
    name: 'what was minted is kept with the revoked key',
    given: [minted, revoked],
    when: (state) => (state.status === 'revoked' ? state.name : null),
    expect: 'Maple EHR',
  },
]);
