import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { type AuthorizationServer, processDiscoveryResponse } from 'oauth4webapi';
import type { RemoteResult } from '../../domain/remote-result.ts';
import { invalidResponse, toRemoteFailure } from '../egress/remote-failure.ts';
import { createProviderFetch, findProviderPolicy, type NamedBy } from './provider-reach.ts';

/** Metadata of an identity provider. */
export interface ProviderServer {
  readonly server: AuthorizationServer & {
    readonly authorization_endpoint: string;
    readonly token_endpoint: string;
  };
  /** Only algorithms that anyone can verify, none that use the client's secret. */
  readonly algorithms: readonly string[];
  /**
   * True if the client's secret must be in the form because the provider accepts it nowhere else.
   */
  readonly isSecretInForm: boolean;
  /** Keys of the provider. Looks up an unknown key again. */
  readonly keys: JWTVerifyGetKey;
}

/** Signatures with a private key. @see RFC 7518, RFC 8037, RFC 9864 */
const ALGORITHMS: ReadonlySet<string> = new Set([
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]);

/**
 * Minimum time between two requests for a provider's keys, because any client can name a key that
 * does not exist.
 */
const KEYS_AGAIN_MS = 2_000;
const KEYS_KEPT_MS = 10 * 60_000;
/** Browsers and proxies limit the length of addresses. */
const MAX_ENDPOINT_LENGTH = 2_000;

/** @see https://openid.net/specs/openid-connect-discovery-1_0.html */
export const discoverProvider =
  (namedBy: NamedBy) =>
  async (issuer: string): Promise<RemoteResult<ProviderServer>> => {
    const ask = createProviderFetch(issuer, namedBy);
    try {
      const address = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
      if (findProviderPolicy(address, issuer, namedBy) === null) return invalidResponse();
      const answer = await ask(address, { headers: { Accept: 'application/json' } });
      const server = await processDiscoveryResponse(new URL(issuer), answer);
      const { authorization_endpoint, token_endpoint, jwks_uri } = server;
      if (!authorization_endpoint || !token_endpoint || !jwks_uri) return invalidResponse();
      for (const endpoint of [authorization_endpoint, token_endpoint, jwks_uri])
        if (
          endpoint.length > MAX_ENDPOINT_LENGTH ||
          findProviderPolicy(endpoint, issuer, namedBy) === null
        )
          return invalidResponse();
      const methods = server.code_challenge_methods_supported;
      if (methods !== undefined && !methods.includes('S256')) return invalidResponse();
      const secretGoes = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const isSecretInForm = !secretGoes.includes('client_secret_basic');
      if (isSecretInForm && !secretGoes.includes('client_secret_post')) return invalidResponse();
      const algorithms = (server.id_token_signing_alg_values_supported ?? ['RS256']).filter(
        (algorithm) => ALGORITHMS.has(algorithm),
      );
      return {
        kind: 'answer',
        value: {
          server: { ...server, authorization_endpoint, token_endpoint },
          algorithms,
          isSecretInForm,
          keys: createRemoteJWKSet(new URL(jwks_uri), {
            cooldownDuration: KEYS_AGAIN_MS,
            cacheMaxAge: KEYS_KEPT_MS,
            [customFetch]: ask,
          }),
        },
      };
    } catch (error) {
      return { kind: 'trouble', trouble: toRemoteFailure(error) };
    }
  };
