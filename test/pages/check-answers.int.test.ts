import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NEW_BIRTH_PATH } from '../../api/pages/parts/birth-form/confirm/duplicate-checks.tsx';
import { describeUnlikelyWeight } from '../../domain/course/edits/child-edits.ts';
import { PLACE_OF_BIRTH_OPEN } from '../../domain/mapping/form/parse-course.ts';
import { choose } from '../harness/browser.ts';
import { faultsOf } from '../harness/gallery.ts';
import { RECORD, sharedTestPages, signInHere, signInVisitor } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { findMessage, type TestPage } from '../harness/test-page.ts';
import { checkAnswers, fillBirth, recordBirth } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';
import { formOn, submit } from '../support/sent-forms.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const focusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('name') ?? null);

const main = (page: TestPage) => page.locator('main').innerText();

const isRecorded = async (chartNumber: string): Promise<boolean> =>
  (await pages.service.commands.history(pages.practice.practiceId, chartNumber, null)).state !==
  null;

const AT_24_WEEKS = describeUnlikelyWeight(24, { from: 300, to: 1_300 });
const AT_39_WEEKS = describeUnlikelyWeight(39, { from: 1_600, to: 5_625 });

/** Types, in the form that is open, what it cannot be recorded without. */
const begin = async (page: TestPage, chartNumber: string): Promise<void> => {
  await fillBirth(page, {
    chart_number: chartNumber,
    'mother.family_name': `Checked ${chartNumber}`,
    'children.0.birth_date': '5/1/2026',
  });
  await page.locator('[name="place_of_birth"]').selectOption('Home');
  await choose(page.locator('[name="consent.granted"][value="yes"]'));
};

pages.scriptTest(
  'Enter moves on, and however often it is pressed it records nothing',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await begin(page, 'ENTER-1');
    await page.locator('[name="mother.family_name"]').focus();
    await page.keyboard.press('Enter');
    assert.is(await focusedName(page), 'mother.suffix');
    await page.locator('[name="place_of_birth"]').focus();
    await page.keyboard.press('Enter');
    assert.is(await focusedName(page), 'planned_place_of_birth');
    await page.locator('[name="wic"][value="no"]').focus();
    await page.keyboard.press('Enter');
    assert.is(await focusedName(page), 'cigarettes_before');
    for (let presses = 0; presses < 60; presses += 1) await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
    for (let presses = 0; presses < 10; presses += 1) await page.keyboard.press('Enter');
    await findMessage(page, 'nothing-saved-yet').waitFor();
    assert.not.ok(await isRecorded('ENTER-1'));
    await page.getByRole('button', { name: 'Record birth' }).click();
    await page.waitForURL(RECORD);
    assert.ok(await isRecorded('ENTER-1'));
  },
);

pages.pageTest(
  'without script Enter leads to the answers, and a form of an earlier release does too',
  { as: 'Scribe', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await begin(page, 'ENTER-2');
    await page.locator('[name="mother.family_name"]').press('Enter');
    await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
    assert.not.ok(await isRecorded('ENTER-2'));
    await page.getByRole('button', { name: 'Record birth' }).click();
    await page.waitForURL(/\/entered$/);
    assert.ok(await isRecorded('ENTER-2'));

    const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
    const answer = await visitor.send(NEW_BIRTH_PATH, {
      _csrf: await visitor.csrfToken('/registry'),
      submission: randomUUID(),
      chart_number: 'ENTER-3',
      place_of_birth: 'Home',
      'children.0.birth_date': '5/4/2026',
      'consent.granted': 'no',
      save: 'save',
    });
    assert.match(await answer.text(), 'data-message="nothing-saved-yet"');
    assert.not.ok(await isRecorded('ENTER-3'));
  },
);

pages.scriptTest(
  'nothing is preselected, and whether consent was given is asked',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    assert.is(await focusedName(page), 'plurality');
    assert.is(await page.locator('#birth-form :checked:not(option)').count(), 0);
    const chosen = await page
      .locator('#birth-form select')
      .evaluateAll((lists) => lists.map((list) => (list as HTMLSelectElement).value).join(''));
    assert.is(chosen, '');
    await fillBirth(page, {
      'mother.birth_date': '2/30/1994',
      'children.0.birth_time': '25:00',
      'children.0.birth_date': '5/1/2026',
    });
    await page.getByRole('button', { name: 'Check your answers' }).click();
    const summary = page.locator('[data-error-summary]');
    await summary.waitFor();
    assert.equal(await summary.getByRole('link').allInnerTexts(), [
      "The mother's date of birth isn't a real date. Check the day and the month.",
      PLACE_OF_BIRTH_OPEN,
      "The time of birth isn't a valid time. Type it like 14:05 or 2:05 pm.",
      'Choose whether consent was given.',
    ]);
    await page.waitForLoadState();
    assert.is(await focusedName(page), 'mother.birth_date');
    assert.equal(await faultsOf(page, 'birth-form-to-correct'), []);
    await summary.getByRole('link', { name: 'Choose whether consent' }).click();
    assert.is(await focusedName(page), 'consent.granted');
  },
);

