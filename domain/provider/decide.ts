import { accept, type Decision, type Refusal, refuse } from '../decision.ts';
import type { NamedProvider } from './details.ts';
import { mergeDetails, type ProviderDetails } from './details.ts';
import type { MergesEvent, ProviderEvent } from './events.ts';
import { listAbsorbed, type Merges, type Provider } from './state.ts';

export interface RecordMention {
  readonly practiceId: string;
  readonly partnerId: string;
  readonly provider: NamedProvider;
}

/**
 * Details that a mention omits are left unchanged; the role `other` counts as omitted.
 * @see spec "Provider identity (partner lane only)"
 */
export const recordMention = (
  { practiceId, partnerId, provider }: RecordMention,
  known: Provider,
): readonly ProviderEvent[] => {
  const { providerId, identity, npi, name, credentials, role } = provider;
  const details = { npi, name, credentials, role };
  if (known.status === 'unknown')
    return [
      {
        type: 'ProviderIdentified',
        data: { providerId, practiceId, partnerId, identity, ...details },
      },
    ];
  const merged = mergeDetails(details, known);
  return isSame(merged, known)
    ? []
    : [{ type: 'ProviderDetailsChanged', data: { providerId, practiceId, ...merged } }];
};

const isSame = (a: ProviderDetails, b: ProviderDetails): boolean =>
  a.npi === b.npi && a.name === b.name && a.credentials === b.credentials && a.role === b.role;

export interface MergeProviders {
  readonly practiceId: string;
  readonly absorbed: string;
  readonly survivor: string;
}

export interface MergeSides {
  readonly absorbed: Provider;
  readonly survivor: Provider;
}

/** Checked before earlier merges are loaded. */
export const findPartnerOfMerge = (
  command: MergeProviders,
  { absorbed, survivor }: MergeSides,
): { readonly kind: 'accepted'; readonly partnerId: string } | Refusal => {
  const { practiceId } = command;
  if (absorbed.status === 'unknown' || absorbed.practiceId !== practiceId) return NO_ABSORBED;
  if (survivor.status === 'unknown' || survivor.practiceId !== practiceId) return NO_SURVIVOR;
  if (command.absorbed === command.survivor) return refuse({ code: 'merge-into-itself' });
  if (absorbed.partnerId !== survivor.partnerId)
    return refuse({ code: 'providers-of-two-partners' });
  return { kind: 'accepted', partnerId: absorbed.partnerId };
};

const NO_ABSORBED = refuse({ code: 'no-absorbed-provider' });
const NO_SURVIVOR = refuse({ code: 'no-surviving-provider' });

/**
 * Refused if either side was already absorbed by another provider, so merges never form a cycle.
 * @see spec "Provider identity (partner lane only)"
 */
export const mergeProviders = (
  command: MergeProviders & { readonly partnerId: string },
  merges: Merges,
): Decision<MergesEvent> => {
  const { practiceId, partnerId, absorbed, survivor } = command;
  const into = merges.get(absorbed);
  if (into === survivor) return accept();
  if (into !== undefined) return refuse({ code: 'absorbed-already', absorbed, into });
  const survivorInto = merges.get(survivor);
  if (survivorInto !== undefined)
    return refuse({ code: 'survivor-is-absorbed', survivor, into: survivorInto });
  const following = listAbsorbed(merges, absorbed);
  return accept({
    type: 'ProvidersMerged',
    data: { practiceId, partnerId, absorbed, survivor, following },
  });
};
