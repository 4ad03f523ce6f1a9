import { sql } from 'kysely';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../harness/eventually.ts';
import { newMember, newVisitor, signInVisitor } from '../harness/pages.ts';
import { freePort } from '../harness/ports.ts';
import { startServiceProcess } from '../harness/service-process.ts';
import { oidcSettings, startTestSingleSignOn } from '../support/single-sign-on.ts';

/** A provider says that a session there is over: it is over here, in every process. */
const { pages, provider, db, newBrowser, stop } = await startTestSingleSignOn();
const { url, environment, settings, commands } = pages.service;
const port = await freePort();
const other = await startServiceProcess(
  settings.dataDir,
  port,
  { step: 'never', after: 0 },
  { ...environment, PORT: String(port), ...oidcSettings(provider) },
);
test.after(async () => {
  other.kill('SIGTERM');
  await other.ended;
  await stop();
});

const { Admin, Provider, Viewer, Scribe } = pages.members;

const isSignedIn = async (cookie: string, at = url): Promise<boolean> =>
  (await newVisitor(at, cookie).send('/account/session')).status === 204;

const tell = (token: string, at = url, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${at}/sign-in/sso/logout`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ logout_token: token }),
  });

/** Signs in. @returns the cookie, and what the provider calls the session */
const signedIn = async (subject: string) => {
  const browser = newBrowser();
  assert.is((await browser.signInAs(subject)).status, 303);
  const { rows } = await sql<{ sid: string }>`
    select sess #>> '{provider,sid}' as sid from app.session
    where sess #>> '{provider,subject}' = ${subject} order by sess ->> 'startedAt' desc`.execute(
    db,
  );
  return { browser, cookie: browser.cookie(), sid: rows[0]?.sid };
};

test('signing out at the provider ends the session within a second, in another process too', async () => {
  const context = await pages.browser.newContext(url);
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).click();
  await page.getByLabel('Name').fill(Admin.email);
  await page.getByRole('button').click();
  await page.waitForURL(`${url}/registry`);
  const [held] = (await context.cookies(url)).filter(({ name }) => name === 'registry');
  const cookie = `registry=${held?.value ?? ''}`;
  assert.ok(await isSignedIn(cookie));
  assert.ok(await isSignedIn(cookie, other.url));
  // Another session of the same person, which they do not end.
  const elsewhere = await signedIn(Admin.email);
  const byPassword = await signInVisitor(url, Admin);

  await page.goto(`${provider.issuer}/session/end`);
  await page.getByRole('button', { name: /sign me out/i }).click();
  await page.waitForURL(/session\/end\/success/);
  // The first time that either is asked.
  assert.not.ok(await isSignedIn(cookie));
  assert.not.ok(await isSignedIn(cookie, other.url));
  await page.goto(`${url}/registry`);
  assert.match(page.url(), /\/sign-in/);
  assert.ok(await isSignedIn(elsewhere.cookie));
  assert.ok(await isSignedIn(byPassword.cookie()));
  await eventually('the access log says who ended it', async () => {
    const query = { person: null, record: null, kind: 'sign-ins' } as const;
    const { entries } = await commands.accessLog(pages.practice.practiceId, query);
    return entries.some(
      ({ type, actor, accountId }) =>
        type === 'SessionsEnded' && actor.id === 'single-sign-on' && accountId === Admin.id,
    );
  });
  await context.close();
});

test('a logout that names the person only ends every session that they have by the provider', async () => {
  const [one, another] = [await signedIn(Viewer.email), await signedIn(Viewer.email)];
  const byPassword = await signInVisitor(url, Viewer);
  const answer = await tell(await provider.logoutToken({ sub: Viewer.email }), other.url);
  assert.is(answer.status, 200);
  assert.is(answer.headers.get('cache-control'), 'no-store');
  for (const { cookie } of [one, another]) assert.not.ok(await isSignedIn(cookie));
  assert.ok(await isSignedIn(byPassword.cookie()));
});

test('a sign-in that is under way when its session at the provider ends opens nothing', async () => {
  const browser = newBrowser();
  const back = await browser.atProvider(await browser.begin(), Scribe.email);
  let sid: unknown;
  provider.alter((claims) => {
    sid = claims['sid'];
    return claims;
  });
  // The provider has said who it is, and says that it is over before the session is kept here.
  provider.afterToken(async () => {
    assert.is((await tell(await provider.logoutToken({ sid }))).status, 200);
  });
  try {
    assert.is((await browser.send(back)).status, 303);
  } finally {
    provider.alter(null);
    provider.afterToken(null);
  }
  assert.not.ok(await isSignedIn(browser.cookie()));
  assert.not.ok(await isSignedIn(browser.cookie(), other.url));
});

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

