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

export interface ListedProvider extends ProviderDetails {
  readonly providerId: string;
  readonly identity: string;
  /** Provider that it was merged into, or `null` if not merged. */
  readonly mergedInto: string | null;
}

/** Function that a provider has, or had, in a live birth record. */
export interface CareerEntry {
  readonly chartNumber: string | null;
  readonly submissionUuid: string;
  readonly part: AttributedPart;
  /** Time of recording of the version that names the provider, ISO 8601. */
  readonly at: string;
  readonly placeOfBirth: string | null;
  /** Absorbed provider that the version names, or `null` if it names this one. */
  readonly via: string | null;
  /** Time of the amendment that replaced or removed this provider; absent while it is current. */
  readonly replacedAt?: string;
}
