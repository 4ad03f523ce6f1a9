import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { describeUnknownSheet } from '../../adapters/xlsx/read-xlsx.ts';
import {
  describeChosenColumns,
  describeSameField,
  describeUnknownColumns,
  READ_COLUMNS,
} from '../../api/pages/import/columns-form.tsx';
import { REMEMBERED_TITLE } from '../../api/pages/import/columns-page.tsx';
import { COLUMNS_READ_MESSAGE, describeForgotten } from '../../api/pages/import/columns-router.tsx';
import { describeSheet } from '../../api/pages/import/preview-page.tsx';
import { FIGURE_NAMES } from '../../api/pages/import/result-page.tsx';
import { faultsOf } from '../harness/gallery.ts';
import { sharedTestPages } from '../harness/pages.ts';
import { errorsOf } from '../support/birth-form.ts';
import {
  BIRTH_COLUMNS,
  birthRow,
  bring,
  counted,
  csvOf,
  figuresOf,
  importEnded,
  mainOf,
} from '../support/imports.ts';
import { styled, workbookOf } from '../support/workbooks.ts';

/** Workbooks as they are, and headings that the template does not know. */

const pages = await sharedTestPages();
test.after(() => pages.stop());

const NAMES = ['April', 'May'];
const sheetOf = (name: string, chart: string) => ({
  name,
  rows: [
    [...BIRTH_COLUMNS, 'mother_state', 'mother_postal_code'],
    [
      chart,
      'Ólafsdóttir',
      'Guðrún',
      'Hospital',
      styled(1, 46154),
      styled(2, 0.58680555),
      'female',
      3400,
      'yes',
      'MA',
      2139,
    ],
    null,
    [
      `${chart}-2`,
      'Łukasiewicz',
      'Ada',
      'Home',
      styled(1, 46155),
      null,
      'male',
      { with: 't="e"', holds: '<v>#N/A</v>' },
      'yes',
    ],
  ],
});
const WORKBOOK = workbookOf({
  sheets: [sheetOf('April', 'A-1'), sheetOf('May', 'M-1')],
  formats: [14, 18],
});

