import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SINGLE_SIGN_ON_IS_ON } from '../../api/pages/administration/practice-settings/single-sign-on-page.tsx';
import { faultsOf } from '../harness/gallery.ts';
import { newMember, newVisitor, signInVisitor } from '../harness/pages.ts';
import { newPractice } from '../harness/service.ts';
import {
  setUpApp,
  startIdentityProvider,
  startTestSingleSignOn,
} from '../support/single-sign-on.ts';
import { CLAIM_REFUSALS, WRONG_CLAIMS } from '../support/wrong-claims.ts';

/** A practice whose members sign in at a provider of its own, beside that of the service. */
const { pages, provider: ofService, db, newBrowser, stop } = await startTestSingleSignOn();
const provider = await startIdentityProvider();
test.after(async () => {
  await stop();
  await provider.stop();
});

const { commands, url } = pages.service;
const { Admin, Viewer } = pages.members;
const { practiceId } = pages.practice;
const PAGE = '/registry/practice/single-sign-on';
const AT = `/sign-in/sso/${practiceId}`;
await provider.register(`${url}${AT}`);
for (const { email } of [...Object.values(pages.members), pages.staff])
  provider.people.set(email, { email });

const refusalOf = async (answer: Response): Promise<readonly [number, string]> => {
  const [, heading = ''] = /<h1[^>]*>([^<]*)<\/h1>/.exec(await answer.text()) ?? [];
  return [answer.status, heading.trim()];
};

/** Signs in at the practice's provider. */
const signInAs = async (
  subject: string,
  {
    browser = newBrowser(),
    amr = [],
  }: { browser?: ReturnType<typeof newBrowser>; amr?: readonly string[] } = {},
) => {
  const back = await provider.signIn(await browser.begin(AT), { subject, amr });
  return { browser, answer: await browser.send(back.pathname + back.search) };
};

test('before it is set up there is none at the address, nor for a practice that there is not', async () => {
  for (const path of [AT, '/sign-in/sso/nobody', `${AT}/callback?code=x&state=y`]) {
    const answer = await newVisitor(url).send(path);
    assert.ok([404, 400].includes(answer.status), path);
  }
  const logout = await fetch(`${url}${AT}/logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: await provider.logoutToken({ sub: 'x' }) }),
  });
  assert.is(logout.status, 400);
});

test('a form of an earlier session shows no secret that was typed into it', async () => {
  const browser = newBrowser();
  await browser.signIn(Admin);
  for (const [path, fields] of [
    [PAGE, { clientSecret: 'typed-and-secret' }],
    ['/account/security/confirm', { code: 'typed-and-secret' }],
  ] as const) {
    const answer = await browser.send(path, { _csrf: 'earlier', ...fields }, { Origin: url });
    assert.is(answer.status, 403);
    const html = await answer.text();
    assert.match(html, '<h1>This form has expired</h1>');
    assert.not.match(html, 'typed-and-secret');
  }
});

pages.pageTest(
  'an Admin sets it up, and never sees the secret again',
  { as: Admin, at: '/registry/practice' },
  async ({ page }) => {
    await page.getByRole('link', { name: 'Single sign-on' }).click();
    assert.equal(await faultsOf(page, 'practice-single-sign-on-off'), []);
    await page.getByRole('button', { name: 'Set up single sign-on' }).click();
    assert.equal(await faultsOf(page, 'practice-single-sign-on-refused'), []);
    for (const field of ['Issuer', 'Client ID', 'Client secret', 'Email domains'])
      assert.is(await page.getByLabel(field).getAttribute('aria-invalid'), 'true', field);
    for (const issuer of [
      'https://10.0.0.5',
      'https://169.254.169.254',
      `${provider.issuer}/other`,
    ]) {
      await page.getByLabel('Issuer').fill(issuer);
      await page.getByLabel('Client ID').fill(provider.clientId);
      await page.getByLabel('Client secret').fill(provider.clientSecret);
      await page.getByLabel('Email domains').fill('Cedar.example');
      await page.getByRole('button', { name: 'Set up single sign-on' }).click();
      await page.getByText('There is no identity provider at this address').first().waitFor();
      assert.is(await page.getByLabel('Client secret').inputValue(), '');
    }
    await page.getByLabel('Issuer').fill('https://login.microsoftonline.com/common/v2.0');
    await page.getByRole('button', { name: 'Set up single sign-on' }).click();
    await page.getByText('https://login.microsoftonline.com/YOUR-TENANT-ID/v2.0').first().waitFor();
    await page.getByLabel('Issuer').fill(provider.issuer);
    await page.getByLabel('Client secret').fill(provider.clientSecret);
    await page.getByRole('button', { name: 'Set up single sign-on' }).click();
    await page.getByText('Single sign-on is on').waitFor();
    assert.equal(await faultsOf(page, 'practice-single-sign-on-on'), []);
    assert.not.match(await page.content(), 'a secret of the registry');
    const held = await db.selectFrom('app.sso_secret').selectAll().execute();
    assert.is(held.length, 1);
    assert.not.match(held[0]?.sealed.toString('latin1') ?? '', 'a secret of the registry');
  },
);

test('another issuer or client needs its secret, other domains do not', async () => {
  const visitor = await signInVisitor(url, Admin);
  const send = async (changes: Readonly<Record<string, string>>) => {
    const fields = {
      issuer: provider.issuer,
      clientId: provider.clientId,
      clientSecret: '',
      domains: 'cedar.example',
    };
    return visitor.send(PAGE, { _csrf: await visitor.csrfToken(PAGE), ...fields, ...changes });
  };
  assert.is((await send({ issuer: ofService.issuer })).status, 422);
  assert.is((await send({ clientId: 'another' })).status, 422);
  assert.is((await send({ domains: 'cedar.example birth.example' })).status, 303);
  assert.is((await send({})).status, 303);
});

pages.pageTest(
  'a member signs in at its address, and the browser offers it from then on',
  { as: 'visitor', at: `${AT}?next=/registry/births` },
  async ({ page }) => {
    await page.getByLabel('Name').fill(Viewer.email);
    await page.getByRole('button').click();
    await page.waitForURL(`${url}/registry/births`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${url}/sign-in`);
    assert.equal(await faultsOf(page, 'sign-in-with-two-providers'), []);
    const offer = page.getByRole('link', { name: 'Sign in with your practice’s single sign-on' });
    assert.is(await offer.getAttribute('href'), AT);
  },
);

