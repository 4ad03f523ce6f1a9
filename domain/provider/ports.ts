import type { ExpectedRevision } from '../event-log.ts';
import type { AttributedPart, ProviderDetails } from './details.ts';
import type { Provider } from './state.ts';

export interface LoadedProvider {
  readonly state: Provider;
  readonly expected: ExpectedRevision;
  readonly survivorId: string;
}

export interface ListedProvider extends ProviderDetails {
  readonly providerId: string;
  readonly identity: string;
  readonly mergedInto: string | null;
}

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
