import { generateSync } from 'otplib';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { openStores } from '../../api/composition/stores.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { newVisitor, startTestPages, type TestPages, type TestVisitor } from '../harness/pages.ts';
import { startIdentityProvider, type TestProvider } from './identity-provider.ts';

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
  const [, _csrf = ''] = /name="_csrf" value="([^"]+)"/.exec(html) ?? [];
  const code = generateSync({ secret });
  const confirmed = await browser.send(`${page}/app/code`, { _csrf, code });
  const [, codes] = /id="recovery-codes">\s*(\S+)/.exec(await confirmed.text()) ?? [];
  if (codes === undefined) throw new Error('The app is not set up.');
  return codes;
};
