import { defineEvents, type InferEvent } from '../define-events.ts';
import { array, object, text } from '../schema.ts';
import { providerDetails } from './details.ts';

/** Events of a `provider-` stream. */
export const PROVIDER_EVENTS = defineEvents('provider', {
  /** First mention of a provider by a partner at a practice. @see spec "Provider identity (partner lane only)" */
  ProviderIdentified: object({
    /** Keyed hash of practice, partner, and identity. */
    providerId: text,
    practiceId: text,
    partnerId: text,
    /** The partner's own stable id for the provider. */
    identity: text,
    ...providerDetails,
  }),

  /** A later Bundle contained different details, which replace the earlier ones. */
  ProviderDetailsChanged: object({ providerId: text, practiceId: text, ...providerDetails }),
});

type Events = typeof PROVIDER_EVENTS;
export type ProviderEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;

/** Events of a `merges-` stream, one stream per partner and practice. */
export const MERGES_EVENTS = defineEvents('merges', {
  /** Two identities are one provider: the survivor replaces the absorbed one. */
  ProvidersMerged: object({
    practiceId: text,
    partnerId: text,
    absorbed: text,
    survivor: text,
    /** Identities merged into the absorbed one earlier; the survivor replaces them too. */
    following: array(text),
  }),
});

export type MergesEvent = InferEvent<typeof MERGES_EVENTS, 'ProvidersMerged'>;
