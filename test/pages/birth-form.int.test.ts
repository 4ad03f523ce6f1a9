import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NEW_BIRTH_PATH } from '../../api/pages/parts/birth-form/confirm/duplicate-checks.tsx';
import { MISSING_UNIT } from '../../domain/mapping/form/parse-measures.ts';
import { faultsOf } from '../harness/gallery.ts';
import { RECORD, sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { findMessage, readMessage } from '../harness/test-page.ts';
import {
  checkAnswers,
  errorsOf,
  fillBirth,
  recordBirth,
  saveCorrection,
} from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

/** Tabs on until a field has the focus, then types. */
const typeInto = async (page: Page, name: string, text: string): Promise<void> => {
  for (let tabs = 0; tabs < 80; tabs += 1) {
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('name'));
    if (focused === name) {
      await page.keyboard.type(text);
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}.`);
};

/** Tabs on until a button has the focus, then presses it. */
const press = async (page: Page, text: string): Promise<void> => {
  for (let tabs = 0; tabs < 80; tabs += 1) {
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim());
    if (focused === text) {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${text}.`);
};

pages.scriptTest(
  'a whole birth with two children is entered by keyboard alone',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await typeInto(page, 'chart_number', 'KB-1');
    await typeInto(page, 'mother.given_names', 'María José');
    await typeInto(page, 'mother.family_name', 'Åström-Villanueva de la Cruz');
    await typeInto(page, 'mother.birth_date', 'Aug 30, 1994');
    await typeInto(page, 'last_menstrual_period', '8/8/2025');
    await typeInto(page, 'place_of_birth', 'Hom');
    await typeInto(page, 'delivery_method', 'Vaginal, s');
    await typeInto(page, 'children.0.given_names', 'Ana');
    await typeInto(page, 'children.0.sex', 'F');
    await typeInto(page, 'children.0.birth_date', '5/12/2026');
    await typeInto(page, 'children.0.birth_time', '2:05 pm');
    await typeInto(page, 'children.0.birth_weight_grams', '5 lb 8 oz');
    await typeInto(page, 'children.0.gestational_age_weeks', '39w4d');
    await typeInto(page, 'children.0.apgar_one_minute', '8');
    await typeInto(page, 'children.0.apgar_five_minute', '9');
    await press(page, 'Add another child');
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('name') === 'children.1.given_names',
    );
    await typeInto(page, 'children.1.given_names', 'Beñat');
    await typeInto(page, 'children.1.sex', 'M');
    await typeInto(page, 'children.1.birth_date', '5/12/2026');
    await typeInto(page, 'children.1.birth_time', '2:31 pm');
    await typeInto(page, 'children.1.birth_weight_grams', '2400 g');
    await page.getByText('5 lb 5 oz').waitFor();
    assert.match(await page.locator('main').innerText(), 'Tuesday, May 12, 2026');
    assert.match(await page.locator('main').innerText(), '31 years old at the birth');
    assert.match(await page.locator('main').innerText(), '39 weeks 4 days');
    assert.equal(await faultsOf(page, 'birth-form-filled'), []);
    await page.locator('[name="children.1.birth_weight_grams"]').focus();
    await typeInto(page, 'consent.granted', 'n');
    await press(page, 'Check your answers');
    await page.getByRole('button', { name: 'Record birth' }).waitFor();
    await press(page, 'Go to “Record birth”');
    await page.keyboard.press('Enter');
    await page.waitForURL(RECORD);
    assert.match(await findMessage(page, 'birth-recorded').innerText(), /Enter another$/);
  },
);

pages.scriptTest(
  'what is wrong is said in place and above, and nothing typed is lost',
  { as: 'Scribe', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    assert.equal(await faultsOf(page, 'birth-form-empty'), []);
    await page.getByLabel('Birth weight').fill('7');
    await page.getByLabel('Birth weight').blur();
    await page.getByText(`The birth weight ${MISSING_UNIT}`).waitFor();
    await page.getByLabel('City', { exact: true }).fill('Århus');
    await checkAnswers(page);
    await page.locator('[data-error-summary]').waitFor();
    assert.equal(await faultsOf(page, 'birth-form-errors'), []);
    assert.is(await page.getByLabel('Birth weight').inputValue(), '7');
    assert.is(await page.getByLabel('City', { exact: true }).inputValue(), 'Århus');
    const summary = page.locator('[data-error-summary]');
    await summary.getByRole('heading', { name: '2 things to correct' }).waitFor();
    await summary.getByRole('link', { name: 'birth weight' }).click();
    assert.is(
      await page.evaluate(() => document.activeElement?.getAttribute('name')),
      'children.0.birth_weight_grams',
    );
    await page.getByLabel('Birth weight').fill('3.4 kg');
    await page.getByLabel('Place of birth', { exact: true }).selectOption('Hospital');
    await recordBirth(page);
    await page.waitForURL('/registry/records/entered');
    assert.equal(await faultsOf(page, 'birth-form-entered'), []);
    assert.not.match(await page.locator('main').innerText(), 'rhus');
  },
);

