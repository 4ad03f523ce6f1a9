import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { faultsOf } from '../harness/gallery.ts';
import { sharedTestPages, signInWithoutPage, signOutWithoutPage } from '../harness/pages.ts';

const MINUTE_MS = 60_000;

const pages = await sharedTestPages();
test.after(() => pages.stop());

/** Opens a page of somebody who then touches nothing, with a clock that the test moves. */
const restOn = async (page: Page, path: string) => {
  await page.clock.install();
  await page.goto(path);
  return page.locator('.session-end');
};

/** Another tab of the browser, whose session is over; `answered` tells this one of an answer there. */
const otherTab = async (page: Page) => {
  const context = page.context();
  await context.clearCookies();
  return {
    context,
    answered: () =>
      page.evaluate(() => {
        localStorage.setItem('registry-last-answer', String(Date.now()));
        window.dispatchEvent(new StorageEvent('storage', { key: 'registry-last-answer' }));
      }),
  };
};

pages.scriptTest(
  'a minute before the end a page says so, and one may stay',
  { as: 'Admin' },
  async ({ page }) => {
    const notice = await restOn(page, '/registry/members/invite');
    await page.clock.runFor(13.9 * MINUTE_MS);
    assert.is(await notice.count(), 0);
    await page.clock.runFor(0.3 * MINUTE_MS);
    assert.equal(
      [await notice.getByRole('alert').count(), await notice.getAttribute('data-kind')],
      [1, 'soon'],
    );
    assert.equal(await faultsOf(page, 'session-ends-soon'), []);
    const [answered] = await Promise.all([
      page.waitForResponse(/account\/session/),
      page.getByRole('button', { name: 'Stay signed in' }).click(),
    ]);
    assert.is(answered.status(), 204);
    await notice.waitFor({ state: 'detached' });
    await page.clock.runFor(13 * MINUTE_MS);
    assert.is(await notice.count(), 0);
  },
);

pages.scriptTest(
  'what is typed stays on the page, and can be sent after signing in again',
  { as: 'Admin' },
  async ({ page }) => {
    const notice = await restOn(page, '/registry/members/invite');
    await page.getByLabel('Email').fill('half.typed@cedar.example');
    await page.getByLabel('Viewer:').check();
    await page.clock.runFor(15.2 * MINUTE_MS);
    assert.is(await notice.getAttribute('data-kind'), 'over');
    assert.ok(
      await notice.getByRole('link', { name: 'Sign in in a new tab', exact: true }).isVisible(),
    );
    assert.equal(await faultsOf(page, 'session-ended'), []);
    // Nothing of it can be read, by its passers-by or by a screen reader.
    assert.is((await page.locator('body').innerText()).includes('Invite'), false);
    assert.is(await page.getByRole('textbox').count(), 0);

    // Somebody else signs in in another tab: it is none of theirs.
    const { context, answered } = await otherTab(page);
    await signInWithoutPage(context, pages.members.Viewer);
    await answered();
    await page.getByRole('link', { name: 'Leave this page' }).waitFor();
    assert.equal(await faultsOf(page, 'session-of-another'), []);
    assert.is(await page.getByRole('textbox').count(), 0);

    await signOutWithoutPage(context);
    await signInWithoutPage(context, pages.members.Admin);
    await answered();
    await page.getByLabel('Email').waitFor();
    assert.is(await page.getByLabel('Email').inputValue(), 'half.typed@cedar.example');
    assert.is(await notice.count(), 0);
  },
);

pages.scriptTest(
  'a page on which nothing is typed gives way to the sign-in',
  { as: 'Admin' },
  async ({ page }) => {
    await restOn(page, '/registry/births');
    await Promise.all([
      page.waitForRequest(/\/sign-in\?next=%2Fregistry%2Fbirths/),
      page.clock.runFor(15.2 * MINUTE_MS),
    ]);
  },
);

pages.scriptTest(
  'another tab that is worked in keeps the session up',
  { as: 'Admin' },
  async ({ page }) => {
    const notice = await restOn(page, '/registry/births');
    await page.clock.runFor(10 * MINUTE_MS);
    await page.evaluate(() => localStorage.setItem('registry-last-answer', String(Date.now())));
    await page.clock.runFor(10 * MINUTE_MS);
    assert.is(await notice.count(), 0);
  },
);

test.run();
