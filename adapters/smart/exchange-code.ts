import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  generateRandomCodeVerifier,
  generateRandomState,
  getValidatedIdTokenClaims,
  None,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  ResponseBodyError,
  type TokenEndpointResponse,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi';
import { asObject, isObject, type JsonObject } from '../../domain/fhir/json.ts';
import { isResourceId } from '../../domain/fhir/resources.ts';
import type {
  CodeExchange,
  ExchangeCode,
  LaunchSecrets,
  PendingLaunch,
} from '../../domain/mapping/us-core/ports.ts';
import { MAX_CLOCK_DIFFERENCE_S, parseStatedTime } from '../../domain/stated-time.ts';
import { cappedFetch } from '../egress/capped-fetch.ts';
import { findEgressPolicy } from '../egress/egress-policy.ts';
import { openConnectionsTo } from '../egress/guarded-connections.ts';
import { parseJsonBody } from '../egress/json-body.ts';
import type { EhrLimits } from '../egress/limits.ts';
import { invalidResponse, toRemoteFailure } from '../egress/remote-failure.ts';

/** State and PKCE verifier of a launch, 256 random bits each. */
export const createLaunchSecrets = async (): Promise<LaunchSecrets> => {
  const verifier = generateRandomCodeVerifier();
  const challenge = await calculatePKCECodeChallenge(verifier);
  return { state: generateRandomState(), verifier, challenge };
};

export interface EhrClient {
  readonly clientId: string;
  readonly redirectUri: string;
}

/** As a public client. Drops an id_token unread if the EHR publishes no keys: it grants no access. */
export const createExchangeCode =
  ({ clientId, redirectUri }: EhrClient, limits: EhrLimits): ExchangeCode =>
  async (launch, state, callback) => {
    const client: Client = { client_id: clientId, [clockTolerance]: MAX_CLOCK_DIFFERENCE_S };
    const server = toServer(launch);
    const parameters = new URLSearchParams(callback);
    // Without the EHR's issuer, there is nothing to compare `iss` (RFC 9207) with.
    if (launch.server.issuer === null) parameters.delete('iss');
    let validated: URLSearchParams;
    try {
      validated = validateAuthResponse(server, client, parameters, state);
    } catch (error) {
      if (!(error instanceof AuthorizationResponseError)) return { kind: 'unusable' };
      return {
        kind: 'ehr-error',
        isDenied: error.error === 'access_denied',
        isTemporary: ['server_error', 'temporarily_unavailable'].includes(error.error),
      };
    }
    if (validated.getAll('code').length !== 1) return { kind: 'unusable' };
    try {
      const response = await authorizationCodeGrantRequest(
        server,
        client,
        None(),
        validated,
        redirectUri,
        launch.verifier,
        buildFetchOptions(launch, limits),
      );
      const token = await processAuthorizationCodeResponse(server, client, response);
      const claims = getValidatedIdTokenClaims(token);
      if (claims !== undefined) {
        await validateApplicationLevelSignature(
          server,
          response,
          buildFetchOptions(launch, limits),
        );
        const { iat, azp = clientId } = claims;
        if (azp !== clientId || parseStatedTime(iat, new Date()) === null) return invalidResponse();
      }
      return toAccess(token, launch.fhirBaseUrl);
    } catch (cause) {
      const isRefused = cause instanceof ResponseBodyError;
      const isUnfit = cause instanceof OperationProcessingError;
      return {
        kind: 'failure',
        failure:
          isRefused || isUnfit
            ? { why: isRefused ? 'refused' : 'invalid-response', cause }
            : toRemoteFailure(cause),
      };
    }
  };

const toServer = ({ fhirBaseUrl, server }: PendingLaunch): AuthorizationServer => ({
  issuer: server.issuer ?? fhirBaseUrl,
  authorization_endpoint: server.authorizationEndpoint,
  token_endpoint: server.tokenEndpoint,
  ...(server.jwksUri === null ? {} : { jwks_uri: server.jwksUri }),
  ...(server.idTokenAlgorithms === null
    ? {}
    : { id_token_signing_alg_values_supported: [...server.idTokenAlgorithms] }),
});

const buildFetchOptions = ({ fhirBaseUrl, server }: PendingLaunch, limits: EhrLimits) => ({
  // The endpoints were checked: only loopback EHRs may use plain http.
  [allowInsecureRequests]: fhirBaseUrl.startsWith('http:'),
  [customFetch]: async (
    url: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
  ): Promise<Response> => {
    const reach = findEgressPolicy(url, fhirBaseUrl);
    if (reach === null) throw new TypeError('The endpoint was not checked when it was found.');
    const answer = await cappedFetch(url, {
      connections: openConnectionsTo(reach),
      method,
      headers,
      body: body as URLSearchParams | null,
      withinMs: limits.tokenMs,
      mostBytes: limits.smallBytes,
    });
    const isVerifiable = server.issuer !== null && server.jwksUri !== null;
    return new Response(
      hasNoBody(answer.status)
        ? null
        : isVerifiable
          ? toUsableBody(answer.body)
          : removeIdToken(answer.body),
      {
        status: answer.status,
        // Not every server sends this header. The parser refuses non-JSON anyway.
        headers: { 'Content-Type': 'application/json' },
      },
    );
  },
});

const hasNoBody = (status: number): boolean => [204, 205, 304].includes(status);

/** Removes a byte order mark and members that are `null`. Returns non-objects unchanged. */
const toUsableBody = (body: Buffer): string | Uint8Array<ArrayBuffer> => {
  const answer = parseJsonBody(body);
  return isObject(answer) ? JSON.stringify(removeNulls(answer)) : new Uint8Array(body);
};

const removeIdToken = (body: Buffer): string => {
  const { id_token: _unverifiable, ...rest } = removeNulls(asObject(parseJsonBody(body)));
  return JSON.stringify(rest);
};

const removeNulls = (answer: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null));

const toAccess = (token: TokenEndpointResponse, fhirBaseUrl: string): CodeExchange => {
  const { access_token, scope, patient, encounter, need_patient_banner } = token;
  if (typeof patient !== 'string' || !isResourceId(patient)) return { kind: 'no-patient' };
  return {
    kind: 'access',
    access: {
      fhirBaseUrl,
      token: access_token,
      patientId: patient,
      scope: scope ?? null,
      encounterId: typeof encounter === 'string' && isResourceId(encounter) ? encounter : null,
      needsPatientBanner: need_patient_banner !== false,
    },
  };
};