test('of two errors of a field the first is said, in place and above', async () => {
  const page = await pages.visit('Scribe', { at: NEW_BIRTH_PATH });
  await fillBirth(page, {
    'mother.birth_date': '1/2/2099',
    // In the future, and before the mother's.
    'children.0.birth_date': '1/1/2099',
  });
  await page.getByLabel('Place of birth', { exact: true }).selectOption('Home');
  await checkAnswers(page);
  const above = await errorsOf(page);
  const inPlace = await page.locator('.usa-error-message').allInnerTexts();
  assert.is(above.length, 2);
  assert.equal(inPlace, above);
});

/** A form as its page sends it, with the least that can be recorded. */
const leastBirth = (changes: Readonly<Record<string, string>> = {}) => ({
  submission: randomUUID(),
  chart_number: '',
  'mother.family_name': 'Least',
  place_of_birth: 'Home',
  'children.0.birth_date': '5/4/2026',
  'consent.granted': 'no',
  save: 'record',
  ...changes,
});

test('a Scribe amends a record without learning what it says', async () => {
  const { service, practice } = pages;
  const mother = { family: 'Least', given: ['Geheim'] };
  await push(service.url, practice.token, birthBundle({ chartNumber: 'SC-1', mother }));
  const visitor = await signInVisitor(service.url, pages.members.Scribe);
  const birth = leastBirth({ chart_number: 'SC-1', _csrf: await visitor.csrfToken('/registry') });
  const asked = await visitor.send(NEW_BIRTH_PATH, birth);
  const text = await asked.text();
  assert.is(asked.status, 409);
  assert.match(readMessage(text, 'chart-number-in-use'), 'a record at your practice');
  assert.not.match(text, /Geheim|records\/[0-9a-f]{8}-/);
  assert.match(text, /name="amend"[^>]* value="1"|value="1"[^>]* name="amend"/);
  const amend = { ...birth, save: 'amend', amend: '1' };
  // Sent once more by the EHR meanwhile: the person is asked again, about what it says now.
  await push(service.url, practice.token, birthBundle({ chartNumber: 'SC-1', mother }));
  const askedAgain = await visitor.send(NEW_BIRTH_PATH, amend);
  assert.is(askedAgain.status, 409);
  assert.match(await askedAgain.text(), 'data-message="record-has-changed"');
  const amended = await visitor.send(NEW_BIRTH_PATH, { ...amend, amend: '2' });
  assert.is(amended.headers.get('Location'), '/registry/records/entered');
  const { state } = await service.commands.history(practice.practiceId, 'SC-1', null);
  assert.is(state?.version, 3);
  assert.is(state?.courseOfCare.mother.family_name, 'Least');
});

test('a look-alike is told to a Scribe without its name', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Scribe);
  const fields = { _csrf: await visitor.csrfToken('/registry') };
  const births = ['SC-2', 'SC-3'].map((chart_number) =>
    leastBirth({ chart_number, ...fields, 'mother.family_name': 'Zwilling' }),
  );
  assert.is((await visitor.send(NEW_BIRTH_PATH, births[0])).status, 303);
  const asked = await visitor.send(NEW_BIRTH_PATH, births[1]);
  assert.is(asked.status, 409);
  assert.not.match(await asked.text(), 'SC-2');
});

test('fields of the practice are asked for last, kept, and corrected', async () => {
  const { service, practice } = pages;
  const { practiceId } = practice;
  const look = { label: 'Water temperature', type: 'number', choices: [], order: null } as const;
  const fieldId = await service.commands.customFields.define(practiceId, look);
  const page = await pages.visit('Admin', { at: NEW_BIRTH_PATH });
  const field = page.getByLabel('Water temperature');
  while ((await field.count()) === 0) await page.reload();
  await page.getByLabel('Chart number').fill('CF-1');
  await page.getByLabel('Place of birth', { exact: true }).selectOption('Home');
  await page.getByLabel('Given names').last().fill('Mira');
  await field.fill('warm');
  await checkAnswers(page);
  await page.getByRole('link', { name: '“Water temperature” needs to be a number' }).click();
  await field.fill('36.5');
  await recordBirth(page);
  await page.waitForURL(RECORD);
  await page.goto(`${page.url()}/correct`);
  assert.is(await field.inputValue(), '36.5');
  await field.fill('37');
  await saveCorrection(page);
  await page.waitForURL(RECORD);
  const { state } = await service.commands.history(practiceId, 'CF-1', null);
  assert.equal(state?.courseOfCare.custom, { [fieldId]: 37 });
});

test('a Viewer does not enter births', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Viewer);
  assert.is((await visitor.send(NEW_BIRTH_PATH)).status, 403);
  const _csrf = await visitor.csrfToken('/registry');
  for (const path of [NEW_BIRTH_PATH, '/registry/records/check'])
    assert.is((await visitor.send(path, leastBirth({ _csrf }))).status, 403);
});

test.run();
