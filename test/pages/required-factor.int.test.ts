import { generateSync } from 'otplib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { consoleOf, faultsOf } from '../harness/browser.ts';
import {
  newVisitor,
  sharedTestPages,
  signInWithoutPage,
  type TestAccount,
  type TestVisitor,
} from '../harness/pages.ts';
import { newAuthenticator } from '../support/authenticator.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const SECURITY = '/account/security';
const FACTOR = '/registry/practice/second-factor';
const { members, service, practice } = pages;

const signedIn = async (account: TestAccount): Promise<TestVisitor> => {
  const visitor = newVisitor(service.url);
  await visitor.signIn(account);
  return visitor;
};

/** Whether the practice requires a second factor, as an Admin's form says. */
const setRequired = async (admin: TestVisitor, to: 'required' | 'optional') => {
  const _csrf = await admin.csrfToken(SECURITY);
  return admin.send(FACTOR, { _csrf, to });
};

test('an Admin requires it, and every member sets one up at the next click', async () => {
  const { Admin, Viewer, Scribe } = members;
  const before = await signedIn(Viewer);
  const early = await signedIn(Admin);
  const scribe = await signedIn(Scribe);
  const _csrf = await scribe.csrfToken(SECURITY);
  assert.is((await before.send('/registry/births')).status, 200);

  const page = await pages.signIn(Admin);
  const messages = consoleOf(page);
  await page.goto('/registry/practice');
  assert.equal(await faultsOf(page, 'practice-factor-optional'), []);
  await page.getByRole('button', { name: 'Require a second factor' }).click();
  const main = page.locator('main');
  assert.match(await main.innerText(), /4 of 4 members have none yet: .*admin@/);
  assert.equal(await faultsOf(page, 'practice-factor-question'), []);
  await page.getByRole('button', { name: 'Require a second factor' }).click();

  // The Admin as well.
  await page.waitForURL(/\/account\/security$/);
  assert.match(
    await main.innerText(),
    /Every member now needs a second factor\. Set up your own to continue/,
  );
  assert.equal(await faultsOf(page, 'security-required'), []);
  for (const path of ['/registry', '/registry/births', '/registry/records/new']) {
    const answer = await before.send(path);
    assert.equal([answer.status, answer.headers.get('location')], [303, SECURITY], path);
  }
  const refused = await scribe.send('/registry/records/new', { _csrf, save: 'save' });
  assert.is(refused.status, 403);
  assert.match(await refused.text(), /Set up a second factor first[\s\S]*send it again/);
  assert.match(
    await (await before.send(SECURITY)).text(),
    /The members of your practice sign in with more than a password/,
  );
  assert.is((await before.send('/account/password')).status, 200);

  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const secret = (await page.locator('#app-secret').innerText()).replaceAll(' ', '');
  await page.getByLabel('Code').fill(generateSync({ secret }));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await page.waitForSelector('#recovery-codes');
  await page.goto('/registry/members');
  assert.equal(await faultsOf(page, 'members-factors'), []);
  const row = page.getByRole('row').filter({ hasText: Admin.email });
  assert.match(await row.innerText(), /App/);
  assert.match(await main.innerText(), /None/);
  await page.goto('/registry/members/review');
  assert.equal(await faultsOf(page, 'review-factors'), []);
  assert.equal(messages, []);

  // One of the others, with a passkey.
  const context = await pages.browser.newContext(service.url.replace('127.0.0.1', 'localhost'));
  const tab = await context.newPage();
  await signInWithoutPage(context, Viewer);
  await newAuthenticator(tab);
  await tab.goto('/registry/births');
  await tab.waitForURL(/\/account\/security$/);
  await tab.getByRole('button', { name: 'Add a passkey' }).click();
  await tab.waitForSelector('#recovery-codes');
  await tab.goto('/registry/births');
  await tab.waitForURL(/\/registry\/births$/);
  // The last one is needed: its removal says so, and leads back.
  await tab.goto(SECURITY);
  await tab.getByRole('button', { name: 'Remove' }).click();
  assert.match(await tab.locator('main').innerText(), /Your account needs a second factor/);
  await tab.getByRole('button', { name: 'Remove passkey' }).click();
  await tab.goto('/registry/births');
  await tab.waitForURL(/\/account\/security$/);
  await context.close();

  // Those who had none go on once it is optional.
  await page.goto('/registry/practice');
  await page.getByRole('button', { name: 'Stop requiring it' }).click();
  assert.equal(await faultsOf(page, 'practice-factor-stop'), []);
  await page.getByRole('button', { name: 'Stop requiring it' }).click();
  await page.waitForURL(/\/registry\/practice$/);
  assert.is((await before.send('/registry/births')).status, 200);
  await page.context().close();
  // From before the app: it was not shown in this session.
  const unshown = await setRequired(early, 'required');
  assert.match(await unshown.text(), /Nothing has changed yet/);
  assert.is((await before.send('/registry/births')).status, 200);

  const trail = await pages.signIn(pages.staff);
  await trail.goto(`/staff/practices/${practice.practiceId}`);
  const told = await trail.locator('main').innerText();
  assert.match(told, /Required a second factor of every member/);
  assert.match(told, /Made the second factor optional/);
  await trail.context().close();
});

test('the other seats require nothing', async () => {
  for (const account of [members.Provider, members.Viewer, members.Scribe]) {
    const visitor = await signedIn(account);
    assert.is((await setRequired(visitor, 'required')).status, 403);
    assert.is((await visitor.send(FACTOR)).status, 403);
  }
  assert.is((await (await signedIn(members.Viewer)).send('/registry')).status, 200);
});

test.run();
