import type { DiscoverEhr, EhrServer } from '../../domain/mapping/us-core/ports.ts';
import { cappedFetch } from '../egress/capped-fetch.ts';
import { isPublicAddress } from '../egress/egress-policy.ts';
import { openConnectionsTo } from '../egress/guarded-connections.ts';
import { isEndpoint, isNameList, parseJsonBody } from '../egress/json-body.ts';
import type { EhrLimits } from '../egress/limits.ts';
import { invalidResponse, toRemoteFailure } from '../egress/remote-failure.ts';

const OK = 200;

/** Accepts less than SMART requires, except for PKCE. @see https://hl7.org/fhir/smart-app-launch/conformance.html */
export const createDiscoverEhr =
  (limits: EhrLimits): DiscoverEhr =>
  async (fhirBaseUrl) => {
    try {
      const { status, body } = await cappedFetch(
        `${fhirBaseUrl.replace(/\/+$/, '')}/.well-known/smart-configuration`,
        {
          // The operator listed this EHR, so any address is allowed.
          connections: openConnectionsTo('anywhere'),
          headers: { Accept: 'application/json' },
          withinMs: limits.discoveryMs,
          mostBytes: limits.smallBytes,
        },
      );
      const server = status === OK ? parseServer(parseJsonBody(body)) : null;
      if (server === null) return invalidResponse();
      const { authorizationEndpoint, tokenEndpoint, jwksUri } = server;
      // Only the browser uses the authorization endpoint, but the same rule applies.
      for (const endpoint of [authorizationEndpoint, tokenEndpoint, jwksUri])
        if (endpoint !== null && !(await isPublicAddress(endpoint, fhirBaseUrl)))
          return invalidResponse();
      return { kind: 'answer', value: server };
    } catch (error) {
      return { kind: 'failure', failure: toRemoteFailure(error) };
    }
  };

/** @returns `null` if an endpoint is missing, or a member that we use has the wrong type */
const parseServer = (configuration: unknown): EhrServer | null => {
  if (typeof configuration !== 'object' || configuration === null) return null;
  const listed = configuration as Readonly<Record<string, unknown>>;
  const authorizationEndpoint = listed['authorization_endpoint'];
  const tokenEndpoint = listed['token_endpoint'];
  const methods = listed['code_challenge_methods_supported'] ?? ['S256'];
  const issuer = listed['issuer'] ?? null;
  const jwksUri = listed['jwks_uri'] ?? null;
  const idTokenAlgorithms = listed['id_token_signing_alg_values_supported'] ?? null;
  if (!isEndpoint(authorizationEndpoint) || !isEndpoint(tokenEndpoint)) return null;
  if (issuer !== null && !isEndpoint(issuer)) return null;
  if (jwksUri !== null && !isEndpoint(jwksUri)) return null;
  if (idTokenAlgorithms !== null && !isNameList(idTokenAlgorithms)) return null;
  if (!isNameList(methods) || !methods.includes('S256')) return null;
  return { authorizationEndpoint, tokenEndpoint, issuer, jwksUri, idTokenAlgorithms };
};
