import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { type AuthorizationServer, processDiscoveryResponse } from 'oauth4webapi';
import { findTenantAddress } from '../../domain/account/single-sign-on/decide.ts';
import type { RemoteResult } from '../../domain/remote-result.ts';
import { isEndpoint, isNameList } from '../egress/json-body.ts';
import { invalidResponse, toRemoteFailure } from '../egress/remote-failure.ts';
import { createProviderFetch, findProviderPolicy, type NamedBy } from './provider-reach.ts';

export interface ProviderServer {
  readonly server: AuthorizationServer & {
    readonly authorization_endpoint: string;
    readonly token_endpoint: string;
    /** Absent if the provider has none. */
    readonly userinfo_endpoint?: string;
  };
  /** Only algorithms that anyone can verify, none that use the client's secret. */
  readonly algorithms: readonly string[];
  /** If the provider accepts it nowhere else. */
  readonly isSecretInForm: boolean;
  /** Keys of the provider. Looks up an unknown key again. */
  readonly keys: JWTVerifyGetKey;
}

/** The issuer is for all tenants of the provider. */
export class ProviderForAllTenants extends Error {
  override readonly name = 'ProviderForAllTenants';
  /** Issuer of one tenant, to use in its place. */
  readonly address: string;

  constructor(address: string) {
    super('The issuer is for all tenants of the provider.');
    this.address = address;
  }
}

/** Signatures with a private key. @see RFC 7518, RFC 8037, RFC 9864 */
const ALGORITHMS: ReadonlySet<string> = new Set([
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]);

/** Any client can name a key that does not exist. */
const KEYS_AGAIN_MS = 2_000;
const KEYS_TTL_MS = 10 * 60_000;
/** @see https://openid.net/specs/openid-connect-discovery-1_0.html */
export const discoverProvider =
  (namedBy: NamedBy) =>
  async (issuer: string): Promise<RemoteResult<ProviderServer>> => {
    const ask = createProviderFetch(issuer, namedBy);
    try {
      const address = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
      if (findProviderPolicy(address, issuer, namedBy) === null) return invalidResponse();
      const answer = await ask(address, { headers: { Accept: 'application/json' } });
      refuseAllTenants(issuer, await answer.clone().json());
      const metadata = readMetadata(await processDiscoveryResponse(new URL(issuer), answer));
      if (metadata === null) return invalidResponse();
      const { server, jwksUri } = metadata;
      const { authorization_endpoint, token_endpoint, userinfo_endpoint } = server;
      for (const endpoint of [authorization_endpoint, token_endpoint, jwksUri, userinfo_endpoint])
        if (endpoint !== undefined && findProviderPolicy(endpoint, issuer, namedBy) === null)
          return invalidResponse();
      const keys = createRemoteJWKSet(new URL(jwksUri), {
        cooldownDuration: KEYS_AGAIN_MS,
        cacheMaxAge: KEYS_TTL_MS,
        [customFetch]: ask,
      });
      const { algorithms, isSecretInForm } = metadata;
      return { kind: 'answer', value: { server, algorithms, isSecretInForm, keys } };
    } catch (error) {
      return { kind: 'failure', failure: toRemoteFailure(error) };
    }
  };

/** @throws ProviderForAllTenants if the published issuer has a placeholder for the tenant */
const refuseAllTenants = (issuerUrl: string, metadata: unknown): void => {
  const { issuer = null } = (metadata ?? {}) as { readonly issuer?: unknown };
  if (!isEndpoint(issuer) || new URL(issuer).origin !== new URL(issuerUrl).origin) return;
  const address = findTenantAddress(issuer);
  if (address !== null) throw new ProviderForAllTenants(address);
};

/** `null` if a member has the wrong type, or we could not sign anyone in. */
const readMetadata = (published: AuthorizationServer) => {
  // The library checks only that the issuer is ours.
  const {
    issuer,
    authorization_endpoint,
    token_endpoint,
    userinfo_endpoint,
    jwks_uri,
    code_challenge_methods_supported: challenges,
    token_endpoint_auth_methods_supported: places,
    id_token_signing_alg_values_supported: signatures,
    authorization_response_iss_parameter_supported: sendsIssuer,
  } = published as unknown as Readonly<Record<string, unknown>>;
  if (!isEndpoint(issuer) || !isEndpoint(jwks_uri)) return null;
  if (!isEndpoint(authorization_endpoint) || !isEndpoint(token_endpoint)) return null;
  const userInfo = userinfo_endpoint ?? undefined;
  if (userInfo !== undefined && !isEndpoint(userInfo)) return null;
  const challengeMethods = challenges ?? ['S256'];
  const secretPlaces = places ?? ['client_secret_basic'];
  const algorithms = signatures ?? ['RS256'];
  const hasIssuer = sendsIssuer ?? false;
  if (!isNameList(challengeMethods) || !isNameList(secretPlaces) || !isNameList(algorithms))
    return null;
  if (typeof hasIssuer !== 'boolean' || !challengeMethods.includes('S256')) return null;
  const isSecretInForm = !secretPlaces.includes('client_secret_basic');
  if (isSecretInForm && !secretPlaces.includes('client_secret_post')) return null;
  const verifiable = algorithms.filter((algorithm) => ALGORITHMS.has(algorithm));
  if (verifiable.length === 0) return null;
  return {
    server: {
      issuer,
      authorization_endpoint,
      token_endpoint,
      ...(userInfo === undefined ? {} : { userinfo_endpoint: userInfo }),
      authorization_response_iss_parameter_supported: hasIssuer,
    },
    jwksUri: jwks_uri,
    algorithms: verifiable,
    isSecretInForm,
  };
};
