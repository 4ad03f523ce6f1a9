import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { describeSharedChartNumber } from '../../api/import/preview-decisions.ts';
import { describeUnknownColumns } from '../../api/pages/import/columns-form.tsx';
import { IMPORT_PATH } from '../../api/pages/import/file-form.tsx';
import { FILE_DISCARDED_MESSAGE } from '../../api/pages/import/import-router.tsx';
import { formatOutcome } from '../../api/pages/import/import-text.ts';
import {
  ALL_REJECTED_MESSAGE,
  CLEARS_VALUES,
  describeChecker,
  describeLeftOut,
} from '../../api/pages/import/preview-page.tsx';
import {
  AMENDS_MESSAGE,
  BECOMES_VERSION,
  CLEARS,
  describeLookAlikeRow,
  formatRowValue,
} from '../../api/pages/import/preview-rows.tsx';
import {
  BEFORE_UNDO,
  describeImporter,
  FIGURE_NAMES,
} from '../../api/pages/import/result-page.tsx';
import {
  NOTHING_IMPORTED_MESSAGE,
  NOTHING_OF_OWN_MESSAGE,
} from '../../api/pages/import/upload-page.tsx';
import { countInWords } from '../../domain/format-measures.ts';
import type { PastImport } from '../../projections/lists/practice-imports.ts';
import { screenshots } from '../harness/browser.ts';
import { faultsOf } from '../harness/gallery.ts';
import { newMember, sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { newPractice, push } from '../harness/service.ts';
import type { TestPage } from '../harness/test-page.ts';
import { birthBundle } from '../support/bundles.ts';
import {
  BIRTH_COLUMNS,
  birthRow,
  bring,
  bringWithoutPage,
  brought,
  counted,
  csvOf,
  figuresOf,
  importEnded,
  mainOf,
} from '../support/imports.ts';

/** A file of births in the hands of the people of a practice. */

const pages = await sharedTestPages();
test.after(() => pages.stop());

const downloaded = async (page: TestPage, link: string): Promise<string> => {
  const href = await page.getByRole('link', { name: link }).first().getAttribute('href');
  return (await page.request.get(href ?? '')).text();
};

pages.pageTest(
  'a practice that has imported nothing is led to the template; a Viewer is not let in',
  { as: 'Admin', at: '/registry/import' },
  async ({ page }) => {
    assert.match(await mainOf(page), NOTHING_IMPORTED_MESSAGE);
    assert.equal(await faultsOf(page, 'import-empty'), []);
    const template = await downloaded(page, 'template');
    assert.match(template, /^\ufeffchart_number,mother_family_name,/);
    await page.getByRole('link', { name: 'columns' }).click();
    await page.getByRole('heading', { level: 1, name: 'Columns of the template' }).waitFor();
    assert.match(await mainOf(page), 'child2_birth_weight_grams');
    assert.equal(await faultsOf(page, 'import-columns'), []);

    const viewer = await signInVisitor(pages.service.url, pages.members.Viewer);
    for (const path of [
      '',
      '/template.csv',
      '/columns',
      '/any',
      '/any/progress',
      '/any/result.csv',
    ])
      assert.is((await viewer.send(`/registry/import${path}`)).status, 403, path);
  },
);

pages.browserTest(
  'a filled template is checked, imported, watched and told of, by keyboard',
  async ({ open }) => {
    const { service, practice } = pages;
    const mother = { family: 'Åström-Villanueva de la Cruz', given: ['María José'] };
    await push(service.url, practice.token, birthBundle({ chartNumber: 'MRN-1', mother }));
    const held = { family: 'Nguyễn', given: ['Thị Hồng'] };
    await push(service.url, practice.token, birthBundle({ chartNumber: 'MRN-2', mother: held }));

    const page = await open('Provider', { at: '/registry/import' });
    const [header = ''] = (await downloaded(page, 'template')).split('\r\n');
    const names = [...header.split(','), 'Wieght'];
    const filled = (values: Readonly<Record<string, string>>) =>
      names.map((name) => values[name.replace('\ufeff', '')] ?? '').join(';');
    const birth = (chart: string, family: string, given: string, more = {}) =>
      filled({
        chart_number: chart,
        mother_family_name: family,
        mother_given_names: given,
        place_of_birth: 'Hospital',
        child1_birth_date: '5/14/2026',
        child1_birth_time: '2:05 pm',
        child1_sex: 'female',
        child1_birth_weight_grams: '3400',
        consent_granted: 'no',
        ...more,
      });
    const twins = {
      child2_birth_date: '5/14/2026',
      child2_birth_time: '2:31 pm',
      child2_sex: 'male',
    };
    const file = [
      names.join(';'),
      birth('NEW-1', 'Ólafsdóttir-Fernández', 'Guðrún María', twins),
      birth('', 'O’Connell', 'Siobhán'),
      birth('MRN-2', 'Nguyễn', 'Thị Hồng', { mother_phone: '503-555-0100' }),
      birth('NEW-2', 'Ólafsdóttir-Fernández', 'Guðrún María'),
      birth('BAD-1', 'Castellanos', 'Ximena', {
        place_of_birth: 'Spaceship',
        child1_birth_date: '13/40/2026',
        child1_birth_weight_grams: '7 parsec',
      }),
      birth('BAD-2', 'Łukasiewicz', 'Agnieszka', { place_of_birth: '' }),
    ].join('\r\n');
    await page.getByLabel('File of births').setInputFiles(brought('Geburten Mai.csv', file));
    await page.getByLabel('File of births').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Preview: Geburten Mai.csv' }).waitFor();

    const text = await mainOf(page);
    assert.match(text, counted({ new: 2, amends: 1, flagged: 1, refused: 2 }));
    assert.match(text, describeUnknownColumns(1));
    assert.match(text, '“Wieght”');
    assert.match(text, `${countInWords(1, 'row')} ${CLEARS_VALUES}`);
    assert.match(text, describeLeftOut(2));
    const rows = await page.locator('tbody tr').allInnerTexts();
    assert.equal(
      rows.map((row) => row.trim().split(/\s/)[0]),
      ['6', '7', '5', '4', '2', '3'],
      'refused first, then what needs a look',
    );
    assert.match(rows[0] ?? '', `place_of_birth ${formatRowValue('Spaceship')}: `);
    assert.match(rows[0] ?? '', `child1_birth_weight_grams ${formatRowValue('7 parsec')}: `);
    assert.match(rows[1] ?? '', `place_of_birth ${formatRowValue('')}: `);
    assert.match(rows[2] ?? '', describeLookAlikeRow(2));
    const amended = 'The record of Thị Hồng Nguyễn, birth on Mar 12, 2026, chart number MRN-2';
    assert.match(rows[3] ?? '', `${amended} ${BECOMES_VERSION} 2.`);
    assert.equal(await faultsOf(page, 'import-check'), []);

    await page.getByRole('link', { name: 'Rejected 2' }).click();
    assert.is(await page.locator('tbody tr').count(), 2);
    const listed = await (await page.request.get('/registry/records')).text();
    assert.match(listed, 'MRN-1');
    assert.not.match(listed, 'NEW-1');

    const button = page.getByRole('button', { name: 'Import 4 rows' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/progress$/);
    await importEnded(page);
    const { email } = pages.members.Provider;
    const imported = page.locator('main p').filter({ hasText: describeImporter(email) });
    assert.match(await imported.innerText(), `, ${countInWords(6, 'row')}.`);
    assert.equal(await figuresOf(page), {
      [FIGURE_NAMES.recorded]: '3',
      [FIGURE_NAMES.amended]: '1',
      [FIGURE_NAMES.flagged]: '1',
      [FIGURE_NAMES.refused]: '2',
    });
    assert.match(await mainOf(page), 'BAD-1');
    assert.equal(await faultsOf(page, 'import-result'), []);
    const lines = (await downloaded(page, 'Download result')).trim().split('\r\n');
    assert.is(lines.length, 7);
    assert.not.match(lines.join(), /Spaceship|parsec/);
    await page.getByRole('link', { name: 'View imported records' }).click();
    assert.match(await mainOf(page), 'NEW-1');

    await page.goto('/registry/import');
    const outcome = formatOutcome({ status: 'completed', accepted: 4, rejected: 2 } as PastImport);
    assert.is(await page.getByRole('row', { name: `${email} 6 ${outcome}` }).count(), 1);
    assert.equal(await faultsOf(page, 'import'), []);

    await page.getByRole('row', { name: email }).getByRole('link').click();
    const duplicates = page.getByRole('link', { name: 'Review possible duplicates' });
    assert.is(await duplicates.count(), 1);
    await page.getByRole('link', { name: 'Undo this import' }).click();
    await page.getByRole('button', { name: 'Undo import' }).click();
    await page.getByRole('heading', { level: 1, name: 'Import undone' }).waitFor();
    assert.match(await imported.innerText(), BEFORE_UNDO);
    assert.is(await duplicates.count(), 0);
    assert.equal(await faultsOf(page, 'import-undone'), []);
  },
);

pages.scriptTest(
  'a mended file takes the place of the first; a file can be dropped',
  { as: 'Admin', at: '/registry/import' },
  async ({ page }) => {
    await bring(page, 'first.csv', csvOf(BIRTH_COLUMNS, [birthRow('M-1', 'Amaral', '12 parsec')]));
    assert.match(await mainOf(page), ALL_REJECTED_MESSAGE);
    assert.is(await page.getByRole('button', { name: 'Import' }).count(), 0);
    await screenshots(page, 'import-all-refused');
    const first = page.url();
    await bring(
      page,
      'mended.csv',
      csvOf(BIRTH_COLUMNS, [birthRow('M-1', 'Amaral')]),
      'Corrected file',
    );
    assert.match(await mainOf(page), counted({ new: 1 }));
    const mended = page.url();
    assert.is((await page.request.get(first)).status(), 404);

    await page.goto('/registry/import');
    await page.getByRole('heading', { name: 'Checked, not imported', exact: true }).waitFor();
    await page.goto(mended);
    await page.getByRole('button', { name: 'Discard file' }).click();
    await page.waitForURL(/\/registry\/import$/);
    assert.match(await mainOf(page), FILE_DISCARDED_MESSAGE);
    assert.is((await page.request.get(mended)).status(), 404);
  },
);

test('a chart number that stands beside two mothers in one file is pointed out', async () => {
  const scribe = await signInVisitor(pages.service.url, pages.members.Scribe);
  const rows = [birthRow('TWO-1', 'Amaral'), birthRow('TWO-1', 'Okafor').with(4, '5/13/2026')];
  const check = await bringWithoutPage(pages.service.url, scribe, csvOf(BIRTH_COLUMNS, rows));
  const html = await (await scribe.send(check)).text();
  assert.match(html, counted({ new: 1, refused: 1 }));
  assert.match(html, describeSharedChartNumber(2));
  const dropped = await scribe.send(`${check}/drop`, { _csrf: await scribe.csrfToken(check) });
  assert.is(dropped.headers.get('location'), IMPORT_PATH);
});

test('a Scribe sees the own rows and counts, and nothing of the records that they meet', async () => {
  const { service, practice } = pages;
  await push(
    service.url,
    practice.token,
    birthBundle({ chartNumber: 'SC-1', mother: { family: 'Quintero', given: ['Rosa'] } }),
  );
  const page = await pages.visit('Scribe', { at: '/registry/import' });
  assert.match(await mainOf(page), NOTHING_OF_OWN_MESSAGE);
  await bring(
    page,
    'scribe.csv',
    csvOf(BIRTH_COLUMNS, [birthRow('SC-1', 'Quintero'), birthRow('SC-2', 'Quintero')]),
  );
  const text = await mainOf(page);
  assert.match(text, counted({ amends: 1, flagged: 1 }));
  assert.match(text, AMENDS_MESSAGE);
  for (const words of [CLEARS, CLEARS_VALUES, 'version']) assert.not.match(text, words);
  assert.is(await page.locator('main a[href^="/registry/records"]').count(), 0);
  assert.equal(await faultsOf(page, 'import-check-scribe'), []);
  const check = page.url();

  // An Admin of the practice sees it, but does not import it; another practice knows nothing of it.
  const admin = await signInVisitor(service.url, pages.members.Admin);
  const path = new URL(check).pathname;
  const seen = await (await admin.send(path)).text();
  assert.match(seen, describeChecker(pages.members.Scribe.email));
  assert.not.match(seen, 'Import 2 rows');
  const _csrf = await admin.csrfToken('/registry');
  assert.is((await admin.send(`${path}/confirm`, { _csrf })).status, 404);
  const elsewhere = await newPractice(service.commands);
  const stranger = await signInVisitor(
    service.url,
    await newMember(service, elsewhere.practiceId, 'Admin', 'admin@juniper.example'),
  );
  const strangers = await stranger.csrfToken('/registry');
  assert.is((await stranger.send(path)).status, 404);
  for (const way of ['confirm', 'drop'])
    assert.is((await stranger.send(`${path}/${way}`, { _csrf: strangers })).status, 404);

  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await importEnded(page);
  assert.is(await page.locator('main a[href^="/registry/records"]').count(), 0);
  assert.equal(await faultsOf(page, 'import-result-scribe'), []);
  const address = new URL(page.url()).pathname;
  for (const way of ['', '/figures'])
    assert.is((await stranger.send(`${address}${way}`)).status, 404);
  const resultFile = address.replace('progress', 'result.csv');
  assert.is((await stranger.send(resultFile)).status, 404);
  assert.is((await admin.send(resultFile)).status, 200);

  // What others import is not the Scribe's to see.
  await admin.send('/registry/import');
  const past = await (await admin.send('/registry/import')).text();
  const others = [...past.matchAll(/\/registry\/import\/([\w-]+)\/progress/g)].map(([way]) => way);
  assert.ok(others.length > 1);
  for (const way of others.filter((one) => one !== address))
    assert.is((await page.request.get(way)).status(), 404);
});

test.run();
