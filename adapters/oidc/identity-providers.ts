import { errors, type JWTPayload, jwtVerify } from 'jose';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  ClientSecretBasic,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  generateRandomCodeVerifier,
  generateRandomNonce,
  OperationProcessingError,
  PARSE_ERROR,
  processAuthorizationCodeResponse,
  processUserInfoResponse,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
  ResponseBodyError,
  UnsupportedOperationError,
  type UserInfoResponse,
  userInfoRequest,
  validateAuthResponse,
} from 'oauth4webapi';
import type {
  IdentityProviders,
  ProviderClaims,
  ProviderClient,
  ProviderLogout,
  ProviderSignIn,
  SignInSecrets,
} from '../../domain/account/single-sign-on/ports.ts';
import { MAX_CLOCK_DIFFERENCE_S, parseStatedTime } from '../../domain/stated-time.ts';
import { discoverOnce } from '../smart/discover-once.ts';
import {
  discoverProvider,
  ProviderForAllTenants,
  type ProviderServer,
} from './discover-provider.ts';
import { createProviderFetch, type NamedBy } from './provider-reach.ts';

/** Maximum age of an id_token or logout token, in seconds. */
const MAX_TOKEN_AGE_S = 600;
/** A provider asks a person again who signed in there longer ago than this, in seconds. */
const MAX_SIGN_IN_AGE_S = 12 * 60 * 60;
/** @see OpenID Connect Core, section 2: at most 255 ASCII characters */
const MAX_SUBJECT_LENGTH = 255;
/** Maximum length of other ids in bytes. The standard sets no limit. */
const MAX_ID_LENGTH = 1_000;

const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';

class ProviderAway extends Error {
  override readonly name = 'ProviderAway';
}

/** Code flow with PKCE, state, and nonce. @param isOnThisMachine true for development */
export const createIdentityProviders = (isOnThisMachine: boolean): IdentityProviders => {
  const ofPractices: NamedBy = isOnThisMachine ? 'practice-on-this-machine' : 'practice';
  const namedBy = ({ practiceId }: ProviderClient): NamedBy =>
    practiceId === null ? 'operator' : ofPractices;
  const ask = {
    operator: discoverOnce(discoverProvider('operator')),
    practice: discoverOnce(discoverProvider(ofPractices)),
  };
  const discover = ({ practiceId, issuer }: ProviderClient) =>
    ask[practiceId === null ? 'operator' : 'practice'](issuer);

  return {
    newSecrets: () => ({ nonce: generateRandomNonce(), verifier: generateRandomCodeVerifier() }),

    async check(issuer) {
      const found = await discoverProvider(ofPractices)(issuer);
      if (found.kind === 'answer') return { kind: 'fit' };
      const { cause } = found.failure;
      return cause instanceof ProviderForAllTenants
        ? { kind: 'all-tenants', address: cause.address }
        : { kind: 'unfit' };
    },

    async signInAddress(client, state, { nonce, verifier }, isAgain) {
      const found = await discover(client);
      if (found.kind === 'failure') return found;
      const address = new URL(found.value.server.authorization_endpoint);
      for (const [name, value] of Object.entries({
        response_type: 'code',
        client_id: client.clientId,
        redirect_uri: client.redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // With max_age, the provider must report when the person signed in.
        max_age: isAgain ? '0' : String(MAX_SIGN_IN_AGE_S),
        ...(isAgain ? { prompt: 'login' } : {}),
      }))
        address.searchParams.set(name, value);
      return { kind: 'answer', value: address.href };
    },

    async finish(client, state, secrets, callback) {
      const found = await discover(client);
      if (found.kind === 'failure') return { kind: 'failure', cause: found.failure.cause };
      const { server } = found.value;
      let validated: URLSearchParams;
      try {
        validated = validateAuthResponse(
          server,
          { client_id: client.clientId },
          new URLSearchParams(callback),
          state,
        );
      } catch (error) {
        return { kind: error instanceof AuthorizationResponseError ? 'declined' : 'unusable' };
      }
      if (validated.getAll('code').length !== 1) return { kind: 'unusable' };
      try {
        const { payload, accessToken } = await exchange(
          client,
          found.value,
          validated,
          secrets,
          namedBy(client),
        );
        const claims = toClaims(payload, new Date());
        if (payload['email'] !== undefined || server.userinfo_endpoint === undefined)
          return { kind: 'signed-in', claims };
        const info = await askUserInfo(client, server, accessToken, claims, namedBy(client));
        return { kind: 'signed-in', claims: addEmail(claims, info) };
      } catch (cause) {
        return toOutcome(cause);
      }
    },

    async readLogout(client, token) {
      const found = await discover(client);
      if (found.kind === 'failure')
        throw new ProviderAway('The provider does not answer.', { cause: found.failure.cause });
      const { server, algorithms, keys } = found.value;
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keys, {
          issuer: server.issuer,
          audience: client.clientId,
          algorithms: [...algorithms],
          clockTolerance: MAX_CLOCK_DIFFERENCE_S,
          maxTokenAge: MAX_TOKEN_AGE_S,
          requiredClaims: ['exp', 'jti', 'events'],
        });
        checkParty(payload, client.clientId);
        return parseLogout(payload, protectedHeader.typ);
      } catch (error) {
        if (isOfToken(error)) return null;
        throw new ProviderAway('The keys of the provider could not be read.', { cause: error });
      }
    },
  };
};

