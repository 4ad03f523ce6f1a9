import type { Fold } from '../fold.ts';
import type { MergesEvent, ProviderEvent } from './events.ts';

export type Provider =
  | { readonly status: 'unknown' }
  | ({ readonly status: 'known' } & ProviderEvent<'ProviderIdentified'>['data']);

export const unknownProvider: Provider = { status: 'unknown' };

export const evolve = (state: Provider, event: ProviderEvent): Provider => {
  switch (event.type) {
    case 'ProviderIdentified':
      return { status: 'known', ...event.data };
    case 'ProviderDetailsChanged':
      return state.status === 'unknown' ? state : { ...state, ...event.data };
  }
};

/** Survivor by absorbed identity, for the providers of a partner at a practice. */
export type Merges = ReadonlyMap<string, string>;

export const noMerges: Merges = new Map();

export const evolveMerges = (state: Merges, event: MergesEvent): Merges => {
  switch (event.type) {
    case 'ProvidersMerged':
      return new Map([...state, [event.data.absorbed, event.data.survivor]]);
  }
};

export const resolveSurvivor = (merges: Merges, providerId: string): string => {
  let at = providerId;
  // Terminates: a merge is refused if either side was already absorbed, so there are no cycles.
  for (let next = merges.get(at); next !== undefined; next = merges.get(at)) at = next;
  return at;
};

export const listAbsorbed = (merges: Merges, providerId: string): readonly string[] => {
  const direct = [...merges].flatMap(([absorbed, survivor]) =>
    survivor === providerId ? [absorbed] : [],
  );
  return direct.flatMap((absorbed) => [absorbed, ...listAbsorbed(merges, absorbed)]);
};

export const providerFold: Fold<Provider, ProviderEvent> = { initial: unknownProvider, evolve };

export const mergesFold: Fold<Merges, MergesEvent> = { initial: noMerges, evolve: evolveMerges };