pages.pageTest(
  'a workbook is checked and imported as it is, the sheet of it that is chosen',
  { as: 'Admin', at: '/registry/import' },
  async ({ page }) => {
    await page.getByLabel('Sheet of the workbook').fill('June');
    await bring(page, 'births.xlsx', WORKBOOK);
    assert.equal(await errorsOf(page), [describeUnknownSheet(NAMES)]);
    assert.is(await page.getByLabel('Sheet of the workbook').getAttribute('aria-invalid'), 'true');
    assert.equal(await faultsOf(page, 'import-sheet-unknown'), []);
    await bring(page, 'births.xlsx', WORKBOOK);
    assert.match(await mainOf(page), describeSheet({ name: 'April', names: NAMES }));
    await page.getByLabel('Sheet of the workbook').selectOption('May');
    await bring(page, 'births.xlsx', WORKBOOK, 'Corrected file');
    const text = await mainOf(page);
    assert.match(text, describeSheet({ name: 'May', names: NAMES }));
    assert.is(await page.getByLabel('Sheet of the workbook').inputValue(), 'May');
    assert.match(text, counted({ new: 1, refused: 1 }));
    const rows = await page.locator('tbody tr').allInnerTexts();
    assert.match(rows[0] ?? '', /^4\b[\s\S]*child1_birth_weight_grams “#N\/A”: /);
    assert.match(rows[1] ?? '', /^2\b[\s\S]*mother_address_postal_code “2139”: /);
    assert.equal(await faultsOf(page, 'import-workbook'), []);
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await importEnded(page);
    assert.is((await figuresOf(page))[FIGURE_NAMES.recorded], '1');
    await page.getByRole('link', { name: 'View imported records' }).click();
    await page
      .getByRole('link', { name: /Ólafsdóttir/ })
      .first()
      .click();
    const record = await mainOf(page);
    assert.match(record, 'M-1');
    assert.match(record, '02139');
    assert.match(record, /May 12, 2026/);
    assert.match(record, /\b(?:14|2|02):05\b/);
  },
);

const HEADINGS = BIRTH_COLUMNS.map((name) => (name === 'mother_family_name' ? 'Mom last' : name));
const FILE = csvOf(
  [...HEADINGS, 'Baby wt', 'Room', ''],
  [[...birthRow('H-1', 'Amaral', ''), '7 lb 8 oz', '12', 'x']],
);

test('a heading that the template does not know is chosen to mean a field, and remembered for the practice', async () => {
  const page = await pages.visit('Provider', { at: '/registry/import' });
  await bring(page, 'headings.csv', FILE);
  assert.match(await mainOf(page), describeUnknownColumns(4));
  assert.equal(await faultsOf(page, 'import-columns-unknown'), []);
  const family = page.getByLabel('Column B, “Mom last”');
  const weight = page.getByLabel('Column J, “Baby wt”');
  await family.selectOption({ label: 'Mother: phone' });
  await weight.selectOption({ label: 'Mother: phone' });
  await page.getByRole('button', { name: READ_COLUMNS }).click();
  await page.locator('[data-error-summary]').waitFor();
  assert.equal(await errorsOf(page), [describeSameField('J', 'B', 'Mother: phone')]);
  assert.equal(await faultsOf(page, 'import-columns-same'), []);
  assert.is(await weight.inputValue(), 'mother.phone');

  await family.selectOption({ label: 'Mother: family name' });
  await weight.selectOption('leave-out');
  await page.getByLabel('Column K, “Room”').selectOption('leave-out');
  await page.getByRole('button', { name: READ_COLUMNS }).click();
  await page.getByText(COLUMNS_READ_MESSAGE).waitFor();
  const text = await mainOf(page);
  assert.match(text, describeUnknownColumns(1));
  assert.match(text, describeChosenColumns(3));
  assert.match(await page.locator('tbody tr').innerText(), 'Amaral');
  assert.equal(await faultsOf(page, 'import-columns-chosen'), []);

  // Another member of the practice is not asked again, and may change it.
  const scribe = await pages.visit('Scribe', { at: '/registry/import' });
  await bring(scribe, 'later.csv', FILE.replaceAll('H-1', 'H-2'));
  assert.match(await mainOf(scribe), describeChosenColumns(3));
  assert.is(await scribe.getByLabel('Column B, “Mom last”').inputValue(), 'mother.family_name');
  await scribe.getByLabel('Column K, “Room”').selectOption('');
  await scribe.getByRole('button', { name: READ_COLUMNS }).click();
  await scribe.getByText(COLUMNS_READ_MESSAGE).waitFor();
  assert.match(await mainOf(scribe), describeUnknownColumns(2));
  await scribe.getByLabel('Consent').first().waitFor({ state: 'detached' });
  await scribe.getByRole('button', { name: 'Import 1 row' }).click();
  await importEnded(scribe);

  await page.goto('/registry/import/columns');
  await page.getByRole('heading', { name: REMEMBERED_TITLE }).waitFor();
  assert.equal(await faultsOf(page, 'import-columns-remembered'), []);
  await page.getByRole('button', { name: /^Remove ?: Mom last$/ }).click();
  await page.getByText(describeForgotten('Mom last')).waitFor();
  assert.is(await page.getByRole('button', { name: /^Remove ?: Mom last$/ }).count(), 0);
  assert.is(await page.getByRole('button', { name: /^Remove ?: Baby wt$/ }).count(), 1);
});

test('a file with headings of another program alone is asked about, not refused', async () => {
  const page = await pages.visit('Admin', { at: '/registry/import' });
  const headings = ['Chart #', 'Mom', 'Where born', 'Baby DOB', 'Notes'];
  await bring(page, 'other.csv', csvOf(headings, [['O-1', 'Ostrom', 'Hospital', '5/12/2026', '']]));
  assert.match(await mainOf(page), describeUnknownColumns(5));
  await page.getByLabel('Column A, “Chart #”').selectOption('chart_number');
  await page.getByLabel('Column C, “Where born”').selectOption('place_of_birth');
  await page.getByLabel('Column D, “Baby DOB”').selectOption('children.0.birth_date');
  await page.getByRole('button', { name: READ_COLUMNS }).click();
  await page.getByText(COLUMNS_READ_MESSAGE).waitFor();
  assert.match(await mainOf(page), counted({ new: 1 }));
  assert.equal(await faultsOf(page, 'import-columns-of-another-program'), []);
});

test.run();