const exchange = async (
  { issuer, clientId, clientSecret, redirectUri }: ProviderClient,
  { server, algorithms, isSecretInForm, keys }: ProviderServer,
  validated: URLSearchParams,
  { nonce, verifier }: SignInSecrets,
  namedBy: NamedBy,
): Promise<{ readonly payload: JWTPayload; readonly accessToken: string }> => {
  const client: Client = { client_id: clientId, [clockTolerance]: MAX_CLOCK_DIFFERENCE_S };
  const strict = { ...server, id_token_signing_alg_values_supported: [...algorithms] };
  const response = await authorizationCodeGrantRequest(
    strict,
    client,
    isSecretInForm ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret),
    validated,
    redirectUri,
    verifier,
    createRequestOptions(issuer, namedBy),
  );
  const token = await processAuthorizationCodeResponse(strict, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  const { payload, protectedHeader } = await jwtVerify(token.id_token ?? '', keys, {
    issuer: server.issuer,
    audience: clientId,
    algorithms: [...algorithms],
    clockTolerance: MAX_CLOCK_DIFFERENCE_S,
    maxTokenAge: MAX_TOKEN_AGE_S,
    requiredClaims: ['sub', 'exp', 'iat'],
  });
  checkParty(payload, clientId);
  // A logout token has its own type and event.
  if (!isType(protectedHeader.typ, 'jwt')) refuseClaim(payload, 'typ');
  if (findLogoutEvent(payload) !== undefined) refuseClaim(payload, 'events');
  return { payload, accessToken: token.access_token };
};

const createRequestOptions = (issuer: string, namedBy: NamedBy) => ({
  // The endpoints were checked: only loopback providers may use plain http.
  [allowInsecureRequests]: issuer.startsWith('http:'),
  [customFetch]: createProviderFetch(issuer, namedBy),
});

/** Throws if the claims are of another person. @see OpenID Connect Core, section 5.4 */
const askUserInfo = async (
  { issuer, clientId }: ProviderClient,
  server: ProviderServer['server'],
  accessToken: string,
  { subject }: ProviderClaims,
  namedBy: NamedBy,
): Promise<UserInfoResponse> => {
  const client: Client = { client_id: clientId };
  const options = createRequestOptions(issuer, namedBy);
  const response = await userInfoRequest(server, client, accessToken, options);
  return processUserInfoResponse(server, client, subject, response);
};

/** UserInfo is not signed: the id_token says if the email is verified, and either of them can deny it. */
export const addEmail = (
  claims: ProviderClaims,
  { email, email_verified }: Readonly<Partial<Record<'email' | 'email_verified', unknown>>>,
): ProviderClaims => {
  const isVerified = readVerified(email_verified);
  return {
    ...claims,
    email: parseText(email),
    isEmailVerified: isVerified === false ? false : (claims.isEmailVerified ?? isVerified),
  };
};

const readVerified = (claim: unknown): boolean | null =>
  claim === undefined ? null : claim === true;

/** The library checks this for several audiences only. @see OpenID Connect Core, section 3.1.3.7 */
const checkParty = (payload: JWTPayload, clientId: string): void => {
  const { azp = clientId } = payload;
  if (azp !== clientId) refuseClaim(payload, 'azp');
};