pages.scriptTest(
  'the answers say what is missing and what is odd, and lead back to each field',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await page.locator('[name="plurality"]').fill('3');
    await page.locator('[name="plurality"]').press('Enter');
    assert.is(await focusedName(page), 'chart_number');
    await page.locator('#child-2').waitFor();
    await fillBirth(page, {
      chart_number: 'CHECK-1',
      'mother.given_names': 'Zoë Maximiliane Theodora',
      'mother.family_name': 'Wolfeschlegelsteinhausenbergerdorff-Ødegård',
      'mother.birth_date': '6/2/1994',
      'children.0.given_names': 'Ana',
      'children.0.birth_date': '5/12/2026',
      'children.0.birth_weight_grams': '9000 g',
      'children.0.gestational_age_weeks': '24w0d',
      'children.1.given_names': 'Beñat',
      'children.1.birth_date': '5/13/2026',
    });
    await page.locator('[name="children.1.given_names"]').focus();
    // Said where it is typed, as soon as that is left.
    await page.getByText(AT_24_WEEKS).waitFor();
    await page.locator('[name="children.1.gestational_age_weeks"]').waitFor();
    await choose(page.locator('[name="wic"][value="unknown"]'));
    await page.locator('[name="place_of_birth"]').selectOption('Hospital');
    await page.getByRole('button', { name: 'Remove child 3' }).click();
    await page.locator('#child-2').waitFor({ state: 'detached' });
    assert.equal(await faultsOf(page, 'birth-form-twins'), []);
    await checkAnswers(page);
    await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
    assert.equal(await faultsOf(page, 'check-answers'), []);
    const told = await main(page);
    assert.is(
      await findMessage(page, 'children-entered').innerText(),
      '2 of the 3 children of this pregnancy are entered here.',
    );
    assert.match(told, /WIC during pregnancy\s+Unknown/);
    assert.match(told, `Child 1: birth weight: ${AT_24_WEEKS}`);
    assert.match(told, /Gestational age\s+24 weeks/);
    const missing = page.locator('.check__missing');
    assert.match(told, 'Missing');
    assert.equal((await missing.getByRole('link').allInnerTexts()).slice(0, 3), [
      'Delivery method',
      'Child 1: family name',
      'Child 1: sex',
    ]);
    await missing.getByRole('link', { name: 'Child 2: sex' }).click();
    await page.waitForURL(/#field-children-1-sex$/);
    assert.is(await focusedName(page), 'children.1.sex');
    assert.is(await page.locator('[name="children.0.given_names"]').inputValue(), 'Ana');
    assert.ok(await page.locator('[name="wic"][value="unknown"]').isChecked());
    await page.locator('[name="children.1.sex"]').selectOption('male');
    await checkAnswers(page);
    await page.getByRole('link', { name: 'Change child 2: date of birth' }).click();
    await page.locator('#birth-form').waitFor();
    assert.is(await focusedName(page), 'children.1.birth_date');
    await page.goBack();
    await page.locator('#birth-form').waitFor();
    assert.is(await page.locator('[name="children.1.sex"]').inputValue(), 'male');
    await checkAnswers(page);
    await page.getByRole('button', { name: 'Return to the form' }).click();
    assert.is(await page.locator('[name="children.1.sex"]').inputValue(), 'male');
    await recordBirth(page);
    await page.waitForURL(RECORD);
    const { state } = await pages.service.commands.history(
      pages.practice.practiceId,
      'CHECK-1',
      null,
    );
    assert.equal(
      state?.courseOfCare.children.map(({ birth_order, sex }) => [birth_order, sex]),
      [
        [1, null],
        [2, 'male'],
      ],
    );
    assert.is(state?.courseOfCare.plurality, 3);
    assert.is(state?.courseOfCare.wic, null);
  },
);

