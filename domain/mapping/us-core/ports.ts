import type { RemoteFailure, RemoteResult } from '../../remote-result.ts';
import type { PulledChart } from './pulled-chart.ts';

export interface EhrServer {
  /** Issuer of its id_tokens. If null, an id_token cannot be verified. */
  readonly issuer: string | null;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string | null;
  readonly idTokenAlgorithms: readonly string[] | null;
}

/** Launch that is waiting for the EHR's sign-in. */
export interface PendingLaunch {
  /** SMART's `iss`. */
  readonly fhirBaseUrl: string;
  readonly server: EhrServer;
  /** PKCE verifier, which proves to the EHR that the code belongs to this launch. */
  readonly verifier: string;
}

export type DiscoverEhr = (fhirBaseUrl: string) => Promise<RemoteResult<EhrServer>>;

export interface LaunchSecrets {
  readonly state: string;
  readonly verifier: string;
  /** S256 of the verifier. */
  readonly challenge: string;
}

/** Access granted to a launch. It is deleted after the chart is read. */
export interface EhrAccess {
  readonly fhirBaseUrl: string;
  readonly token: string;
  readonly patientId: string;
  readonly encounterId: string | null;
  /** Granted scope. If null, the EHR did not state it, and the requested scope applies. */
  readonly scope: string | null;
  /** True if pages must show the patient's name and birth date, because the EHR does not. */
  readonly needsPatientBanner: boolean;
}

export type CodeExchange =
  | { readonly kind: 'access'; readonly access: EhrAccess }
  /** The EHR redirected the browser with an OAuth error. */
  | { readonly kind: 'ehr-error'; readonly isDenied: boolean; readonly isTemporary: boolean }
  /** The EHR did not answer with an OAuth response to this launch. */
  | { readonly kind: 'unusable' }
  /** The token response has no patient. */
  | { readonly kind: 'no-patient' }
  | { readonly kind: 'failure'; readonly failure: RemoteFailure };

export type ExchangeCode = (
  launch: PendingLaunch,
  state: string,
  callback: URLSearchParams,
) => Promise<CodeExchange>;

/**
 * Lists the parts that failed, but fails without the Patient.
 * @param claimMemory if false, reading ends
 */
export type PullChart = (
  access: EhrAccess,
  claimMemory?: (bytes: number) => Promise<boolean>,
) => Promise<RemoteResult<PulledChart>>;

/** Scopes requested from an EHR. @see spec "Pull lane (EHR launch); no API key" */
export const LAUNCH_SCOPES =
  'launch openid fhirUser patient/Patient.read patient/Observation.read patient/Condition.read patient/Encounter.read';

export type PulledType = 'Patient' | 'Observation' | 'Condition' | 'Encounter';

/** `narrowed`: only some categories. */
export type Grant = 'all' | 'narrowed' | 'none';

const SCOPE = /^(?:patient|user|system)\/([A-Za-z]+|\*)\.(read|\*|[cruds]+)(\?.*)?$/;

/** In version 2, `r` reads one resource and `s` searches. */
const grantsRead = (letters: string, type: PulledType): boolean =>
  letters === 'read' || letters === '*' || letters.includes(type === 'Patient' ? 'r' : 's');

/**
 * SMART 1 (`.read`) or 2 (`.rs`, with or without a filter).
 * @param scope null if the requested scope applies (RFC 6749, 5.1)
 */
export const findGrant = (scope: string | null, type: PulledType): Grant => {
  let grant: Grant = 'none';
  for (const one of (scope ?? LAUNCH_SCOPES).split(/\s+/)) {
    const [, resourceType, letters = '', filter] = SCOPE.exec(one) ?? [];
    if ((resourceType !== type && resourceType !== '*') || !grantsRead(letters, type)) continue;
    if (filter === undefined) return 'all';
    grant = 'narrowed';
  }
  return grant;
};