test('it opens nothing of another practice, and nothing of the staff', async () => {
  const larch = await newPractice(commands);
  const member = await newMember(pages.service, larch.practiceId, 'Admin', 'ada@cedar.example');
  const invited = 'invited-elsewhere@cedar.example';
  await commands.members.invite({ practiceId: larch.practiceId, email: invited, role: 'Admin' });
  for (const email of [member.email, invited, 'staff@cedar.example', 'nobody@cedar.example'])
    provider.people.set(email, { email, email_verified: true });
  await commands.accounts.addStaff({
    email: 'staff@cedar.example',
    password: 'a long synthetic passphrase',
  });
  const pagesSeen = new Set<string>();
  for (const email of [member.email, invited, 'staff@cedar.example', 'nobody@cedar.example']) {
    const { answer, browser } = await signInAs(email);
    pagesSeen.add(JSON.stringify(await refusalOf(answer)));
    assert.is.not((await browser.send('/account/session')).status, 204, email);
  }
  // The same answer for all of them: the practice's provider learns nothing.
  assert.equal([...pagesSeen], [JSON.stringify([403, 'You have no account here'])]);
  const statuses = (await commands.lists.members(larch.practiceId)).map(({ status }) => status);
  assert.equal(statuses.sort(), ['invited', 'seated']);
});

test('the provider of the service opens nothing of the practice, but of others', async () => {
  assert.equal(await refusalOf(await newBrowser().signInAs(Viewer.email)), [
    403,
    'Your practice has its own single sign-on',
  ]);
  assert.is((await newBrowser().signInAs(pages.staff.email)).status, 303);
});

