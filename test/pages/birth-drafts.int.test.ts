import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NEW_BIRTH_PATH } from '../../api/pages/parts/birth-form/confirm/duplicate-checks.tsx';
import { axeViolations } from '../harness/browser.ts';
import { faultsOf } from '../harness/gallery.ts';
import { RECORD, sharedTestPages, signInHere } from '../harness/pages.ts';
import { findMessage } from '../harness/test-page.ts';
import { checkAnswers, fillBirth, recordBirth } from '../support/birth-form.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

/** Waits until what was typed last is in the draft. */
const saved = async (page: Page): Promise<void> => {
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/check') && response.ok()),
    page.locator('[name="prenatal_visits"]').blur(),
  ]);
};

pages.scriptTest(
  'a double click saves once',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await fillBirth(page, { 'mother.family_name': 'Twice', 'children.0.birth_date': '5/1/2026' });
    await page.locator('[name="place_of_birth"]').selectOption('Home');
    // Both at once, past the script that holds back the second one.
    const urls = await page.evaluate(async () => {
      const form = document.getElementById('birth-form') as HTMLFormElement;
      const body = new URLSearchParams();
      for (const [name, value] of new FormData(form)) body.append(name, String(value));
      body.append('consent.granted', 'no');
      body.append('save', 'record');
      const answers = await Promise.all(
        [1, 2].map(() => fetch(form.action, { method: 'POST', body })),
      );
      return answers.map(({ url }) => url);
    });
    assert.match(urls[0] ?? '', RECORD);
    assert.is(urls[0], urls[1]);
    // What was left in the form that was saved is no second birth.
    await page.locator('[name="prenatal_visits"]').fill('11');
    await checkAnswers(page);
    await findMessage(page, 'saved-before').waitFor();
    await page.goto(NEW_BIRTH_PATH);
    assert.is(await page.locator('.draft-notice').count(), 0);
  },
);

pages.scriptTest(
  'a birth in progress outlives its session, and is continued or discarded',
  { as: 'Admin', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await fillBirth(page, { 'mother.family_name': 'Interrupted', 'mother.given_names': 'Ida' });
    await page.getByText('Draft saved').waitFor();
    await page.waitForURL(/draft=/);
    const resume = page.url();
    await page.context().clearCookies();
    await page.locator('[name="mother.birth_date"]').fill('5/12/1994');
    await page.getByText('You are signed out.').waitFor();
    assert.equal(await axeViolations(page), []);
    // In another tab, as the link opens it.
    const other = await page.context().newPage();
    await other.goto(
      `/sign-in?next=${encodeURIComponent(new URL(resume).pathname + new URL(resume).search)}`,
    );
    await signInHere(other, pages.members.Admin);
    await other.waitForURL(/draft=/);
    assert.is(await other.locator('[name="mother.family_name"]').inputValue(), 'Interrupted');
    await other.close();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.getByText('Draft saved').waitFor();
    assert.is(await page.locator('[name="mother.birth_date"]').inputValue(), '5/12/1994');
    await page.goto(NEW_BIRTH_PATH);
    assert.match(await page.locator('.draft-notice').innerText(), 'Ida Interrupted');
    assert.equal(await faultsOf(page, 'birth-form-draft'), []);
    await page.getByRole('link', { name: 'Continue' }).click();
    assert.is(await page.locator('[name="mother.birth_date"]').inputValue(), '5/12/1994');
    await page.goto(NEW_BIRTH_PATH);
    await page.getByRole('button', { name: 'Discard' }).click();
    await findMessage(page, 'draft-discarded').waitFor();
    assert.is(await page.locator('.draft-notice').count(), 0);
  },
);