pages.scriptTest(
  'twins share what was typed of the first, also later, until it is typed for them',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await page.locator('[name="plurality"]').fill('2');
    await page.locator('[name="plurality"]').press('Tab');
    await page.locator('#child-1').waitFor();
    const shownIn = (name: string) => page.locator(`[name="children.1.${name}"]`).inputValue();
    await page.locator('[name="children.0.birth_date"]').fill('5/12/2026');
    await page.locator('[name="children.0.family_name"]').fill('Amaral');
    await page.locator('[name="children.0.family_name"]').press('Enter');
    assert.equal(
      [await shownIn('birth_date'), await shownIn('family_name')],
      ['5/12/2026', 'Amaral'],
    );
    await page.locator('[name="children.1.birth_date"]').fill('5/13/2026');
    await page.locator('[name="children.0.birth_date"]').fill('5/11/2026');
    await page.locator('[name="children.0.family_name"]').fill('Amaral Reis');
    await page.locator('[name="children.0.sex"]').focus();
    assert.equal(
      [await shownIn('birth_date'), await shownIn('family_name'), await shownIn('birth_order')],
      ['5/13/2026', 'Amaral Reis', '2'],
    );
  },
);

test('without script a button makes the sections of twins', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Provider);
  const form = await (await visitor.send(NEW_BIRTH_PATH)).text();
  assert.match(form, 'name="add" value="plurality"');
  const answer = await submit(visitor, NEW_BIRTH_PATH, {
    plurality: '2',
    'children.0.birth_date': '5/12/2026',
    'children.0.family_name': 'Quiet',
    add: 'plurality',
  });
  const shown = await visitor.send(answer.headers.get('location') ?? '');
  const { fields } = formOn(await shown.text());
  assert.is(fields['children.1.birth_date'], '5/12/2026');
  assert.is(fields['children.1.family_name'], 'Quiet');
  assert.is(fields['children.1.birth_order'], '2');
  assert.is(fields['plurality'], '2');
});

pages.pageTest(
  'a session that ends at the answers loses nothing, and records nothing by itself',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await begin(page, 'CHECK-2');
    await checkAnswers(page);
    const record = page.getByRole('button', { name: 'Record birth' });
    await record.waitFor();
    await page.context().clearCookies();
    await record.click();
    await findMessage(page, 'nothing-typed-is-lost').waitFor();
    const other = page.newTab();
    await other.goto('/sign-in');
    await signInHere(other, pages.members.Provider);
    await other.waitForURL('**/registry');
    await page.getByRole('button', { name: 'Return to the form' }).click();
    await page.locator('#birth-form').waitFor();
    assert.not.ok(await isRecorded('CHECK-2'));
    await recordBirth(page);
    await page.waitForURL(RECORD);
    // Back, and everything again, leads to the record that there is.
    await page.goBack();
    assert.ok(await isRecorded('CHECK-2'));
  },
);

test('a correction says what it changes before it is saved', async () => {
  const { service, practice } = pages;
  const receipt = await push(
    service.url,
    practice.token,
    birthBundle({ chartNumber: 'CHECK-3', mother: { family: 'Łukasik' } }),
  );
  const [accepted] = receipt.status === 'completed' ? receipt.outcome.accepted : [];
  const page = await pages.visit('Provider', {
    at: `/registry/records/${accepted?.submission_uuid}/correct`,
  });
  await checkAnswers(page);
  await findMessage(page, 'nothing-changed').waitFor();
  assert.is(await page.getByRole('button', { name: 'Save correction' }).count(), 0);
  await page.getByRole('button', { name: 'Return to the form' }).click();
  await page.locator('[name="mother.family_name"]').fill('Łukasik-Nowak');
  await page.locator('[name="children.0.birth_weight_grams"]').fill('9000 g');
  await checkAnswers(page);
  await page.getByRole('button', { name: 'Save correction' }).waitFor();
  assert.equal(await faultsOf(page, 'check-correction'), []);
  const rows = [...page.document.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].slice(0, 3).map((cell) => cell.textContent),
  );
  assert.equal(rows, [
    ['Mother: family name', 'Łukasik', 'Łukasik-Nowak'],
    ['Child: birth weight', '3,400 g (7 lb 8 oz)', '9,000 g (19 lb 13 oz)'],
  ]);
  assert.match(await main(page), `Child: birth weight: ${AT_39_WEEKS}`);
  const history = () => service.commands.history(practice.practiceId, 'CHECK-3', null);
  assert.is((await history()).state?.version, 1);
  await page.getByRole('link', { name: 'Change child: birth weight' }).click();
  await page.waitForURL(/#field-children-0-birth_weight_grams$/);
  await checkAnswers(page);
  await page.getByRole('button', { name: 'Save correction' }).click();
  await page.waitForURL(RECORD);
  assert.is((await history()).state?.version, 2);
});

test.run();