test('who was invited takes the seat there, also where the provider says nothing of the email', async () => {
  const email = 'new@cedar.example';
  provider.people.set(email, { email });
  await commands.members.invite({ practiceId, email, role: 'Scribe' });
  const { answer } = await signInAs(email);
  assert.is(answer.status, 303);
  provider.people.set('denied', { email: 'viewer@cedar.example', email_verified: false });
  const denied = await signInAs('denied');
  assert.equal(await refusalOf(denied.answer), [403, 'Your email is not verified']);
});

test('what was begun at one provider is not finished at another', async () => {
  const browser = newBrowser();
  const away = new URL(await browser.begin());
  const back = await provider.signIn(await browser.begin(AT), { subject: Viewer.email });
  const over = [400, 'This sign-in is over'];
  const mixed = new URLSearchParams({
    code: back.searchParams.get('code') ?? '',
    state: away.searchParams.get('state') ?? '',
    iss: provider.issuer,
  });
  assert.equal(await refusalOf(await browser.send(`${AT}/callback?${mixed}`)), over);
  assert.equal(await refusalOf(await browser.send(`/sign-in/sso/callback${back.search}`)), over);
  assert.equal(await refusalOf(await browser.send(`/sign-in/sso/callback?${mixed}`)), over);
  assert.is((await browser.send(back.pathname + back.search)).status, 303);
});

for (const [claim, refusal] of CLAIM_REFUSALS)
  test(`an id_token of the practice’s provider whose ${claim} has a wrong form opens nothing`, async () => {
    for (const form of WRONG_CLAIMS[claim]) {
      provider.alter((claims) => ({ ...claims, [claim]: form }));
      const { answer } = await signInAs(Viewer.email).finally(() => provider.alter(null));
      assert.equal(await refusalOf(answer), [403, refusal], JSON.stringify(form));
    }
  });

test('a logout there ends the sessions that began there, and no other provider’s', async () => {
  const { browser } = await signInAs(Viewer.email);
  const tell = async (token: string, at: string) =>
    (
      await fetch(`${url}${at}/logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      })
    ).status;
  assert.is(await tell(await ofService.logoutToken({ sub: Viewer.email }), AT), 400);
  assert.is(await tell(await provider.logoutToken({ sub: Viewer.email }), '/sign-in/sso'), 400);
  assert.is(await tell(await ofService.logoutToken({ sub: Viewer.email }), '/sign-in/sso'), 200);
  assert.is((await browser.send('/account/session')).status, 204);
  assert.is(await tell(await provider.logoutToken({ sub: Viewer.email }), AT), 200);
  assert.is.not((await browser.send('/account/session')).status, 204);
});

test('who sets it up shows their second factor first', async () => {
  const { browser } = await signInAs(Admin.email);
  await setUpApp(browser);
  assert.match(await (await browser.send(PAGE)).text(), SINGLE_SIGN_ON_IS_ON);

  // A factor that the provider has seen, it does not say when.
  provider.alter((claims) => ({ ...claims, auth_time: undefined }));
  const { browser: later } = await signInAs(Admin.email, { amr: ['otp'] });
  provider.alter(null);
  assert.match(await (await later.send(PAGE)).text(), '<h1>Confirm it is you</h1>');
  const fields = { _csrf: await later.csrfToken('/account/security') };
  const answer = await later.send(`${PAGE}/off`, fields);
  assert.match(await answer.text(), '<h1>Confirm it is you</h1>');
  assert.is((await db.selectFrom('app.sso_secret').selectAll().execute()).length, 1);
});

test('turned off, it signs nobody in, and the provider of the service does', async () => {
  const admin = await newMember(pages.service, practiceId, 'Admin', 'second-admin@cedar.example');
  const page = await pages.visit(admin, { at: PAGE });
  await page.getByRole('button', { name: 'Turn single sign-on off' }).click();
  assert.equal(await faultsOf(page, 'practice-single-sign-on-turn-off'), []);
  await page.getByRole('button', { name: 'Turn single sign-on off' }).click();
  await page.getByText('Single sign-on is off.').waitFor();
  assert.is((await db.selectFrom('app.sso_secret').selectAll().execute()).length, 0);
  assert.equal(await refusalOf(await newVisitor(url).send(AT)), [
    404,
    'There is no single sign-on here',
  ]);
  assert.is((await newBrowser().signInAs(Viewer.email)).status, 303);
});

test.run();
