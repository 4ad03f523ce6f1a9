import {
  buildPartnerKeyMinted,
  type MintPartnerKeyContext,
  mintNativeKey,
  mintPartnerKey,
  revokeKey,
  setKeyAddresses,
  setKeyExpiry,
} from '../../../domain/api-key/decide.ts';
import type { ApiKeyEvent } from '../../../domain/api-key/events.ts';
import { type ApiKey, evolve, unknownKey } from '../../../domain/api-key/state.ts';
import type { Partner } from '../../../domain/partner/state.ts';
import type { Practice } from '../../../domain/practice/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly ApiKeyEvent[]): ApiKey => events.reduce<ApiKey>(evolve, unknownKey);

const command = {
  keyId: 'k-1',
  practiceId: 'practice',
  name: 'Maple EHR',
  tokenHash: 'hash',
  lastFour: 'wxyz',
  scopes: ['ingest:write'],
} as const;
const practice = (beta: boolean): Practice => ({
  status: 'known',
  practiceId: 'practice',
  name: 'Cedar Birth Center',
  sandbox: false,
  beta,
  timeZone: 'America/New_York',
  isTimeZoneSet: false,
  dateOrder: null,
  clock: null,
  customFields: [],
  requiresSecondFactor: false,
  neededItems: null,
  daysUntilDue: null,
  writesEditFlags: false,
  importColumns: [],
  lastBreakGlass: null,
  singleSignOn: null,
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
    name: 'one that is minted for a time has its end from the start',
    given: [],
    when: () => mintNativeKey(command, practice(true), new Date('2026-12-24T12:00:00Z')),
    expect: {
      kind: 'accepted',
      events: [
        minted,
        {
          type: 'ApiKeyEndSet',
          data: { keyId: command.keyId, endsAt: '2026-12-24T12:00:00.000Z' },
        },
      ],
    },
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
    name: 'a key needs no name',
    given: [],
    when: () => mintNativeKey({ ...command, name: null }, practice(true)).kind,
    expect: 'accepted',
  },
  ...['   ', 'x'.repeat(101), 'Maple\u0007EHR', 'Maple http://x'].map((name) => ({
    name: `a name of ${name.length} characters that no list can show is refused`,
    given: [],
    when: () => mintNativeKey({ ...command, name }, practice(true)).kind,
    expect: 'refused',
  })),
  {
    name: 'a key without scope is refused',
    given: [],
    when: () => mintNativeKey({ ...command, scopes: [] }, practice(true)).kind,
    expect: 'refused',
  },
]);

const bound = (addresses: readonly string[]): ApiKeyEvent => ({
  type: 'ApiKeyAddressesSet',
  data: { keyId: 'k-1', addresses },
});
const OFFICE = ['203.0.113.0/24'];
const tooMany = Array.from({ length: 21 }, (_, n) => `203.0.113.${n}`);
const setTo = (addresses: readonly string[]) => (key: ApiKey) => setKeyAddresses(key, addresses);

