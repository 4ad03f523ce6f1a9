import type { Locator, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NEW_BIRTH_PATH } from '../../api/pages/parts/birth-form/confirm/duplicate-checks.tsx';
import { faultsOf } from '../harness/gallery.ts';
import { newVisitor, RECORD, signInVisitor } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { findMessage } from '../harness/test-page.ts';
import { checkAnswers, fillBirth, recordBirth, saveCorrection } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';
import { inputOf, save, startTestPrefillPages } from '../support/launches.ts';

const pages = await startTestPrefillPages();
test.after(() => pages.stop());

/** Pushes a birth. @returns the address of its record */
const pushed = async (chartNumber: string): Promise<string> => {
  const bundle = birthBundle({ chartNumber });
  const receipt = await push(pages.service.url, pages.practice.token, bundle);
  const [accepted] = receipt.status === 'completed' ? receipt.outcome.accepted : [];
  return `/registry/records/${accepted?.submission_uuid}`;
};

const voidBirth = (chartNumber: string) =>
  push(pages.service.url, pages.practice.token, {
    ...birthBundle({ chartNumber }),
    entry: [{ request: { method: 'DELETE', url: 'Bundle' } }],
  } as never);

/** Types a birth, in the form that is open, under a chart number that is taken, and sends it at once. */
const enter = async (page: Page, chartNumber: string): Promise<void> => {
  await fillBirth(page, {
    chart_number: chartNumber,
    'mother.family_name': 'Typed',
    'children.0.birth_date': '3/12/2026',
  });
  await page.locator('[name="place_of_birth"]').selectOption('Clinic');
  await recordBirth(page);
};

/** An answer takes the address of its form as its scripts run: only then does Back lead to the form. */
const answered = async (page: Page, shown: Locator): Promise<void> => {
  await shown.waitFor();
  await page.waitForLoadState();
};

const isFormAsTyped = async (page: Page, name: string, value: string): Promise<void> => {
  const field = page.locator(`#birth-form [name="${name}"]`);
  await field.waitFor();
  assert.is(await field.inputValue(), value);
};

pages.browserTest(
  'Back to the question about a chart number shows the form with everything typed',
  async ({ open }) => {
    await pushed('BA-1');
    const page = await open('Admin', { at: NEW_BIRTH_PATH });
    await enter(page, 'BA-1');
    const amend = page.getByRole('button', { name: 'Amend record' });
    await answered(page, amend);
    await page.getByRole('link', { name: 'the record of' }).click();
    await page.waitForURL(RECORD);
    await page.goBack();
    await isFormAsTyped(page, 'mother.family_name', 'Typed');
    await recordBirth(page);
    await answered(page, amend);
    await page.reload();
    await isFormAsTyped(page, 'mother.family_name', 'Typed');
    await recordBirth(page);
    await answered(page, amend);
    await page.getByRole('button', { name: 'Return to the form' }).click();
    await isFormAsTyped(page, 'mother.family_name', 'Typed');
    await page.goBack();
    await isFormAsTyped(page, 'mother.family_name', 'Typed');
    await recordBirth(page);
    await amend.click();
    await page.waitForURL(RECORD);
    assert.match(await findMessage(page, 'record-amended').innerText(), 'version 2.');
    assert.equal(await faultsOf(page, 'record-amended'), []);
  },
);

pages.scriptTest(
  'Back to a form with something to mend shows what was typed',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await fillBirth(page, { 'mother.family_name': 'Typed', 'mother.birth_date': 'in May' });
    await checkAnswers(page);
    await answered(page, page.locator('[data-error-summary]'));
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL(/\/registry$/);
    await page.goBack();
    await isFormAsTyped(page, 'mother.birth_date', 'in May');
  },
);

pages.browserTest('Back to a choice between two corrections shows one’s own', async ({ open }) => {
  const at = `${await pushed('BA-2')}/correct`;
  const [one, other] = [await open('Admin', { at }), await open('Provider', { at })];
  const correct = async (page: Page, visits: string): Promise<void> => {
    await page.locator('[name="prenatal_visits"]').fill(visits);
    await saveCorrection(page);
  };
  await correct(one, '9');
  await one.waitForURL(RECORD);
  await correct(other, '11');
  await answered(other, other.locator('[data-message="record-changed"]'));
  await other.goto('/registry/records');
  await other.goBack();
  await isFormAsTyped(other, 'prenatal_visits', '11');
});

pages.browserTest(
  'Back to a correction of what was voided meanwhile shows what was typed',
  async ({ open }) => {
    const page = await open('Provider', { at: `${await pushed('BA-3')}/correct` });
    await page.locator('[name="prenatal_visits"]').fill('12');
    await voidBirth('BA-3');
    await checkAnswers(page);
    const record = page.getByRole('link', { name: 'This record' });
    await answered(page, record);
    await record.click();
    await page.waitForURL(RECORD);
    await page.goBack();
    await page.getByRole('button', { name: 'Enter the birth again' }).click();
    await isFormAsTyped(page, 'prenatal_visits', '12');
  },
);

test('Back to the question about a pre-fill shows what was typed', async () => {
  await pushed('BA-4');
  const page = await pages.signIn(pages.members.Admin);
  await pages.launch(page, 'mother-4');
  await inputOf(page, 'mother.family_name').fill('Typed');
  await inputOf(page, 'mother.birth_date').fill('6/2/1994');
  await inputOf(page, 'children.0.birth_date').fill('3/12/2026');
  await inputOf(page, 'place_of_birth').selectOption('Home');
  await inputOf(page, 'chart_number').fill('BA-4');
  await save(page);
  const record = page.getByRole('link', { name: 'the record of' });
  await answered(page, record);
  await record.click();
  await page.waitForURL(RECORD);
  await page.goBack();
  await isFormAsTyped(page, 'mother.family_name', 'Typed');
  await page.context().close();
});

test('a page has such an address only if what its owner sent is kept', async () => {
  const { service, practice, members } = pages;
  const visitor = await signInVisitor(service.url, members.Admin);
  const _csrf = await visitor.csrfToken('/registry');
  const beforeSignIn = await newVisitor(service.url).csrfToken('/sign-in');
  const live = `${await pushed('BA-5')}/correct`;
  const voided = `${await pushed('BA-6')}/correct`;
  await voidBirth('BA-6');
  const typed = { version: '1', 'mother.family_name': 'Typed', place_of_birth: 'nowhere' };
  for (const path of [NEW_BIRTH_PATH, live, voided]) {
    const answerTo = async (token: string): Promise<string> =>
      (await visitor.send(path, { ...typed, _csrf: token, save: 'check' })).text();
    assert.match(await answerTo(_csrf), new RegExp(`data-return-to="${path}\\?draft=`), path);
    assert.not.match(await answerTo(beforeSignIn), 'data-return-to', path);
  }
  const blank = await visitor.send(NEW_BIRTH_PATH, { _csrf, save: 'check' });
  assert.is(blank.status, 422);
  assert.not.match(await blank.text(), 'data-return-to');
  assert.is((await service.commands.history(practice.practiceId, 'BA-5', null)).state?.version, 1);
});

test.run();
