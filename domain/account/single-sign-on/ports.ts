import type { RemoteResult } from '../../remote-result.ts';

/** The registry as it is known at an identity provider. */
export interface ProviderClient {
  /** The practice that has set the provider up; null: the operator has, for the whole service. */
  readonly practiceId: string | null;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the provider sends the browser back to. Another one for each client, so that providers cannot be mixed up. */
  readonly redirectUri: string;
}

/** What ties the answer of a provider to the browser that has asked: 256 random bits each. */
export interface SignInSecrets {
  readonly nonce: string;
  /** The PKCE verifier. */
  readonly verifier: string;
}

/** What a provider says of a person who has signed in there. */
export interface ProviderClaims {
  /** As the provider names itself. */
  readonly issuer: string;
  /** Names the person at the provider, permanently. */
  readonly subject: string;
  /** The session there; null: the provider does not say. */
  readonly sid: string | null;
  /** As it came; null: the provider does not say. */
  readonly email: string | null;
  /** Null: the provider does not say. */
  readonly isEmailVerified: boolean | null;
  /** How the person has signed in there. @see RFC 8176 */
  readonly methods: readonly string[];
  /** When they did; null: the provider does not say. */
  readonly authenticatedAt: Date | null;
  readonly issuedAt: Date;
}

/** The result of a callback. */
export type ProviderSignIn =
  | { readonly kind: 'signed-in'; readonly claims: ProviderClaims }
  /** The provider sent the browser back with an error of OAuth. */
  | { readonly kind: 'declined' }
  /** The callback is no answer that can be used. */
  | { readonly kind: 'unusable' }
  /** The token is not one for this sign-in: its signature, issuer, audience, time or nonce is wrong. */
  | { readonly kind: 'wrong-token'; readonly cause: unknown }
  | { readonly kind: 'trouble'; readonly cause: unknown };

/** A provider says that a session there is over. @see OpenID Connect Back-Channel Logout 1.0 */
export interface ProviderLogout {
  readonly issuer: string;
  /** Never the same twice. */
  readonly tokenId: string;
  /** The person; null: only the session is named. */
  readonly subject: string | null;
  /** The session; null: all that the person has. */
  readonly sid: string | null;
  readonly issuedAt: Date;
}

/** How identity providers are asked. */
export interface IdentityProviders {
  newSecrets(): SignInSecrets;
  /** Whether there is a provider that a practice may use. */
  isFit(issuer: string): Promise<boolean>;
  /** The address at which a person signs in there. @param isAgain also one who has a session there */
  signInAddress(
    client: ProviderClient,
    state: string,
    secrets: SignInSecrets,
    isAgain: boolean,
  ): Promise<RemoteResult<string>>;
  /** Exchanges the code of a callback. @param callback its query as it came */
  finish(
    client: ProviderClient,
    state: string,
    secrets: SignInSecrets,
    callback: URLSearchParams,
  ): Promise<ProviderSignIn>;
  /** Reads the logout token of a provider; null: it is not valid. */
  readLogout(client: ProviderClient, token: string): Promise<ProviderLogout | null>;
}