pages.scriptTest(
  'a draft that is open in two tabs is not replaced: the second one asks, and shows both',
  { as: 'Admin', at: NEW_BIRTH_PATH },
  async ({ page: one }) => {
    await fillBirth(one, { 'mother.family_name': 'Tabb', 'mother.given_names': 'Ida' });
    await one.waitForURL(/draft=/);
    const other = await one.context().newPage();
    await other.goto(one.url());
    await fillBirth(one, { 'mother.given_names': 'Ida Rose' });
    await saved(one);
    await other.locator('[name="prenatal_visits"]').fill('11');
    await other.getByText('in another tab').waitFor();
    await checkAnswers(other);
    await findMessage(other, 'changed-elsewhere').waitFor();
    assert.is(await other.locator('h1').innerText(), 'You changed this form in another tab');
    assert.equal(await faultsOf(other, 'birth-form-other-tab'), []);
    const text = await other.locator('main').innerText();
    for (const value of ['Ida Rose', 'Ida', '11']) assert.match(text, value);
    // Reload: the draft is still that of the first tab.
    const third = await one.context().newPage();
    await third.goto(one.url());
    assert.is(await third.locator('[name="mother.given_names"]').inputValue(), 'Ida Rose');
    await other.getByRole('button', { name: 'Continue with this tab' }).click();
    assert.is(await other.locator('[name="prenatal_visits"]').inputValue(), '11');
    assert.is(await other.locator('[name="mother.given_names"]').inputValue(), 'Ida');
    // Now the first tab is the one that is asked.
    await checkAnswers(one);
    await findMessage(one, 'changed-elsewhere').waitFor();
    await one.getByRole('link', { name: 'Continue with the other tab' }).click();
    assert.is(await one.locator('[name="prenatal_visits"]').inputValue(), '11');
  },
);

pages.scriptTest(
  'a check that reaches the server after a later one does not replace what the later one saved',
  { as: 'Scribe', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    const held: (string | null)[] = [];
    await page.route('**/check', async (route) => {
      held.push(route.request().postData());
      await (held.length === 1 ? route.abort() : route.continue());
    });
    await fillBirth(page, { 'mother.family_name': 'Early' });
    await page.getByText('not saved yet').waitFor();
    await fillBirth(page, { 'mother.family_name': 'Late' });
    await page.waitForURL(/draft=/);
    // As if the network had delivered the first one only now.
    const answer = await page.evaluate(async (body) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      return (
        await fetch('/registry/records/check', { method: 'POST', body, headers })
      ).json() as unknown;
    }, held[0] ?? '');
    const { savedAt, isChangedElsewhere } = answer as Record<string, unknown>;
    assert.equal([savedAt, isChangedElsewhere], [null, false]);
    await page.reload();
    assert.is(await page.locator('[name="mother.family_name"]').inputValue(), 'Late');
  },
);

pages.scriptTest(
  'a draft that is discarded in one tab is not saved again by another, which keeps what was typed',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page: one }) => {
    await fillBirth(one, { 'mother.family_name': 'Discarded' });
    await one.waitForURL(/draft=/);
    const other = await one.context().newPage();
    await other.goto(NEW_BIRTH_PATH);
    await other.getByRole('button', { name: 'Discard' }).click();
    await findMessage(other, 'draft-discarded').waitFor();
    await one.locator('[name="prenatal_visits"]').fill('7');
    await one.getByText('in another tab').waitFor();
    await other.goto(NEW_BIRTH_PATH);
    assert.is(await other.locator('.draft-notice').count(), 0);
    await checkAnswers(one);
    await findMessage(one, 'discarded-elsewhere').waitFor();
    assert.is(await one.locator('h1').innerText(), 'You discarded this form in another tab');
    assert.equal(await faultsOf(one, 'birth-form-discarded-elsewhere'), []);
    await one.getByRole('button', { name: 'Continue with this tab' }).click();
    assert.is(await one.locator('[name="mother.family_name"]').inputValue(), 'Discarded');
    assert.is(await one.locator('[name="prenatal_visits"]').inputValue(), '7');
  },
);

pages.pageTest(
  'a form sent after its session has ended is not lost, also without script',
  { as: 'Scribe', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await fillBirth(page, { 'mother.family_name': 'Expired', 'children.0.birth_date': '5/2/2026' });
    await page.locator('[name="place_of_birth"]').selectOption('Home');
    await page.context().clearCookies();
    await checkAnswers(page);
    await findMessage(page, 'nothing-typed-is-lost').waitFor();
    const other = page.newTab();
    await other.goto('/sign-in');
    await signInHere(other, pages.members.Scribe);
    await page.getByRole('button', { name: 'Return to the form' }).click();
    assert.is(await page.locator('[name="mother.family_name"]').inputValue(), 'Expired');
    await recordBirth(page);
    await page.waitForURL(/\/entered$/);
  },
);

test.run();