/** True if the `typ` of a header is missing or one of these, in either form. @see RFC 7515, section 4.1.9 */
const isType = (typ: unknown, ...allowed: readonly string[]): boolean =>
  typ === undefined ||
  (typeof typ === 'string' && allowed.includes(typ.toLowerCase().replace(/^application\//, '')));

/** @throws errors.JWTClaimValidationFailed */
const refuseClaim = (payload: JWTPayload, claim: string): never => {
  throw new errors.JWTClaimValidationFailed(`Unexpected "${claim}".`, payload, claim);
};

const toOutcome = (cause: unknown): ProviderSignIn => {
  // The code was already used or has expired.
  if (cause instanceof ResponseBodyError && cause.error === 'invalid_grant')
    return { kind: 'unusable' };
  return { kind: isOfToken(cause) ? 'wrong-token' : 'failure', cause };
};

const NO_ANSWER_AT_ALL: ReadonlySet<unknown> = new Set([
  PARSE_ERROR,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
]);

/** True if the token is invalid, not the connection to the provider. */
const isOfToken = (error: unknown): boolean => {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  if (error instanceof errors.JOSEError) return true;
  if (error instanceof UnsupportedOperationError) return true;
  return error instanceof OperationProcessingError && !NO_ANSWER_AT_ALL.has(error.code);
};

const parseText = (value: unknown, longest = MAX_ID_LENGTH): string | null =>
  typeof value === 'string' &&
  value.length <= longest &&
  Buffer.byteLength(value) <= longest &&
  /^\P{Cc}+$/u.test(value)
    ? value
    : null;

/** Providers list a few. */
const MAX_LISTED = 50;

/** The claim as a list, unless it is longer than it may be. @throws errors.JWTClaimValidationFailed */
const limitClaim = (payload: JWTPayload, claim: 'amr' | 'aud'): readonly unknown[] => {
  const listed: unknown = payload[claim];
  if (!Array.isArray(listed)) return [];
  if (listed.length > MAX_LISTED)
    throw new errors.JWTClaimValidationFailed(
      `The claim has a list of ${listed.length}. It may have up to ${MAX_LISTED}.`,
      payload,
      claim,
    );
  return listed;
};

/** The text "true" in `email_verified` means false. @throws errors.JWTClaimValidationFailed */
export const toClaims = (payload: JWTPayload, now: Date): ProviderClaims => {
  const { iss = '', sub, sid, email, email_verified, auth_time, iat } = payload;
  limitClaim(payload, 'aud');
  const methods = limitClaim(payload, 'amr');
  const subject = parseText(sub, MAX_SUBJECT_LENGTH);
  if (subject === null) throw new errors.JWTClaimValidationFailed('No subject.', payload, 'sub');
  const issuedAt = parseStatedTime(iat, now) ?? refuseClaim(payload, 'iat');
  const session = parseText(sid);
  // A logout that names an unreadable session would end nothing.
  if (sid !== undefined && session === null) refuseClaim(payload, 'sid');
  return {
    issuer: iss,
    subject,
    sid: session,
    email: parseText(email),
    isEmailVerified: readVerified(email_verified),
    methods: methods.every((method) => typeof method === 'string') ? methods : [],
    authenticatedAt:
      auth_time === undefined
        ? null
        : (parseStatedTime(auth_time, now) ?? refuseClaim(payload, 'auth_time')),
    issuedAt,
  };
};

/** Content of the logout event of a token; `undefined` if it has none. */
const findLogoutEvent = ({ events }: JWTPayload): unknown =>
  typeof events === 'object' && events !== null && Object.hasOwn(events, LOGOUT)
    ? (events as Record<string, unknown>)[LOGOUT]
    : undefined;

/** @see OpenID Connect Back-Channel Logout 1.0, section 2.6 */
const parseLogout = (payload: JWTPayload, type: string | undefined): ProviderLogout | null => {
  const { iss = '', jti, sub, sid, iat = 0 } = payload;
  const [tokenId, subject, session] = [
    parseText(jti),
    parseText(sub, MAX_SUBJECT_LENGTH),
    parseText(sid),
  ];
  const event = findLogoutEvent(payload);
  // Refuse the provider's other tokens, especially an id_token, which has a nonce.
  const isOfType = isType(type, 'logout+jwt', 'jwt');
  const isLogout = typeof event === 'object' && event !== null && !Array.isArray(event);
  if (!isLogout || !isOfType || 'nonce' in payload) return null;
  if (tokenId === null || (subject === null && session === null)) return null;
  // Ignoring an unreadable session id would log out more sessions than intended.
  if (sid !== undefined && session === null) return null;
  return {
    issuer: iss,
    tokenId,
    subject,
    sid: session,
    issuedAt: new Date(iat * 1_000),
  };
};
