import type { Fact } from '../event-log.ts';
import type { ProviderDetails } from './details.ts';

/** A partner named a provider at a practice for the first time. @see spec "Provider identity (partner lane only)" */
export type ProviderIdentified = Fact<
  'ProviderIdentified',
  ProviderDetails & {
    /** Keyed hash of practice, partner and identity. */
    readonly providerId: string;
    readonly practiceId: string;
    readonly partnerId: string;
    /** The partner's own stable id of the provider. */
    readonly identity: string;
  }
>;

/** A later Bundle told other details: these hold from now on. */
export type ProviderDetailsChanged = Fact<
  'ProviderDetailsChanged',
  ProviderDetails & { readonly providerId: string; readonly practiceId: string }
>;

/** Events of a `provider-` stream. */
export type ProviderEvent = ProviderIdentified | ProviderDetailsChanged;

/** Two identities are one provider: the survivor stands for the absorbed one from now on. */
export type ProvidersMerged = Fact<
  'ProvidersMerged',
  {
    readonly practiceId: string;
    readonly partnerId: string;
    readonly absorbed: string;
    readonly survivor: string;
    /** Identities that were merged into the absorbed one before, and follow it. */
    readonly following: readonly string[];
  }
>;

/** Events of a `merges-` stream: every merge among the providers of a partner at a practice. */
export type MergesEvent = ProvidersMerged;
