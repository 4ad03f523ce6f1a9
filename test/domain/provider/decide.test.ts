import {
  findPartnerOfMerge,
  mergeProviders,
  recordMention,
} from '../../../domain/provider/decide.ts';
import type { NamedProvider } from '../../../domain/provider/details.ts';
import type { MergesEvent, ProviderEvent } from '../../../domain/provider/events.ts';
import {
  evolve,
  evolveMerges,
  listAbsorbed,
  type Merges,
  noMerges,
  type Provider,
  resolveSurvivor,
  unknownProvider,
} from '../../../domain/provider/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly ProviderEvent[]): Provider =>
  events.reduce<Provider>(evolve, unknownProvider);

const joan: NamedProvider = {
  providerId: 'joan',
  identity: 'staff-7',
  npi: '1234567893',
  name: 'Joan Reyes',
  credentials: 'CNM',
  role: 'midwife',
};
const { providerId, identity, ...details } = joan;
const identified: ProviderEvent = {
  type: 'ProviderIdentified',
  data: { providerId, practiceId: 'practice', partnerId: 'maple', identity, ...details },
};
const changedTo = (changes: Partial<NamedProvider>): ProviderEvent => ({
  type: 'ProviderDetailsChanged',
  data: { providerId, practiceId: 'practice', ...details, ...changes },
});
const mention = (changes: Partial<NamedProvider>) => (state: Provider) =>
  recordMention(
    { practiceId: 'practice', partnerId: 'maple', provider: { ...joan, ...changes } },
    state,
  );

scenarios('a course of care that names a provider', fold, [
  {
    name: 'the first mention identifies it, with what is retained of it',
    given: [],
    when: mention({}),
    expect: [identified],
  },
  {
    name: 'the same mention again changes nothing',
    given: [identified],
    when: mention({}),
    expect: [],
  },
  {
    name: 'a new display name is a change',
    given: [identified],
    when: mention({ name: 'Joan Reyes-Ito' }),
    expect: [changedTo({ name: 'Joan Reyes-Ito' })],
  },
  {
    name: 'the change is told once',
    given: [identified, changedTo({ credentials: 'CNM, MD' })],
    when: mention({ credentials: 'CNM, MD' }),
    expect: [],
  },
  {
    name: 'what a mention lacks stays as it is known',
    given: [identified],
    when: mention({ npi: null, name: null, credentials: null, role: 'other' }),
    expect: [],
  },
  {
    name: 'a change keeps the known values that the mention lacks',
    given: [identified],
    when: mention({ npi: null, name: null, credentials: 'MD', role: 'physician' }),
    expect: [changedTo({ credentials: 'MD', role: 'physician' })],
  },
]);

const known = (id: string, partnerId = 'maple', practiceId = 'practice'): Provider => ({
  status: 'known',
  providerId: id,
  practiceId,
  partnerId,
  identity: id,
  ...details,
});
const between = (absorbed: string, survivor: string) => ({
  practiceId: 'practice',
  absorbed,
  survivor,
});

scenarios('who may be merged', () => null, [
  {
    name: 'two providers of one partner at the practice',
    given: [],
    when: () =>
      findPartnerOfMerge(between('a', 'b'), { absorbed: known('a'), survivor: known('b') }),
    expect: { kind: 'accepted', partnerId: 'maple' },
  },
  {
    name: 'a provider into itself is refused',
    given: [],
    when: () =>
      findPartnerOfMerge(between('a', 'a'), { absorbed: known('a'), survivor: known('a') }),
    expect: {
      kind: 'refused',
      code: 'merge-into-itself',
    },
  },
  {
    name: 'across partners is refused',
    given: [],
    when: () =>
      findPartnerOfMerge(between('a', 'b'), {
        absorbed: known('a'),
        survivor: known('b', 'birch'),
      }),
    expect: {
      kind: 'refused',
      code: 'providers-of-two-partners',
    },
  },
  {
    name: 'across practices is refused',
    given: [],
    when: () =>
      findPartnerOfMerge(between('a', 'b'), {
        absorbed: known('a'),
        survivor: known('b', 'maple', 'another'),
      }),
    expect: {
      kind: 'refused',
      code: 'no-surviving-provider',
    },
  },
  {
    name: 'an unknown provider is refused',
    given: [],
    when: () =>
      findPartnerOfMerge(between('a', 'b'), { absorbed: unknownProvider, survivor: known('b') }),
    expect: {
      kind: 'refused',
      code: 'no-absorbed-provider',
    },
  },
]);

const foldMerges = (events: readonly MergesEvent[]): Merges =>
  events.reduce<Merges>(evolveMerges, noMerges);
const merged = (
  absorbed: string,
  survivor: string,
  following: readonly string[] = [],
): MergesEvent => ({
  type: 'ProvidersMerged',
  data: { practiceId: 'practice', partnerId: 'maple', absorbed, survivor, following },
});
const merge = (absorbed: string, survivor: string) => (state: Merges) =>
  mergeProviders({ ...between(absorbed, survivor), partnerId: 'maple' }, state);

scenarios('merging two provider identities', foldMerges, [
  {
    name: 'the survivor stands for the absorbed one',
    given: [],
    when: merge('a', 'b'),
    expect: { kind: 'accepted', events: [merged('a', 'b')] },
  },
  {
    name: 'the same merge again changes nothing',
    given: [merged('a', 'b')],
    when: merge('a', 'b'),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'a survivor may be absorbed in turn: what it absorbed follows it',
    given: [merged('a', 'b'), merged('x', 'a')].reverse(),
    when: merge('b', 'c'),
    expect: { kind: 'accepted', events: [merged('b', 'c', ['a', 'x'])] },
  },
  {
    name: 'the first merge again changes nothing, also when its survivor was absorbed',
    given: [merged('a', 'b'), merged('b', 'c', ['a'])],
    when: merge('a', 'b'),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'an absorbed provider is not absorbed twice',
    given: [merged('a', 'b')],
    when: merge('a', 'c'),
    expect: {
      kind: 'refused',
      code: 'absorbed-already',
      absorbed: 'a',
      into: 'b',
    },
  },
  {
    name: 'an absorbed provider is no survivor',
    given: [merged('a', 'b')],
    when: merge('c', 'a'),
    expect: {
      kind: 'refused',
      code: 'survivor-is-absorbed',
      survivor: 'a',
      into: 'b',
    },
  },
  {
    name: 'no merge closes a cycle',
    given: [merged('a', 'b'), merged('b', 'c', ['a'])],
    when: (state) => merge('c', 'a')(state).kind,
    expect: 'refused',
  },
]);

scenarios('who stands for whom', foldMerges, [
  {
    name: 'a provider that was never absorbed stands for itself',
    given: [merged('a', 'b')],
    when: (state) => [resolveSurvivor(state, 'b'), resolveSurvivor(state, 'z')],
    expect: ['b', 'z'],
  },
  {
    name: 'through a chain of merges',
    given: [merged('a', 'b'), merged('b', 'c', ['a'])],
    when: (state) => [resolveSurvivor(state, 'a'), listAbsorbed(state, 'c')],
    expect: ['c', ['b', 'a']],
  },
]);