scenarios('binding a key to addresses', fold, [
  {
    name: 'it may be minted so',
    given: [],
    when: () => mintNativeKey({ ...command, addresses: OFFICE }, practice(true)),
    expect: {
      kind: 'accepted',
      events: [{ ...minted, data: { ...minted.data, addresses: OFFICE } }],
    },
  },
  {
    name: 'not to more than 20 of them',
    given: [],
    when: () => mintNativeKey({ ...command, addresses: tooMany }, practice(true)),
    expect: { kind: 'refused', code: 'too-many-addresses', most: 20 },
  },
  {
    name: 'a key that works everywhere is bound',
    given: [minted],
    when: setTo(OFFICE),
    expect: { kind: 'accepted', events: [bound(OFFICE)] },
  },
  {
    name: 'what was set last counts',
    given: [minted, bound(OFFICE), bound(['198.51.100.7'])],
    when: (state) => (state.status === 'live' ? state.addresses : null),
    expect: ['198.51.100.7'],
  },
  {
    name: 'it may work from everywhere again',
    given: [minted, bound(OFFICE)],
    when: setTo([]),
    expect: { kind: 'accepted', events: [bound([])] },
  },
  {
    name: 'the same once more changes nothing',
    given: [minted, bound(OFFICE)],
    when: setTo(OFFICE),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'a key of before was bound to nothing',
    given: [minted],
    when: setTo([]),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'a revoked key stays as it is',
    given: [minted, revoked],
    when: setTo(OFFICE),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'an unknown key is refused',
    given: [],
    when: setTo(OFFICE),
    expect: { kind: 'refused', code: 'no-key' },
  },
  {
    name: 'more than 20 are refused later, too',
    given: [minted],
    when: setTo(tooMany),
    expect: { kind: 'refused', code: 'too-many-addresses', most: 20 },
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

const endAt = (endsAt: string) => (key: ApiKey) => setKeyExpiry(key, new Date(endsAt));
const ending = (endsAt: string): ApiKeyEvent => ({
  type: 'ApiKeyEndSet',
  data: { keyId: 'k-1', endsAt },
});
const [SOON, LATER] = ['2026-03-02T12:00:00.000Z', '2026-03-04T12:00:00.000Z'] as const;

scenarios('setting when a key ends', fold, [
  {
    name: 'a live key ends then',
    given: [minted],
    when: endAt(LATER),
    expect: { kind: 'accepted', events: [ending(LATER)] },
  },
  {
    name: 'it may end earlier than it was to',
    given: [minted, ending(LATER)],
    when: endAt(SOON),
    expect: { kind: 'accepted', events: [ending(SOON)] },
  },
  {
    name: 'it lives no longer than it was to',
    given: [minted, ending(SOON)],
    when: endAt(LATER),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'a revoked key has ended',
    given: [minted, revoked],
    when: endAt(LATER),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'an unknown key is refused',
    given: [],
    when: endAt(LATER),
    expect: { kind: 'refused', code: 'no-key' },
  },
]);

const partner: Partner = {
  status: 'known',
  partnerId: 'partner',
  name: 'Maple EHR',
  beta: false,
  contract: 'Pending',
};
const feedKey = (keyId: string) => ({ ...command, keyId, partnerId: 'partner' });
const held = (holder: ApiKey): MintPartnerKeyContext => ({
  practice: practice(true),
  partner,
  place: { status: 'held', issued: feedKey('k-0') },
  holder,
});
const free: MintPartnerKeyContext = {
  practice: practice(true),
  partner,
  place: { status: 'free' },
  holder: unknownKey,
};
const issued = { type: 'PartnerKeyIssued', data: feedKey('k-1') } as const;
const otherKey = fold([buildPartnerKeyMinted(feedKey('k-0'))]);

scenarios('minting a partner feed key', fold, [
  {
    name: 'the partner takes its place at the practice, also while it is outside the beta itself',
    given: [],
    when: () => mintPartnerKey(feedKey('k-1'), free),
    expect: { kind: 'accepted', events: [issued] },
  },
  {
    name: 'the key of a place is a partner feed key that names its partner',
    given: [buildPartnerKeyMinted(issued.data)],
    when: (state) => (state.status === 'live' ? [state.kind, state.partnerId] : null),
    expect: ['partner', 'partner'],
  },
  {
    name: 'one live key per partner and practice: a second one is refused and the first is named',
    given: [],
    when: () => {
      const decision = mintPartnerKey(feedKey('k-1'), held(otherKey));
      return (
        decision.kind === 'refused' &&
        decision.code === 'partner-has-key' &&
        decision.keyId === 'k-0'
      );
    },
    expect: true,
  },
  {
    name: 'a place whose key was revoked without being freed goes to the new key',
    given: [],
    when: () =>
      mintPartnerKey(
        feedKey('k-1'),
        held(
          fold([
            buildPartnerKeyMinted(feedKey('k-0')),
            { type: 'ApiKeyRevoked', data: { keyId: 'k-0' } },
          ]),
        ),
      ),
    expect: {
      kind: 'accepted',
      events: [
        {
          type: 'PartnerKeyWithdrawn',
          data: { partnerId: 'partner', practiceId: 'practice', keyId: 'k-0' },
        },
        issued,
      ],
    },
  },
  {
    name: 'the addresses that it is bound to go with it',
    given: [buildPartnerKeyMinted({ ...issued.data, addresses: OFFICE })],
    when: (state) => (state.status === 'live' ? state.addresses : null),
    expect: OFFICE,
  },
  {
    name: 'a practice outside the beta gets none',
    given: [],
    when: () => mintPartnerKey(feedKey('k-1'), { ...free, practice: practice(false) }).kind,
    expect: 'refused',
  },
  {
    name: 'an unknown practice gets none',
    given: [],
    when: () => mintPartnerKey(feedKey('k-1'), { ...free, practice: { status: 'unknown' } }).kind,
    expect: 'refused',
  },
  {
    name: 'an unknown partner gets none',
    given: [],
    when: () => mintPartnerKey(feedKey('k-1'), { ...free, partner: { status: 'unknown' } }).kind,
    expect: 'refused',
  },
  {
    name: 'a key needs no name',
    given: [],
    when: () => mintPartnerKey({ ...feedKey('k-1'), name: null }, free).kind,
    expect: 'accepted',
  },
  ...['   ', 'x'.repeat(101), 'Maple\u0007EHR'].map((name) => ({
    name: `a name of ${name.length} characters that no list can show is refused`,
    given: [],
    when: () => mintPartnerKey({ ...feedKey('k-1'), name }, free).kind,
    expect: 'refused',
  })),
  {
    name: 'a key without scope is refused',
    given: [],
    when: () => mintPartnerKey({ ...feedKey('k-1'), scopes: [] }, free).kind,
    expect: 'refused',
  },
]);
