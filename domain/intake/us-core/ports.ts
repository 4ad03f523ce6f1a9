import type { RemoteFailure, RemoteResult } from '../../remote-result.ts';
import type { PulledChart } from './pulled-chart.ts';

/** Data about an EHR's authorization server. */
export interface EhrServer {
  /** Its own issuer; null where it does not say: then an id_token cannot be verified. */
  readonly issuer: string | null;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string | null;
  readonly idTokenAlgorithms: readonly string[] | null;
}

/** A launch on its way through the EHR's sign-in. */
export interface PendingLaunch {
  /** The EHR's FHIR address, from the allow-list. */
  readonly issuer: string;
  readonly server: EhrServer;
  /** The PKCE verifier: proves to the EHR that the code is ours. */
  readonly verifier: string;
}

/** Finds an EHR's authorization server. @param issuer one of the allow-list */
export type DiscoverEhr = (issuer: string) => Promise<RemoteResult<EhrServer>>;

/** The random parts of a launch, and where to send the browser. */
export interface LaunchSecrets {
  readonly state: string;
  readonly verifier: string;
  /** S256 of the verifier. */
  readonly challenge: string;
}

/** Access granted to a launch. It is deleted after the chart is read. */
export interface EhrAccess {
  readonly issuer: string;
  readonly token: string;
  readonly patientId: string;
  readonly encounterId: string | null;
  /** As granted, or null if the EHR does not state it: then as requested. */
  readonly scope: string | null;
  /** True if the patient's name and birth date must be shown: unless the EHR shows them. */
  readonly needsPatientBanner: boolean;
}

/** Result of a callback from the EHR. */
export type CodeExchange =
  | { readonly kind: 'access'; readonly access: EhrAccess }
  /** The EHR sent the browser back with an error of OAuth. */
  | { readonly kind: 'ehr-error'; readonly isDenied: boolean; readonly isTemporary: boolean }
  /** The callback is no answer that the registry can use. */
  | { readonly kind: 'unusable' }
  /** The token names no patient. */
  | { readonly kind: 'no-patient' }
  | { readonly kind: 'trouble'; readonly trouble: RemoteFailure };

/** Exchanges the code of a callback. @param callback the query of the callback as it came */
export type ExchangeCode = (
  launch: PendingLaunch,
  state: string,
  callback: URLSearchParams,
) => Promise<CodeExchange>;

/** Reads the launched patient's chart; a part that fails is named in it. The Patient must be there. */
export type PullChart = (access: EhrAccess) => Promise<RemoteResult<PulledChart>>;

/** Scopes requested from an EHR. @see spec "Pull lane (EHR launch); no API key" */
export const LAUNCH_SCOPES =
  'launch openid fhirUser patient/Patient.read patient/Observation.read patient/Condition.read patient/Encounter.read';

/** A type of resource that the registry reads. */
export type PulledType = 'Patient' | 'Observation' | 'Condition' | 'Encounter';

/** Extent of read access to a type; `narrowed`: some categories only. */
export type Grant = 'all' | 'narrowed' | 'none';

const SCOPE = /^(?:patient|user|system)\/([A-Za-z]+|\*)\.(read|\*|[cruds]+)(\?.*)?$/;

/** Version 2 letters: `r` reads one, `s` searches. */
const grantsRead = (letters: string, type: PulledType): boolean =>
  letters === 'read' || letters === '*' || letters.includes(type === 'Patient' ? 'r' : 's');

/**
 * Finds the read access to a type in a granted scope, in the syntax of SMART 1 (`.read`) or 2
 * (`.rs`, with or without a filter).
 * @param scope null if the EHR does not state it: then as requested (RFC 6749, 5.1)
 */
export const findGrant = (scope: string | null, type: PulledType): Grant => {
  let grant: Grant = 'none';
  for (const one of (scope ?? LAUNCH_SCOPES).split(/\s+/)) {
    const [, named, letters = '', filter] = SCOPE.exec(one) ?? [];
    if ((named !== type && named !== '*') || !grantsRead(letters, type)) continue;
    if (filter === undefined) return 'all';
    grant = 'narrowed';
  }
  return grant;
};
