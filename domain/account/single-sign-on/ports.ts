import type { RemoteResult } from '../../remote-result.ts';

export interface ProviderClient {
  /** Practice that set up the provider; `null` if the operator did, for the whole service. */
  readonly practiceId: string | null;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Redirect address of the sign-in. Unique for each client, to prevent mix-up attacks. */
  readonly redirectUri: string;
}

/** Binds the provider's response to the browser of the request: 256 random bits each. */
export interface SignInSecrets {
  readonly nonce: string;
  readonly verifier: string;
}

export interface ProviderClaims {
  readonly issuer: string;
  /** Permanent identifier of the person at the provider. */
  readonly subject: string;
  readonly sid: string | null;
  readonly email: string | null;
  readonly isEmailVerified: boolean | null;
  /** Authentication methods at the provider. @see RFC 8176 */
  readonly methods: readonly string[];
  readonly authenticatedAt: Date | null;
  readonly issuedAt: Date;
}

export type ProviderSignIn =
  | { readonly kind: 'signed-in'; readonly claims: ProviderClaims }
  /** The provider redirected the browser with an OAuth error. */
  | { readonly kind: 'declined' }
  | { readonly kind: 'unusable' }
  /** The token is not for this sign-in: its signature, issuer, audience, time, or nonce is wrong. */
  | { readonly kind: 'wrong-token'; readonly cause: unknown }
  | { readonly kind: 'failure'; readonly cause: unknown };

/** End of a session at the provider. @see OpenID Connect Back-Channel Logout 1.0 */
export interface ProviderLogout {
  readonly issuer: string;
  /** Unique for each token. */
  readonly tokenId: string;
  readonly subject: string | null;
  readonly sid: string | null;
  readonly issuedAt: Date;
}

export type ProviderCheck =
  | { readonly kind: 'fit' | 'unfit' }
  /** It is for all tenants; `address` is the issuer to use. */
  | { readonly kind: 'all-tenants'; readonly address: string };

export interface IdentityProviders {
  newSecrets(): SignInSecrets;
  check(issuer: string): Promise<ProviderCheck>;
  /** Address of the sign-in page. @param isAgain requires a new sign-in, even within a session */
  signInAddress(
    client: ProviderClient,
    state: string,
    secrets: SignInSecrets,
    isAgain: boolean,
  ): Promise<RemoteResult<string>>;
  /** Exchanges the code of a callback. @param callback raw query */
  finish(
    client: ProviderClient,
    state: string,
    secrets: SignInSecrets,
    callback: URLSearchParams,
  ): Promise<ProviderSignIn>;
  readLogout(client: ProviderClient, token: string): Promise<ProviderLogout | null>;
}
