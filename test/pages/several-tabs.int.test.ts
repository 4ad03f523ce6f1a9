import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { faultsOf } from '../harness/browser.ts';
import {
  newVisitor,
  PASSWORD,
  sharedTestPages,
  type TestAccount,
  type TestPages,
} from '../harness/pages.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

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

test('someone else is told who is signed in, and nobody is signed in instead', async () => {
  const { context, one, other } = await twoTabsAtTheSignIn();
  await fillIn(one, pages.members.Viewer);
  await fillIn(other, pages.members.Admin);
  assert.is(await other.locator('h1').innerText(), 'Someone is signed in');
  assert.match(
    await other.locator('main').innerText(),
    `signed in as ${pages.members.Viewer.email}`,
  );
  assert.equal(await faultsOf(other, 'sign-in-other-tab'), []);
  await other.getByRole('link', { name: `Go on as ${pages.members.Viewer.email}` }).click();
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
  assert.match(html, `value="${email}"`);
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

test('a form of before signing in again is sent once more, with all that was typed', async () => {
  const one = await pages.signIn(pages.members.Admin);
  const other = await one.context().newPage();
  await other.goto('/registry/custom-fields/new');
  await other.getByLabel('Label').fill('Room “7” & more');
  await other.getByLabel('Choice', { exact: true }).check();
  await other.getByLabel('Answers of a choice').fill('Front\nBack');
  await one.getByRole('button', { name: 'Sign out' }).click();
  await one.waitForURL('**/sign-in');
  await fillIn(one, pages.members.Admin);
  await other.getByRole('button', { name: 'Add field' }).click();
  assert.is(await other.locator('h1').innerText(), 'Send this form once more');
  const kept = await other.locator('main').innerText();
  for (const typed of ['Room “7” & more', `goes out as ${pages.members.Admin.email}`])
    assert.ok(kept.includes(typed), typed);
  assert.equal(await faultsOf(other, 'form-once-more'), []);
  await other.getByRole('button', { name: 'Send it once more' }).click();
  await other.waitForURL('**/registry/custom-fields');
  const listed = await other.locator('main').innerText();
  for (const typed of ['Room “7” & more', 'Front', 'Back']) assert.ok(listed.includes(typed));
  await one.context().close();
});

test('signing out in a tab of before signs out', async () => {
  const one = await pages.signIn(pages.members.Viewer);
  const other = await one.context().newPage();
  await other.goto('/registry/records');
  await one.getByRole('button', { name: 'Sign out' }).click();
  await one.waitForURL('**/sign-in');
  await fillIn(one, pages.members.Viewer);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.waitForURL('**/sign-in');
  await one.goto('/registry/records');
  assert.match(one.url(), /\/sign-in\?/);
  await one.context().close();
});

test('who is not signed in any more is told so, and not that a form is kept', async () => {
  const one = await pages.signIn(pages.members.Admin);
  const other = await one.context().newPage();
  await other.goto('/registry/custom-fields/new');
  await other.getByLabel('Label').fill('Room');
  await one.getByRole('button', { name: 'Sign out' }).click();
  await one.waitForURL('**/sign-in');
  await other.getByLabel('Text', { exact: true }).check();
  await other.getByRole('button', { name: 'Add field' }).click();
  assert.is(await other.locator('h1').innerText(), 'You are signed out');
  await one.context().close();
});

test('a password is not kept for that', async () => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.members.Viewer);
  const fields = { _csrf: 'of before', old: PASSWORD, new: 'another one of mine', repeated: '' };
  const answer = await visitor.send('/account/password', fields, { Origin: pages.service.url });
  assert.is(answer.status, 403);
  const html = await answer.text();
  assert.match(html, /This form cannot be taken/);
  assert.not.match(html, /another one of mine/);
});

test('only what a browser says to be of our pages is kept for that', async () => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.members.Admin);
  const fields = { _csrf: 'of before', label: 'Room', type: 'text', choices: '' };
  const form = '/registry/custom-fields';
  assert.match(await (await visitor.send(form, fields)).text(), /This form cannot be taken/);
  const elsewhere = { Origin: 'https://elsewhere.example' };
  const foreign = await visitor.send(form, fields, elsewhere);
  assert.match(await foreign.text(), /This form cannot be taken/);
  const { _seat } = await visitor.birthFormFields(`${form}/new`);
  const ours = await visitor.send(form, { ...fields, _seat }, { 'Sec-Fetch-Site': 'same-origin' });
  assert.match(await ours.text(), /Send this form once more/);
  assert.not.match(await (await visitor.send(form)).text(), /Room</);
});

test.run();
