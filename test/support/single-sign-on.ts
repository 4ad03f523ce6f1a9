import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import Provider, { type JWK as ProviderKey } from 'oidc-provider';
import { generateSync } from 'otplib';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import { readCsrfToken } from '../../scripts/demo/http-session.ts';
import { newVisitor, startTestPages, type TestPages, type TestVisitor } from '../harness/pages.ts';

/** A service at which people sign in at an identity provider, and that provider. */
export interface TestSingleSignOn {
  readonly pages: TestPages;
  readonly provider: TestProvider;
  readonly db: Db;
  /** A browser at an address of its own. */
  newBrowser(): SignInBrowser;
  stop(): Promise<void>;
}

/** A browser that signs in at the provider. */
export interface SignInBrowser extends TestVisitor {
  /** Goes to the provider. @returns the address there */
  begin(path?: string): Promise<string>;
  /** Signs in there as the person with this name. @returns where the provider leads back to */
  atProvider(address: string, subject: string, amr?: readonly string[]): Promise<string>;
  /** All of it. @returns the answer to the callback */
  signInAs(
    subject: string,
    options?: { path?: string; amr?: readonly string[] },
  ): Promise<Response>;
}

/** Settings of the service for the provider. */
export const oidcSettings = (provider: TestProvider): Readonly<Record<string, string>> => ({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  OIDC_ALLOWED_DOMAINS: 'cedar.example, registry.example',
});

/** Starts both. @param changes settings of the service beside those for the provider */
export const startTestSingleSignOn = async (
  changes: Readonly<Record<string, string>> = {},
): Promise<TestSingleSignOn> => {
  const provider = await startIdentityProvider();
  const pages = await startTestPages({
    // Each browser comes from an address of its own, which the limiters count.
    TRUST_PROXY: 'loopback',
    ...oidcSettings(provider),
    ...changes,
  });
  await provider.register(`${pages.service.url}/sign-in/sso`);
  for (const { email } of [...Object.values(pages.members), pages.staff])
    provider.people.set(email, { email, email_verified: true });
  const stores = await openStores(pages.service.settings, 'command', openServiceLog('silent'));
  let browsers = 0;
  return {
    pages,
    provider,
    db: stores.db,
    newBrowser() {
      browsers += 1;
      return browserOf(pages.service.url, provider, `203.0.113.${browsers}`);
    },
    async stop() {
      await stores.close();
      await pages.stop();
      await provider.stop();
    },
  };
};

const browserOf = (url: string, provider: TestProvider, address: string): SignInBrowser => {
  const visitor = newVisitor(url);
  const atProviderCookies = new Map<string, string>();
  const send: TestVisitor['send'] = (path, fields, headers = {}) =>
    visitor.send(path, fields, { 'X-Forwarded-For': address, ...headers });
  const begin = async (path = '/sign-in/sso'): Promise<string> => {
    const begun = await send(path);
    const location = begun.headers.get('location');
    if (location === null) throw new Error(`Not begun: ${begun.status} ${await begun.text()}`);
    return location;
  };
  const atProvider = async (away: string, subject: string, amr: readonly string[] = []) => {
    const back = await provider.signIn(away, { subject, amr }, atProviderCookies);
    return back.pathname + back.search;
  };
  return {
    ...visitor,
    send,
    begin,
    atProvider,
    signInAs: async (subject, { path, amr = [] } = {}) =>
      send(await atProvider(await begin(path), subject, amr)),
  };
};

/** Sets up an authenticator app for the person who has signed in. @returns a recovery code */
export const setUpApp = async (
  browser: Pick<TestVisitor, 'send' | 'csrfToken'>,
): Promise<string> => {
  const page = '/account/security';
  const begun = await browser.send(`${page}/app`, { _csrf: await browser.csrfToken(page) });
  const html = await (begun.status === 303 ? await browser.send(page) : begun).text();
  const secret = (/id="app-secret"[^>]*>([^<]+)</.exec(html)?.[1] ?? '').replaceAll(' ', '');
  const _csrf = readCsrfToken(html);
  const code = generateSync({ secret });
  const confirmed = await browser.send(`${page}/app/code`, { _csrf, code });
  const [, codes] = /id="recovery-codes">\s*(\S+)/.exec(await confirmed.text()) ?? [];
  if (codes === undefined) throw new Error('The app is not set up.');
  return codes;
};

/** What the provider says of a person in the id_token. */
export interface ProviderPerson {
  readonly email?: string;
  readonly email_verified?: boolean;
}

