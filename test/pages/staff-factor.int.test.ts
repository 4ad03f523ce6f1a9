import { generateSync } from 'otplib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { faultsOf } from '../support/browser.ts';
import { newVisitor, startTestPages } from '../support/pages.ts';

const pages = await startTestPages({ STAFF_SECOND_FACTOR: 'required' });
test.after(() => pages.stop());

test('the staff set up a second factor before anything else, at their first sign-in', async () => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.staff);
  for (const path of ['/', '/staff', '/staff/practices', '/staff/people']) {
    const answer = await visitor.send(path);
    assert.is(answer.status, 303);
    if (path !== '/') assert.is(answer.headers.get('location'), '/account/security');
  }
  const _csrf = await visitor.csrfToken('/account/security');
  const refused = await visitor.send('/staff/practices', { _csrf, name: 'Larch' });
  assert.is(refused.status, 403);
  assert.match(await refused.text(), /Set up a second factor first/);

  const page = await pages.signIn(pages.staff);
  await page.waitForURL(/account\/security/);
  assert.match(await page.locator('main').innerText(), /set up an authenticator app to go on/);
  assert.equal(await faultsOf(page, 'staff-factor-needed'), []);
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const secret = (await page.locator('#app-secret').innerText()).replaceAll(' ', '');
  await page.getByLabel('Code').fill(generateSync({ secret }));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await page.waitForSelector('#recovery-codes');
  await page.goto('/staff/practices');
  assert.is(await page.locator('h1').innerText(), 'Practices');
  await page.context().close();
});

test('members need none', async () => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.members.Admin);
  assert.is((await visitor.send('/registry/members')).status, 200);
});

test.run();
