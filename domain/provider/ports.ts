import type { ExpectedRevision } from '../event-log.ts';
import type { AttributedPart, ProviderDetails } from './details.ts';
import type { Provider } from './state.ts';

/** Current state of a provider, and the expected revision of its next append. */
export interface LoadedProvider {
  readonly state: Provider;
  readonly expected: ExpectedRevision;
  /** Survivor after all merges. */
  readonly survivorId: string;
}

/** Providers by their ids, as the read tables have them; an unknown one is left out. */
export type LoadProviders = (
  providerIds: readonly string[],
) => Promise<ReadonlyMap<string, LoadedProvider>>;

export interface ListedProvider extends ProviderDetails {
  readonly providerId: string;
  readonly identity: string;
  /** Provider that it was merged into, or null if not merged. */
  readonly mergedInto: string | null;
}

/** The providers of a practice in the order in which they were identified. */
export type ListProviders = (practiceId: string) => Promise<readonly ListedProvider[]>;

/** Function that a provider has, or had, in a live birth record. */
export interface CareerEntry {
  readonly chartNumber: string | null;
  readonly submissionUuid: string;
  readonly part: AttributedPart;
  /** Time of recording of the version that names the provider, ISO 8601. */
  readonly at: string;
  readonly placeOfBirth: string | null;
  /** Absorbed provider that the version names, or null if it names this one. */
  readonly via: string | null;
  /** Time of the amendment that replaced or removed this provider; absent while it is current. */
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
