import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  NEW_BIRTH_PATH,
  SAVED_BEFORE,
} from '../../api/pages/birth-form/confirm/duplicate-checks.tsx';
import { NOTHING_TYPED_IS_LOST } from '../../api/pages/birth-form/drafts/preserved-form.tsx';
import { DRAFT_DISCARDED } from '../../api/pages/birth-form/new-birth-router.tsx';
import { axeViolations, faultsOf } from '../harness/browser.ts';
import { PASSWORD, RECORD, sharedTestPages } from '../harness/pages.ts';
import { checkAnswers, fillBirth, recordBirth } from '../support/birth-form.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

pages.pageTest(
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
    await page.getByText(SAVED_BEFORE).waitFor();
    await page.goto(NEW_BIRTH_PATH);
    assert.is(await page.locator('.draft-notice').count(), 0);
  },
);

pages.pageTest(
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
    await other.getByLabel('Email').fill(pages.members.Admin.email);
    await other.getByLabel('Password').fill(PASSWORD);
    await other.getByRole('button', { name: 'Sign in' }).click();
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
    await page.getByText(DRAFT_DISCARDED).waitFor();
    assert.is(await page.locator('.draft-notice').count(), 0);
  },
);

pages.pageTest(
  'a form sent after its session has ended is not lost, also without script',
  { as: 'Scribe', at: NEW_BIRTH_PATH, javaScriptEnabled: false },
  async ({ page }) => {
    await fillBirth(page, { 'mother.family_name': 'Expired', 'children.0.birth_date': '5/2/2026' });
    await page.locator('[name="place_of_birth"]').selectOption('Home');
    await page.context().clearCookies();
    await checkAnswers(page);
    assert.match(await page.locator('main').innerText(), NOTHING_TYPED_IS_LOST);
    const other = await page.context().newPage();
    await other.goto('/sign-in');
    await other.getByLabel('Email').fill(pages.members.Scribe.email);
    await other.getByLabel('Password').fill(PASSWORD);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Return to the form' }).click();
    assert.is(await page.locator('[name="mother.family_name"]').inputValue(), 'Expired');
    await recordBirth(page);
    await page.waitForURL(/\/entered$/);
  },
);

test.run();
