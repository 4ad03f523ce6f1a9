import type { ExpectedRevision } from '../event-log.ts';
import type { AttributedPart, ProviderDetails } from './details.ts';
import type { Provider } from './state.ts';

/** A provider as it stands now, and the fence for its next append. */
export interface LoadedProvider {
  readonly state: Provider;
  readonly expected: ExpectedRevision;
  /** Who stands for it after all merges. */
  readonly survivorId: string;
}

/** Providers by their ids, as the read tables have them; an unknown one is left out. */
export type LoadProviders = (
  providerIds: readonly string[],
) => Promise<ReadonlyMap<string, LoadedProvider>>;

/** A provider of a practice, for lists. */
export interface ListedProvider extends ProviderDetails {
  readonly providerId: string;
  readonly identity: string;
  /** The provider that it was merged into; null for one that stands for itself. */
  readonly mergedInto: string | null;
}

/** The providers of a practice in the order in which they were identified. */
export type ListProviders = (practiceId: string) => Promise<readonly ListedProvider[]>;

/** One part that a provider has, or had, in a live birth record. */
export interface CareerEntry {
  readonly chartNumber: string | null;
  readonly submissionUuid: string;
  readonly part: AttributedPart;
  /** When the version that names the provider was recorded, ISO 8601. */
  readonly at: string;
  readonly placeOfBirth: string | null;
  /** The absorbed provider that the version names; null if it names this one. */
  readonly via: string | null;
  /** When an amendment named another provider for the part, or none; absent while it names this one. */
  readonly replacedAt?: string;
}

/** The career log of a provider, oldest first; null for an unknown one. */
export type FindCareer = (providerId: string) => Promise<readonly CareerEntry[] | null>;

/**
 * Streams of the records, live and voided, that are attributed to any of these providers, in the
 * order of their names.
 * @param after only streams whose name comes after this one
 */
export type AttributedStreams = (
  providerIds: readonly string[],
  after: string,
  most: number,
) => Promise<readonly string[]>;
