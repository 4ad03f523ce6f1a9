import { generateSync } from 'otplib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newAuthenticator } from '../harness/browser.ts';
import { faultsOf } from '../harness/gallery.ts';
import { PASSWORD, signInVisitor, signInWithoutPage, startTestPages } from '../harness/pages.ts';
import { findMessage } from '../harness/test-page.ts';

const pages = await startTestPages({ STAFF_SECOND_FACTOR: 'required' });
test.after(() => pages.stop());

pages.pageTest(
  'the staff set up a second factor before anything else, at their first sign-in',
  { as: 'staff', newSession: true },
  async ({ page }) => {
    const visitor = await signInVisitor(pages.service.url, pages.staff);
    for (const path of ['/', '/staff', '/staff/practices', '/staff/people']) {
      const answer = await visitor.send(path);
      assert.is(answer.status, 303);
      if (path !== '/') assert.is(answer.headers.get('location'), '/account/security');
    }
    const _csrf = await visitor.csrfToken('/account/security');
    const refused = await visitor.send('/staff/practices', { _csrf, name: 'Larch' });
    assert.is(refused.status, 403);
    assert.match(await refused.text(), '<h1>Set up a second factor first</h1>');

    await page.waitForURL(/account\/security/);
    const rule = await findMessage(page, 'staff-factor-first').innerText();
    assert.match(rule, 'The service staff sign in with more than a password.');
    assert.equal(await faultsOf(page, 'staff-factor-needed'), []);
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const secret = (await page.locator('#app-secret').innerText()).replaceAll(' ', '');
    await page.getByLabel('Code').fill(generateSync({ secret }));
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.locator('#recovery-codes').waitFor();
    await page.goto('/staff/practices');
    assert.is(await page.locator('h1').innerText(), 'Practices');
  },
);

test('a person of the staff works with a passkey alone, until the operator resets it', async () => {
  const { commands, url } = pages.service;
  const email = 'keyed@registry.example';
  const id = await commands.accounts.addStaff({ email, password: PASSWORD });
  const factorsOf = async () =>
    (await commands.lists.staff()).find((person) => person.email === email)?.secondFactor;
  const context = await pages.browser.newContext(url.replace('127.0.0.1', 'localhost'));
  const page = await context.newPage();
  await signInWithoutPage(context, { id, email });
  const authenticator = await newAuthenticator(page);
  await page.goto('/staff');
  await page.waitForURL(/account\/security/);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.locator('#recovery-codes').waitFor();
  assert.equal(await factorsOf(), ['passkey']);
  await page.goto('/staff/people');
  assert.equal(
    await page.getByRole('row').filter({ hasText: email }).getByText('Passkey').count(),
    1,
  );
  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in$/);
  await signInWithoutPage(context, { id, email });
  await page.goto('/sign-in/code');
  await page.getByRole('button', { name: 'Use your passkey' }).click();
  await page.waitForURL(/\/staff/);

  await commands.staff.givePassword(email);
  assert.equal(await factorsOf(), []);
  assert.is(await authenticator.count(), 1);
  await context.close();
});

test('members need none', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
  assert.is((await visitor.send('/registry/members')).status, 200);
});

test.run();
