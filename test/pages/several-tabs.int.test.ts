import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { faultsOf } from '../support/browser.ts';
import {
  newVisitor,
  PASSWORD,
  startTestPages,
  type TestAccount,
  type TestPages,
} from '../support/pages.ts';

let pages: TestPages;

test.before(async () => {
  pages = await startTestPages();
});

test.after(async () => {
  await pages.stop();
});

type Tab = Awaited<ReturnType<TestPages['signIn']>>;

const fillIn = async (tab: Tab, { email }: TestAccount): Promise<void> => {
  await tab.getByLabel('Email').fill(email);
  await tab.getByLabel('Password').fill(PASSWORD);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.waitForLoadState();
};

const twoTabsAtTheSignIn = async () => {
  const context = await pages.browser.newContext(pages.service.url);
  const [one, other] = [await context.newPage(), await context.newPage()];
  await one.goto('/sign-in?next=/registry/records');
  await other.goto('/sign-in?next=/registry/births');
  return { context, one, other };
};

test('who signs in in one tab and then in the other is where the other one leads', async () => {
  const { context, one, other } = await twoTabsAtTheSignIn();
  await fillIn(one, pages.members.Provider);
  assert.match(one.url(), /\/registry\/records$/);
  await fillIn(other, pages.members.Provider);
  assert.match(other.url(), /\/registry\/births$/);
  assert.is(await other.locator('h1').innerText(), 'Births');
  // And what the first tab shows can still be sent.
  await one.getByRole('button', { name: 'Sign out' }).click();
  await one.waitForURL('**/sign-in');
  await context.close();
});

test('somebody else is told who is signed in, and nobody is signed in instead', async () => {
  const { context, one, other } = await twoTabsAtTheSignIn();
  await fillIn(one, pages.members.Viewer);
  await fillIn(other, pages.members.Admin);
  assert.is(await other.locator('h1').innerText(), 'Somebody is signed in');
  assert.match(await other.locator('main').innerText(), /signed in as viewer@cedar\.example/);
  assert.equal(await faultsOf(other, 'sign-in-other-tab'), []);
  await other.getByRole('link', { name: 'Go on as viewer@cedar.example' }).click();
  await other.waitForURL('**/registry');
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.waitForURL('**/sign-in');
  await fillIn(other, pages.members.Admin);
  assert.is(await other.locator('h1').innerText(), 'Home');
  await context.close();
});

test('two tabs that a browser opens at once each have a token: the first one asks again', async () => {
  const visitor = newVisitor(pages.service.url);
  const early = await visitor.csrfToken('/sign-in');
  const late = newVisitor(pages.service.url);
  await late.csrfToken('/sign-in');
  const { email } = pages.members.Admin;
  const fields = { _csrf: early, email, password: PASSWORD, next: '/registry/records' };
  const asked = await late.send('/sign-in', fields);
  assert.is(asked.status, 403);
  const html = await asked.text();
  assert.match(html, /Enter your password once more/);
  assert.match(html, /value="admin@cedar\.example"/);
  assert.not.match(html, new RegExp(PASSWORD));
  const [, _csrf = ''] = /name="_csrf" value="([^"]+)"/.exec(html) ?? [];
  const signedIn = await late.send('/sign-in', { ...fields, _csrf });
  assert.is(signedIn.headers.get('location'), '/registry/records');
});

test('pages that several tabs ask for right after the sign-in have one token', async () => {
  for (let round = 0; round < 5; round += 1) {
    const visitor = newVisitor(pages.service.url);
    await visitor.signIn(pages.members.Admin);
    const cookie = visitor.cookie();
    const tokens = await Promise.all(
      ['/registry', '/registry/members', '/registry/records', '/registry/births'].map((path) =>
        newVisitor(pages.service.url, cookie).csrfToken(path),
      ),
    );
    assert.is(new Set(tokens).size, 1);
    assert.match(tokens[0] ?? '', /^\w+$/);
  }
});

test.run();
