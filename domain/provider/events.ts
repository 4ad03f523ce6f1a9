import type { Fact } from '../event-log.ts';
import type { ProviderDetails } from './details.ts';

/** First mention of a provider by a partner at a practice. @see spec "Provider identity (partner lane only)" */
export type ProviderIdentified = Fact<
  'ProviderIdentified',
  ProviderDetails & {
    /** Keyed hash of practice, partner, and identity. */
    readonly providerId: string;
    readonly practiceId: string;
    readonly partnerId: string;
    /** The partner's own stable id for the provider. */
    readonly identity: string;
  }
>;

/** A later Bundle contained different details, which replace the earlier ones. */
export type ProviderDetailsChanged = Fact<
  'ProviderDetailsChanged',
  ProviderDetails & { readonly providerId: string; readonly practiceId: string }
>;

/** Events of a `provider-` stream. */
export type ProviderEvent = ProviderIdentified | ProviderDetailsChanged;

/** Two identities are one provider: the survivor replaces the absorbed one. */
export type ProvidersMerged = Fact<
  'ProvidersMerged',
  {
    readonly practiceId: string;
    readonly partnerId: string;
    readonly absorbed: string;
    readonly survivor: string;
    /** Identities merged into the absorbed one earlier; the survivor replaces them too. */
    readonly following: readonly string[];
  }
>;

/** Events of a `merges-` stream, one stream per partner and practice. */
export type MergesEvent = ProvidersMerged;
