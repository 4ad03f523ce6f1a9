import type { Fold } from '../fold.ts';
import type { MergesEvent, ProviderEvent, ProviderIdentified } from './events.ts';

/** A provider as a partner's Bundles have told it. */
export type Provider =
  | { readonly status: 'unknown' }
  | ({ readonly status: 'known' } & ProviderIdentified['data']);

/** A provider before its first event. */
export const unknownProvider: Provider = { status: 'unknown' };

/** The provider after one more event. */
export const evolve = (state: Provider, event: ProviderEvent): Provider => {
  switch (event.type) {
    case 'ProviderIdentified':
      return { status: 'known', ...event.data };
    case 'ProviderDetailsChanged':
      return state.status === 'unknown' ? state : { ...state, ...event.data };
  }
};

/** The merges among the providers of a partner at a practice: survivor by absorbed identity. */
export type Merges = ReadonlyMap<string, string>;

/** Before the first merge. */
export const noMerges: Merges = new Map();

/** The merges after one more. */
export const evolveMerges = (state: Merges, event: MergesEvent): Merges => {
  switch (event.type) {
    case 'ProvidersMerged':
      return new Map([...state, [event.data.absorbed, event.data.survivor]]);
  }
};

/** Who stands for a provider after all merges; the provider itself if it was never absorbed. */
export const resolveSurvivor = (merges: Merges, providerId: string): string => {
  let at = providerId;
  // No cycles: a merge is refused when either side is absorbed already.
  for (let next = merges.get(at); next !== undefined; next = merges.get(at)) at = next;
  return at;
};

/** The identities that name a provider through merges, not the provider itself. */
export const listAbsorbed = (merges: Merges, providerId: string): readonly string[] => {
  const direct = [...merges].flatMap(([absorbed, survivor]) =>
    survivor === providerId ? [absorbed] : [],
  );
  return direct.flatMap((absorbed) => [absorbed, ...listAbsorbed(merges, absorbed)]);
};

/** How a stream of a provider is read. */
export const providerFold: Fold<Provider, ProviderEvent> = { initial: unknownProvider, evolve };

/** How a stream of merges is read. */
export const mergesFold: Fold<Merges, MergesEvent> = { initial: noMerges, evolve: evolveMerges };
