import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { consoleOf, faultsOf } from '../harness/browser.ts';
import { sharedTestPages } from '../harness/pages.ts';

const MINUTE_MS = 60_000;

const pages = await sharedTestPages();
test.after(() => pages.stop());

/** A page of somebody who then touches nothing, with a clock that the test moves. */
const restingOn = async (path: string) => {
  const page = await pages.signIn(pages.members.Admin);
  const messages = consoleOf(page);
  await page.clock.install();
  await page.goto(path);
  return { page, messages, notice: page.locator('.session-end') };
};

test('a minute before the end a page says so, and one may stay', async () => {
  const { page, messages, notice } = await restingOn('/registry/members/invite');
  await page.clock.runFor(13.9 * MINUTE_MS);
  assert.is(await notice.count(), 0);
  await page.clock.runFor(0.3 * MINUTE_MS);
  assert.match(await notice.innerText(), /signed out in less than a minute/);
  assert.equal(await faultsOf(page, 'session-ends-soon'), []);
  const answered = page.waitForResponse(/account\/session/);
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  assert.is((await answered).status(), 204);
  await notice.waitFor({ state: 'detached' });
  await page.clock.runFor(13 * MINUTE_MS);
  assert.is(await notice.count(), 0);
  assert.equal(messages, []);
  await page.context().close();
});

test('what is typed stays on the page, and can be sent after signing in again', async () => {
  const { page, messages, notice } = await restingOn('/registry/members/invite');
  await page.getByLabel('Email').fill('half.typed@cedar.example');
  await page.getByLabel(/^Viewer/).check();
  await page.clock.runFor(15.2 * MINUTE_MS);
  assert.match(await notice.innerText(), /What you typed is still on this page/);
  assert.is(await page.getByLabel('Email').inputValue(), 'half.typed@cedar.example');
  assert.equal(await faultsOf(page, 'session-ended'), []);
  assert.equal(messages, []);
  await page.context().close();
});

test('a page on which nothing is typed gives way to the sign-in', async () => {
  const { page } = await restingOn('/registry/births');
  const asked = page.waitForRequest(/\/sign-in\?next=%2Fregistry%2Fbirths/);
  await page.clock.runFor(15.2 * MINUTE_MS);
  await asked;
  await page.context().close();
});

test('another tab that is worked in keeps the session up', async () => {
  const { page, notice } = await restingOn('/registry/births');
  await page.clock.runFor(10 * MINUTE_MS);
  await page.evaluate(() => localStorage.setItem('registry-last-answer', String(Date.now())));
  await page.clock.runFor(10 * MINUTE_MS);
  assert.is(await notice.count(), 0);
  await page.context().close();
});

test.run();