/** How a person signs in there. */
interface ProviderSignIn {
  /** Names the person at the provider. */
  readonly subject: string;
  readonly amr?: readonly string[];
}

/** Claims of an id_token; those that are undefined are left out. */
type Claims = Record<string, unknown>;

/** A certified OpenID provider in this process, at a port of its own. */
export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** By subject. */
  readonly people: Map<string, ProviderPerson>;
  /** Requests for its keys so far. */
  keysAsked(): number;
  /** Lets services sign people in. @param places of each: `/sign-in/sso`, and where it stands */
  register(...places: readonly string[]): Promise<void>;
  /** Signs with a new key from now on, and publishes no other; sessions there are over. */
  changeKeys(): Promise<void>;
  /** Changes what id_tokens say before they are signed; null: nothing. @param header of the token */
  alter(
    change: ((claims: Claims) => Claims) | null,
    header?: Readonly<Record<string, string>>,
  ): void;
  /** Changes what UserInfo says; null: nothing. */
  alterUserInfo(change: ((claims: Claims) => Claims) | null): void;
  /** Signs id_tokens with a key that it does not publish, under the name of the one that it does. */
  signWithForeignKey(isSo: boolean): Promise<void>;
  /** A logout token as the provider would send it, with changes. */
  logoutToken(changes: Claims, header?: Readonly<Record<string, string>>): Promise<string>;
  /** Done when the service asks for a token, before there is one. */
  beforeToken(work: (() => Promise<void>) | null): void;
  /** The same when the token is ready to be sent. */
  afterToken(work: (() => Promise<void>) | null): void;
  /** Signs in over HTTP: from the address that a service leads to, to where the provider leads back. */
  signIn(address: string, person: ProviderSignIn, cookies?: Map<string, string>): Promise<URL>;
  stop(): Promise<void>;
}

const newSigningKey = async (kid: string): Promise<JWK> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' };
};

/** The provider warns of everything that is not for production: Node 20, its memory, plain http. */
const quietly = <T>(work: () => T): T => {
  const { warn, info } = console;
  Object.assign(console, { warn: () => undefined, info: () => undefined });
  try {
    return work();
  } finally {
    Object.assign(console, { warn, info });
  }
};

