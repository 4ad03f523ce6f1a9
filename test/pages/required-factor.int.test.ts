import { generateSync } from 'otplib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  describeMembersWithout,
  describeRequirement,
} from '../../api/pages/administration/practice-settings/practice-settings-router.tsx';
import { newAuthenticator } from '../harness/browser.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  sharedTestPages,
  signInVisitor,
  signInWithoutPage,
  type TestAccount,
  type TestVisitor,
} from '../harness/pages.ts';
import { findMessage, readMessage } from '../harness/test-page.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const SECURITY = '/account/security';
const FACTOR = '/registry/practice/second-factor';
const { members, service, practice } = pages;

const signedIn = async (account: TestAccount): Promise<TestVisitor> => {
  const visitor = await signInVisitor(service.url, account);
  return visitor;
};

/** Whether the practice requires a second factor, as an Admin's form says. */
const setRequired = async (admin: TestVisitor, to: 'required' | 'optional') => {
  const _csrf = await admin.csrfToken(SECURITY);
  return admin.send(FACTOR, { _csrf, to });
};

pages.pageTest(
  'an Admin requires it, and every member sets one up at the next click',
  { as: 'Admin', newSession: true, at: '/registry/practice' },
  async ({ page }) => {
    const { Admin, Viewer, Scribe } = members;
    const before = await signedIn(Viewer);
    const early = await signedIn(Admin);
    const scribe = await signedIn(Scribe);
    const _csrf = await scribe.csrfToken(SECURITY);
    assert.is((await before.send('/registry/births')).status, 200);

    assert.equal(await faultsOf(page, 'practice-factor-optional'), []);
    await page.getByRole('button', { name: 'Require a second factor' }).click();
    const emails = (await service.commands.lists.members(practice.practiceId)).map(
      ({ email }) => email,
    );
    assert.equal([emails.length, emails.includes(Admin.email)], [4, true]);
    await page.getByText(describeMembersWithout(emails, 4)).waitFor();
    assert.equal(await faultsOf(page, 'practice-factor-question'), []);
    await page.getByRole('button', { name: 'Require a second factor' }).click();

    // The Admin as well.
    await page.waitForURL(/\/account\/security$/);
    await page.getByText(describeRequirement(false)).waitFor();
    assert.equal(await faultsOf(page, 'security-required'), []);
    for (const path of ['/registry', '/registry/births', '/registry/records/new']) {
      const answer = await before.send(path);
      assert.equal([answer.status, answer.headers.get('location')], [303, SECURITY], path);
    }
    const refused = await scribe.send('/registry/records/new', { _csrf, save: 'save' });
    assert.is(refused.status, 403);
    const refusal = await refused.text();
    assert.match(refusal, '<h1>Set up a second factor first</h1>');
    assert.match(refusal, 'Nothing was changed: the members of your practice sign in with more');
    const security = await (await before.send(SECURITY)).text();
    assert.match(
      readMessage(security, 'member-factor-first'),
      'The members of your practice sign in with more than a password.',
    );
    assert.is((await before.send('/account/password')).status, 200);

    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const secret = (await page.locator('#app-secret').innerText()).replaceAll(' ', '');
    await page.getByLabel('Code').fill(generateSync({ secret }));
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.locator('#recovery-codes').waitFor();
    await page.goto('/registry/members');
    assert.equal(await faultsOf(page, 'members-factors'), []);
    const row = page.getByRole('row').filter({ hasText: Admin.email });
    assert.is(await row.getByRole('cell', { name: 'App', exact: true }).count(), 1);
    assert.is(await page.getByRole('cell', { name: 'None', exact: true }).count(), 3);
    await page.goto('/registry/members/review');
    assert.equal(await faultsOf(page, 'review-factors'), []);

    // One of the others, with a passkey.
    const context = await pages.browser.newContext(service.url.replace('127.0.0.1', 'localhost'));
    const tab = await context.newPage();
    await signInWithoutPage(context, Viewer);
    await newAuthenticator(tab);
    await tab.goto('/registry/births');
    await tab.waitForURL(/\/account\/security$/);
    await tab.getByRole('button', { name: 'Add a passkey' }).click();
    await tab.locator('#recovery-codes').waitFor();
    await tab.goto('/registry/births');
    await tab.waitForURL(/\/registry\/births$/);
    // The last one is needed: its removal says so, and leads back.
    await tab.goto(SECURITY);
    await tab.getByRole('button', { name: 'Remove' }).click();
    assert.match(
      await findMessage(tab, 'factor-needed').innerText(),
      'Your account needs a second factor.',
    );
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
    // From before the app: it was not shown in this session.
    const unshown = await setRequired(early, 'required');
    assert.match(await unshown.text(), 'data-message="factor-again"');
    assert.is((await before.send('/registry/births')).status, 200);

    const trail = await pages.visit('staff', { at: `/staff/practices/${practice.practiceId}` });
    for (const what of [
      'Required a second factor for every member',
      'Made the second factor optional',
    ])
      assert.is(await trail.getByRole('cell', { name: what, exact: true }).count(), 1, what);
  },
);

test('the other seats require nothing', async () => {
  for (const account of [members.Provider, members.Viewer, members.Scribe]) {
    const visitor = await signedIn(account);
    assert.is((await setRequired(visitor, 'required')).status, 403);
    assert.is((await visitor.send(FACTOR)).status, 403);
  }
  assert.is((await (await signedIn(members.Viewer)).send('/registry')).status, 200);
});

test.run();