test('a token that is not a logout of ours, of now, ends nothing', async () => {
  // Times in tokens are whole seconds: a person who was just signed out everywhere would be signed out again.
  const { cookie, sid } = await signedIn(Provider.email);
  const sub = Provider.email;
  for (const [what, changes, header] of [
    ['another audience', { aud: 'another-client' }],
    ['another issuer', { iss: 'https://issuer.example' }],
    ['a nonce', { nonce: 'x' }],
    ['no event', { events: undefined }],
    ['another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['no id', { jti: undefined }],
    ['no time', { iat: undefined }],
    ['a time long past', { iat: inSeconds(-3_600) }],
    ['a time to come', { iat: inSeconds(400), exp: inSeconds(900) }],
    ['a time that never comes', { iat: 1e18 }],
    ['a time before all times', { iat: -8e12 }],
    ['a time as text', { iat: String(inSeconds(0)) }],
    ['an end that is past', { exp: inSeconds(-200) }],
    ['a foreign party', { azp: 'another-client' }],
    ['no end', { exp: undefined }],
    ['neither a person nor a session', { sub: undefined }],
    ['a session that is no text', { sid: 7 }],
    ['the type of another token', {}, { typ: 'at+jwt' }],
    ['the claims of an id_token', { events: undefined, auth_time: inSeconds(0) }, { typ: 'JWT' }],
  ] as const) {
    const answer = await tell(await provider.logoutToken({ sub, ...changes }, header));
    assert.is(answer.status, 400, what);
    assert.is(answer.headers.get('cache-control'), 'no-store');
  }
  await provider.signWithForeignKey(true);
  const forged = await tell(await provider.logoutToken({ sub })).finally(() =>
    provider.signWithForeignKey(false),
  );
  assert.is(forged.status, 400);
  const [head, body] = (await provider.logoutToken({ sub })).split('.');
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'logout+jwt' })).toString(
    'base64url',
  );
  for (const token of ['', 'x', `${none}.${body}.`, `${head}.${body}.`, 'x'.repeat(20_000)])
    assert.is((await tell(token)).status, 400);
  assert.ok(await isSignedIn(cookie));

  const once = await provider.logoutToken({ sub, sid });
  assert.is((await tell(once)).status, 200);
  assert.is((await tell(once)).status, 400);
  assert.not.ok(await isSignedIn(cookie));
});

for (const [what, issuedAt, index] of [
  ['before all times', -8e15, 1],
  ['that never comes', null, 2],
  ['a day ahead', Date.now() + 86_400_000, 3],
  ['that no date has', 1e300, 4],
] as const)
  test(`a session that was stored with a time of issue ${what} opens pages, and a logout ends it`, async () => {
    const email = `stored-${index}@cedar.example`;
    provider.people.set(email, { email, email_verified: true });
    await newMember(pages.service, pages.practice.practiceId, 'Viewer', email);
    const { cookie } = await signedIn(email);
    await sql`
      update app.session
      set sess = jsonb_set(sess::jsonb, '{provider,issuedAt}', ${JSON.stringify(issuedAt)}::jsonb)
      where sess #>> '{provider,subject}' = ${email}`.execute(db);
    assert.is((await newVisitor(url, cookie).send('/registry')).status, 200);
    assert.is((await tell(await provider.logoutToken({ sub: email }))).status, 200);
    assert.is((await newVisitor(url, cookie).send('/registry')).status, 303);
  });

test('an address that no practice can have is refused, and is no fault of the service', async () => {
  for (const practice of ['%00', 'none%00', '%ff', 'none']) {
    const answer = await fetch(`${url}/sign-in/sso/${practice}/logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: 'x' }),
    });
    assert.is(answer.status, 400, practice);
  }
});

test('logouts are limited for each address', async () => {
  const headers = { 'X-Forwarded-For': '192.0.2.77' };
  const statuses: number[] = [];
  for (let times = 0; times < 301; times += 1)
    statuses.push((await tell('x', url, headers)).status);
  assert.is(statuses.indexOf(429), 300);
});

test.run();