/** Starts one. Its sign-in asks for a name only; consent is given by itself. */
export const startIdentityProvider = async (): Promise<TestProvider> => {
  const clientId = 'registry';
  const clientSecret = 'a secret of the registry: 4+4=8 & more';
  const people = new Map<string, ProviderPerson>();
  let keys = 1;
  let key = await newSigningKey('key-1');
  let places: readonly string[] = [];
  let alter: ((claims: Claims) => Claims) | null = null;
  let alterInfo: ((claims: Claims) => Claims) | null = null;
  let header: Readonly<Record<string, string>> = {};
  let beforeToken: (() => Promise<void>) | null = null;
  let afterToken: (() => Promise<void>) | null = null;
  let foreignKey: JWK | null = null;
  let keysAsked = 0;
  let provider: Provider | null = null;

  const server = createServer((req, res) => {
    if (req.url?.startsWith('/jwks') === true) keysAsked += 1;
    if (req.url?.startsWith('/interaction/') === true) void interact(req, res);
    else provider?.callback()(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const sign = async (claims: Claims, by: JWK, header: Readonly<Record<string, string>> = {}) => {
    const kept = Object.fromEntries(
      Object.entries(claims).filter(([, value]) => value !== undefined),
    );
    return new SignJWT(kept)
      .setProtectedHeader({ alg: 'RS256', kid: key.kid ?? '', ...header })
      .sign(await importJWK(by, 'RS256'));
  };

  const interact = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.method === 'GET') {
      res.setHeader('Content-Type', 'text/html; charset=utf-8');
      res.end(`<!doctype html><html lang="en"><title>Provider</title><main><h1>Sign in at the provider</h1>
        <form method="post"><label>Name <input name="subject"></label><label>Shown <input name="amr"></label>
        <button>Go on</button></form></main></html>`);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const amr = (form.get('amr') ?? '').split(' ').filter((method) => method !== '');
    const subject = form.get('subject') ?? '';
    await provider?.interactionFinished(
      req,
      res,
      subject === ''
        ? { error: 'access_denied', error_description: 'text of the provider' }
        : { login: { accountId: subject, ...(amr.length === 0 ? {} : { amr }) } },
      { mergeWithLastSubmission: false },
    );
  };

  const build = (): void => {
    const built = quietly(
      () =>
        new Provider(issuer, {
          clients: [
            {
              client_id: clientId,
              client_secret: clientSecret,
              redirect_uris: places.map((place) => `${place}/callback`),
              response_types: ['code'],
              backchannel_logout_session_required: true,
              ...(places[0] === undefined ? {} : { backchannel_logout_uri: `${places[0]}/logout` }),
            },
          ],
          jwks: { keys: [key as ProviderKey] },
          cookies: { keys: ['a key of the cookies of the provider'] },
          claims: {
            openid: ['sub', 'amr', 'auth_time', 'sid'],
            email: ['email', 'email_verified'],
          },
          conformIdTokenClaims: false,
          pkce: { required: () => true },
          features: {
            devInteractions: { enabled: false },
            backchannelLogout: { enabled: true },
            rpInitiatedLogout: {
              logoutSource: (ctx, form) => {
                ctx.body = `${form}<button form="op.logoutForm" name="logout" value="yes">Sign me out</button>`;
              },
              postLogoutSuccessSource: (ctx) => {
                ctx.body = 'Signed out';
              },
            },
          },
          interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
          findAccount: (_ctx, sub) => ({
            accountId: sub,
            claims: async () => ({ sub, ...people.get(sub) }),
          }),
          async loadExistingGrant({ oidc }) {
            const grantId = oidc.session?.grantIdFor(clientId);
            if (grantId !== undefined) return oidc.provider.Grant.find(grantId);
            const grant = new oidc.provider.Grant({
              clientId: oidc.client?.clientId ?? '',
              accountId: oidc.session?.accountId ?? '',
            });
            grant.addOIDCScope('openid email');
            await grant.save();
            return grant;
          },
          // Its own guard would not let it reach a service on the loopback.
          fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
          ttl: { Session: 3_600, Interaction: 600, Grant: 3_600, AccessToken: 60, IdToken: 300 },
        }),
    );
    built.use(async (ctx, next) => {
      if (ctx.path === '/token') await beforeToken?.();
      await next();
      if (ctx.path === '/me' && alterInfo !== null) ctx.body = alterInfo(ctx.body as Claims);
      const body = ctx.body as { id_token?: string } | undefined;
      if (ctx.path !== '/token' || body?.id_token === undefined) return;
      if (alter !== null || foreignKey !== null) {
        const claims = decodeJwt(body.id_token) as Claims;
        body.id_token = await sign(alter?.(claims) ?? claims, foreignKey ?? key, header);
      }
      await afterToken?.();
    });
    provider = built;
  };
  build();

  return {
    issuer,
    clientId,
    clientSecret,
    people,
    keysAsked: () => keysAsked,
    async register(...at) {
      places = at;
      build();
    },
    async changeKeys() {
      keys += 1;
      key = await newSigningKey(`key-${keys}`);
      build();
    },
    alter(change, ofToken = {}) {
      alter = change;
      header = ofToken;
    },
    alterUserInfo(change) {
      alterInfo = change;
    },
    async signWithForeignKey(isSo) {
      foreignKey = isSo ? await newSigningKey('foreign') : null;
    },
    logoutToken: (changes, header = { typ: 'logout+jwt' }) => {
      const now = Math.floor(Date.now() / 1_000);
      const claims = {
        iss: issuer,
        aud: clientId,
        iat: now,
        exp: now + 120,
        jti: crypto.randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      };
      return sign({ ...claims, ...changes }, foreignKey ?? key, header);
    },
    beforeToken(work) {
      beforeToken = work;
    },
    afterToken(work) {
      afterToken = work;
    },
    signIn: (address, person, cookies = new Map()) =>
      throughProvider(address, person, cookies, issuer),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const MAX_STEPS = 10;

const throughProvider = async (
  address: string,
  { subject, amr = [] }: ProviderSignIn,
  cookies: Map<string, string>,
  issuer: string,
): Promise<URL> => {
  let url = new URL(address);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (url.origin !== issuer) return url;
    const form = url.pathname.startsWith('/interaction/')
      ? new URLSearchParams({ subject, amr: amr.join(' ') })
      : null;
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === null ? {} : { method: 'POST', body: form }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null)
      throw new Error(`The provider leads nowhere: ${answer.status} ${await answer.text()}`);
    url = new URL(location, url);
  }
  throw new Error('The provider leads around in circles.');
};
