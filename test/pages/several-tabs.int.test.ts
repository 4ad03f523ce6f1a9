import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { crossSiteForm, signedOut } from '../../api/web/page-problem.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  newVisitor,
  PASSWORD,
  sharedTestPages,
  signInHere,
  signInVisitor,
  type TestAccount,
} from '../harness/pages.ts';
import { findMessage, type TestPage } from '../harness/test-page.ts';
import type { Visit } from '../harness/visit.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const fillIn = async (tab: TestPage, { email }: TestAccount): Promise<void> => {
  await signInHere(tab, { email });
  await tab.waitForLoadState();
};

/** Another tab of the same browser. */
const otherTab = async (page: Visit, path: string): Promise<Visit> => {
  const other = page.newTab();
  await other.goto(path);
  return other;
};

const SIGN_IN_TO_RECORDS = { as: 'visitor', at: '/sign-in?next=/registry/records' } as const;
const SIGN_IN_TO_BIRTHS = '/sign-in?next=/registry/births';

pages.pageTest(
  'who signs in in one tab and then in the other is where the other one leads',
  SIGN_IN_TO_RECORDS,
  async ({ page: one }) => {
    const other = await otherTab(one, SIGN_IN_TO_BIRTHS);
    await fillIn(one, pages.members.Provider);
    assert.match(one.url(), /\/registry\/records$/);
    await fillIn(other, pages.members.Provider);
    assert.match(other.url(), /\/registry\/births$/);
    assert.is(await other.locator('h1').innerText(), 'Births');
    // And what the first tab shows can still be sent.
    await one.getByRole('button', { name: 'Sign out' }).click();
    await one.waitForURL('**/sign-in');
  },
);

pages.pageTest(
  'someone else is told who is signed in, and nobody is signed in instead',
  SIGN_IN_TO_RECORDS,
  async ({ page: one }) => {
    const other = await otherTab(one, SIGN_IN_TO_BIRTHS);
    await fillIn(one, pages.members.Viewer);
    await fillIn(other, pages.members.Admin);
    assert.is(await other.locator('h1').innerText(), 'You are already signed in');
    const { email } = pages.members.Viewer;
    assert.match(await findMessage(other, 'other-tab').innerText(), email);
    assert.equal(await faultsOf(other, 'sign-in-other-tab'), []);
    await other.getByRole('link', { name: `Continue as ${email}` }).click();
    await other.waitForURL('**/registry');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.waitForURL('**/sign-in');
    await fillIn(other, pages.members.Admin);
    assert.is(await other.locator('h1').innerText(), 'Home');
  },
);

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
  assert.match(html, 'data-error="another-tab"');
  assert.ok(html.includes(`value="${email}"`));
  assert.not(html.includes(PASSWORD));
  const [, _csrf = ''] = /name="_csrf" value="([^"]+)"/.exec(html) ?? [];
  const signedIn = await late.send('/sign-in', { ...fields, _csrf });
  assert.is(signedIn.headers.get('location'), '/registry/records');
});

test('pages that several tabs ask for right after the sign-in each have a token that is accepted', async () => {
  for (let round = 0; round < 5; round += 1) {
    const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
    const cookie = visitor.cookie();
    const tokens = await Promise.all(
      ['/registry', '/registry/members', '/registry/records', '/registry/births'].map((path) =>
        newVisitor(pages.service.url, cookie).csrfToken(path),
      ),
    );
    for (const _csrf of tokens) {
      const answer = await visitor.send('/registry/records', { _csrf, q: 'Nobody' });
      assert.is(answer.status, 303);
    }
  }
});

pages.pageTest(
  'a form that stayed open while its person signed in again is saved at once',
  { as: 'Admin', newSession: true },
  async ({ page: one }) => {
    const other = await otherTab(one, '/registry/custom-fields/new');
    await other.getByLabel('Label').fill('Room “7” & more');
    await other.getByLabel('Choice', { exact: true }).check();
    await other.getByLabel('Answers to choose from').fill('Front\nBack');
    await one.getByRole('button', { name: 'Sign out' }).click();
    await one.waitForURL('**/sign-in');
    await fillIn(one, pages.members.Admin);
    await other.getByRole('button', { name: 'Add field' }).click();
    await other.waitForURL('**/registry/custom-fields');
    const listed = await other.locator('main').innerText();
    for (const typed of ['Room “7” & more', 'Front', 'Back']) assert.ok(listed.includes(typed));
  },
);

pages.pageTest(
  'signing out in a tab of before signs out',
  { as: 'Viewer', newSession: true },
  async ({ page: one }) => {
    const other = await otherTab(one, '/registry/records');
    await one.getByRole('button', { name: 'Sign out' }).click();
    await one.waitForURL('**/sign-in');
    await fillIn(one, pages.members.Viewer);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.waitForURL('**/sign-in');
    await one.goto('/registry/records');
    assert.match(one.url(), /\/sign-in\?/);
  },
);

pages.pageTest(
  'who is not signed in any more is told so, and not that a form is kept',
  { as: 'Admin', newSession: true },
  async ({ page: one }) => {
    const other = await otherTab(one, '/registry/custom-fields/new');
    await other.getByLabel('Label').fill('Room');
    await one.getByRole('button', { name: 'Sign out' }).click();
    await one.waitForURL('**/sign-in');
    await other.getByLabel('Text', { exact: true }).check();
    await other.getByRole('button', { name: 'Add field' }).click();
    assert.is(await other.locator('h1').innerText(), signedOut().heading);
  },
);

test('a form without a token of ours is refused, and shows nothing that was typed', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
  const password = { old: PASSWORD, new: 'another one of mine', repeated: '' };
  const field = { label: 'Room quietly', type: 'text', choices: '' };
  const forms = [
    ['/account/password', password],
    ['/registry/custom-fields', field],
  ] as const;
  for (const [path, typed] of forms)
    for (const headers of [{}, { Origin: pages.service.url }, { Origin: 'https://else.example' }]) {
      const answer = await visitor.send(path, { ...typed, _csrf: 'of before' }, headers);
      assert.is(answer.status, 403);
      const html = await answer.text();
      assert.ok(html.includes(crossSiteForm().text));
      for (const text of [password.new, field.label]) assert.not(html.includes(text));
    }
});

test.run();
