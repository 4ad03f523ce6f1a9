import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatChartAndMother } from '../../api/pages/parts/birth-form/confirm/compare-births.ts';
import { NEW_BIRTH_PATH } from '../../api/pages/parts/birth-form/confirm/duplicate-checks.tsx';
import { NOT_A_REAL_DATE } from '../../domain/mapping/form/parse-dates.ts';
import { faultsOf } from '../harness/gallery.ts';
import { RECORD, sharedTestPages } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { findMessage } from '../harness/test-page.ts';
import { checkAnswers, fillBirth, recordBirth } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

test('an existing chart number asks before it amends, and shows what would change', async () => {
  const { service, practice } = pages;
  const mother = { family: 'Ødegård', given: ['Zoë'] };
  await push(service.url, practice.token, birthBundle({ chartNumber: 'EX-1', mother }));
  const page = await pages.visit('Admin', { at: NEW_BIRTH_PATH });
  await fillBirth(page, {
    chart_number: 'EX-1',
    'mother.family_name': 'Ødegård',
    'mother.given_names': 'Zoë',
    'children.0.birth_date': '5/13/2026',
  });
  await page.locator('[name="place_of_birth"]').selectOption('Clinic');
  await recordBirth(page);
  await page.getByRole('button', { name: 'Amend record' }).waitFor();
  assert.match(await findMessage(page, 'chart-number-in-use').innerText(), 'EX-1');
  assert.match(await page.locator('main').innerText(), 'Clinic');
  assert.equal(await faultsOf(page, 'birth-form-exists'), []);
  await page.getByRole('button', { name: 'Return to the form' }).click();
  assert.is(await page.locator('[name="mother.family_name"]').inputValue(), 'Ødegård');
  await recordBirth(page);
  await page.getByRole('button', { name: 'Amend record' }).click();
  await page.waitForURL(RECORD);
  assert.match(await findMessage(page, 'record-amended').innerText(), 'version 2.');
});

pages.pageTest(
  'a look-alike is named before it is saved, and flagged if it is',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    const birth = {
      'mother.family_name': 'Doppel',
      'mother.given_names': 'Gängerin',
      'children.0.birth_date': '5/12/2026',
    };
    for (const chartNumber of ['LA-1', 'LA-2']) {
      if (chartNumber === 'LA-2') await page.goto(NEW_BIRTH_PATH);
      await fillBirth(page, { ...birth, chart_number: chartNumber });
      await page.locator('[name="place_of_birth"]').selectOption('Home');
      await recordBirth(page);
      if (chartNumber === 'LA-1') await page.waitForURL(RECORD);
    }
    await page.getByRole('button', { name: 'Save and flag as possible duplicate' }).waitFor();
    const named = { chartNumber: 'LA-1', motherName: 'Gängerin Doppel', born: '2026-05-12' };
    const link = page.getByRole('link', {
      name: formatChartAndMother({ submissionUuid: '', ...named }),
    });
    assert.is(await link.count(), 1);
    assert.equal(await faultsOf(page, 'birth-form-look-alike'), []);
    await page.getByRole('button', { name: 'Save and flag as possible duplicate' }).click();
    await page.waitForURL(RECORD);
    await findMessage(page, 'flagged-duplicate').waitFor();
  },
);

pages.pageTest(
  'without script children come and go, and everything typed stays',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await fillBirth(page, { 'mother.family_name': 'Quiet', 'children.0.given_names': 'First' });
    await page.getByRole('button', { name: 'Add another child' }).click();
    await fillBirth(page, { 'children.1.given_names': 'Second' });
    assert.is(await page.locator('[name="children.0.given_names"]').inputValue(), 'First');
    await page.getByRole('button', { name: 'Add a transfer' }).click();
    await page.locator('[name="transfers.0.type"]').selectOption('infant');
    await page.getByRole('button', { name: 'Remove child 1' }).click();
    assert.is(await page.locator('[name="children.1.given_names"]').inputValue(), 'Second');
    assert.is(await page.locator('[name="transfers.0.type"]').inputValue(), 'infant');
    await page.locator('[name="mother.birth_date"]').fill('13/12/1994');
    await checkAnswers(page);
    assert.match(await page.locator('[data-error-summary]').innerText(), NOT_A_REAL_DATE);
    await page.locator('[name="mother.birth_date"]').fill('5/12/1994');
    await page.locator('[name="place_of_birth"]').selectOption('Home');
    await recordBirth(page);
    await page.waitForURL(RECORD);
  },
);

pages.scriptTest(
  'a chart number that has a record is told where it is typed',
  { as: 'Admin', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await fillBirth(page, { chart_number: 'EX-1', 'mother.family_name': 'Ødegård' });
    const notice = page.locator('[data-field="chart_number"] [data-notice]');
    await notice.filter({ hasText: 'already has this chart number' }).waitFor();
  },
);

test.run();
