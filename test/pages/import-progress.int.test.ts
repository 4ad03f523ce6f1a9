import { sql } from 'kysely';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FILE_TOO_COSTLY_MESSAGE } from '../../api/import/stage-import.ts';
import {
  CHECK_INTERRUPTED_MESSAGE,
  REPEATED_MESSAGE,
} from '../../api/pages/import/import-router.tsx';
import { formatChecked, STOPPED } from '../../api/pages/import/import-text.ts';
import { IMPORTED_BEFORE } from '../../api/pages/import/preview-page.tsx';
import { CHECKING_TITLE } from '../../api/pages/import/progress-page.tsx';
import { describeNotImported, FIGURE_NAMES } from '../../api/pages/import/result-page.tsx';
import { formatCount } from '../../api/pages/statistics/format-figures.ts';
import { refuseFile } from '../../domain/mapping/csv/header.ts';
import { faultsOf } from '../harness/gallery.ts';
import { sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { findMessage } from '../harness/test-page.ts';
import {
  BIRTH_COLUMNS,
  birthRow,
  bring,
  checkEnded,
  csvOf,
  figuresOf,
  importEnded,
  mainOf,
  openTestImports,
} from '../support/imports.ts';
import { IS_LONG } from '../support/runs.ts';

/** Imports that take their time, come twice, or run in a browser without script. */

const ROWS = IS_LONG ? 1_000 : 300;

const pages = await sharedTestPages();
test.after(() => pages.stop());

pages.scriptTest(
  'many rows move a true bar, which survives a reload',
  { as: 'Admin', at: '/registry/import' },
  async ({ page }) => {
    const rows = Array.from({ length: ROWS }, (_, n) => birthRow(`K-${n}`, `Family ${n}`));
    const started = performance.now();
    await bring(page, 'thousand.csv', csvOf(BIRTH_COLUMNS, rows));
    await page.getByRole('heading', { level: 1, name: 'Preview: thousand.csv' }).waitFor();
    const checkedMs = performance.now() - started;
    assert.match(
      await findMessage(page, 'page-of-list').innerText(),
      new RegExp(`\\b1\\b.*\\b${ROWS / 100}$`),
    );
    await page.getByRole('link', { name: 'Next page' }).click();
    assert.is(await page.locator('tbody tr').count(), 100);
    assert.match((await page.locator('tbody tr').first().innerText()).trim(), /^102\s/);

    // What the script asks for is held back while the page is looked at: it would go on meanwhile.
    let goOn = () => {};
    const looked = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/progress/figures', async (route) => {
      await looked;
      await route.continue();
    });
    // A double click is one import.
    await page.getByRole('button', { name: `Import ${formatCount(ROWS)} rows` }).dblclick();
    await page.waitForURL(/\/progress$/);
    assert.equal(await faultsOf(page, 'import-progress'), []);
    goOn();
    const bar = page.locator('progress');
    const seen: number[] = [];
    await page.reload();
    while ((await page.locator('h1').innerText()) === 'Import in progress') {
      const value = await bar.getAttribute('value', { timeout: 500 }).catch(() => null);
      if (value !== null) seen.push(Number(value));
    }
    await importEnded(page);
    assert.equal(
      seen,
      [...seen].sort((a, b) => a - b),
      'the bar never goes back',
    );
    assert.is((await figuresOf(page))[FIGURE_NAMES.recorded], formatCount(ROWS));
    console.log(
      `${ROWS} rows: checked in ${checkedMs.toFixed(0)} ms; the bar showed ${[...new Set(seen)]}`,
    );
  },
);

test('a repeated file says who imported it, and asks before it is imported again', async () => {
  const file = csvOf(BIRTH_COLUMNS, [birthRow('R-1', 'Lindqvist')]);
  const page = await pages.visit('Admin', { at: '/registry/import' });
  await bring(page, 'again.csv', file);
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await importEnded(page);

  const other = await pages.visit('Provider', { at: '/registry/import' });
  await bring(other, 'again.csv', file);
  const repeated = other.locator('.notice').filter({ hasText: IMPORTED_BEFORE });
  assert.match(await repeated.innerText(), ` by ${pages.members.Admin.email}`);
  await other.getByRole('button', { name: 'Import 1 row' }).click();
  await other.locator('[data-error-summary]').waitFor();
  assert.match(await mainOf(other), REPEATED_MESSAGE);
  assert.equal(await faultsOf(other, 'import-repeated'), []);
  await other.getByLabel('Import this file again').check();
  await other.getByRole('button', { name: 'Import 1 row' }).click();
  await importEnded(other);
  assert.is((await figuresOf(other))[FIGURE_NAMES.amended], '1');
});

pages.pageTest(
  'without script a file is imported all the same',
  { as: 'Provider', at: '/registry/import' },
  async ({ page }) => {
    const rows = Array.from({ length: 600 }, (_, n) => birthRow(`N-${n}`, `Family ${n}`));
    await page.getByLabel('File of births').setInputFiles({
      name: 'plain.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csvOf(BIRTH_COLUMNS, rows)),
    });
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByRole('button', { name: 'Import 600 rows' }).click();
    // The page loads itself again.
    await page
      .getByRole('heading', { level: 1, name: 'Import finished' })
      .waitFor({ timeout: 120_000 });
    assert.is((await figuresOf(page))[FIGURE_NAMES.recorded], '600');
  },
);

pages.pageTest(
  'an import that stopped names the rows that it did not come to',
  { as: 'Admin', at: '/registry/import' },
  async ({ page }) => {
    const rows = Array.from({ length: 60 }, (_, n) => birthRow(`S-${n}`, `Family ${n}`));
    await bring(page, 'stopped.csv', csvOf(BIRTH_COLUMNS, rows));
    await page.getByRole('button', { name: 'Import 60 rows' }).click();
    await importEnded(page);
    const importId = new URL(page.url()).pathname.split('/').at(-2) ?? '';
    // As the tables tell of an import whose second chunk was never done.
    const opened = await openTestImports(pages.service.settings);
    const { db } = opened.stores;
    await db
      .deleteFrom('read.ingestion_outcome')
      .where('ingestion_id', '=', importId)
      .where('chunk', '=', 1)
      .execute();
    await db
      .updateTable('read.ingestion')
      .set({ status: 'failed', accepted: null, rejected: null, exception: 'BufferExpired' })
      .where('ingestion_id', '=', importId)
      .execute();
    await opened.close();
    await page.reload();
    await importEnded(page, 'Import stopped');
    assert.match(await mainOf(page), describeNotImported(10));
    assert.not.match(await mainOf(page), 'BufferExpired');
    assert.equal(await faultsOf(page, 'import-stopped'), []);
    await page.goto('/registry/import');
    assert.match(await mainOf(page), STOPPED);
  },
);

test('a long check has a page that survives a reload, and ends with what to do', async () => {
  // Another process checks the file: this one only has its notes.
  const opened = await openTestImports(pages.service.settings);
  const { fileChecks } = opened.registry;
  const { practiceId } = pages.practice;
  const begin = async (importId: string) => {
    await fileChecks.begin(importId, practiceId, pages.members.Scribe.id);
    await fileChecks.noteProgress(importId, 1_500, 9_900);
  };
  await begin('under-way');
  const path = '/registry/import/under-way';
  const page = await pages.visit('Scribe', { at: path });
  assert.match(await mainOf(page), formatChecked(1_500, 9_900));
  assert.equal(await faultsOf(page, 'import-checking'), []);
  const visitor = await signInVisitor(pages.service.url, pages.members.Scribe);
  const early = await visitor.send(
    `${path}/confirm`,
    { _csrf: await visitor.csrfToken(path) },
    { Referer: `${pages.service.url}${path}` },
  );
  assert.equal([early.status, early.headers.get('retry-after')], [409, '1']);
  assert.match(await early.text(), `<a href="${path}">Go back</a>`);
  await page.reload();
  assert.is(await page.locator('h1').innerText(), CHECKING_TITLE);
  await fileChecks.noteProgress('under-way', 3_000, 9_900);
  await page.getByText(formatChecked(3_000, 9_900)).waitFor();
  await page.goto('/registry/import');
  await page.getByRole('link', { name: 'A file of yours is being checked' }).click();
  assert.is(await page.locator('h1').innerText(), CHECKING_TITLE);
  await fileChecks.refuse(
    'under-way',
    practiceId,
    refuseFile('file-too-costly', FILE_TOO_COSTLY_MESSAGE),
  );
  await page.locator('[data-error-summary]').waitFor();
  assert.match(await mainOf(page), FILE_TOO_COSTLY_MESSAGE);
  assert.equal(await faultsOf(page, 'import-check-refused'), []);

  await begin('killed');
  await sql`update app.file_check set seen_at = now() - interval '1 minute'
      where import_id = 'killed'`.execute(opened.stores.db);
  const killed = '/registry/import/killed';
  const late = await visitor.send(`${killed}/confirm`, {
    _csrf: await visitor.csrfToken(killed),
  });
  assert.equal([late.status, late.headers.get('location')], [303, killed]);
  await page.goto(killed);
  assert.match(await mainOf(page), CHECK_INTERRUPTED_MESSAGE);
  assert.is(await page.getByLabel('File of births').count(), 1);
  for (const at of ['/registry', '/registry/import']) {
    await page.goto(at);
    assert.is(await page.locator(`a[href="${killed}"]`).count(), 0, at);
  }
  const other = await pages.visit('Provider', { at: path });
  assert.is(await other.locator('h1').innerText(), 'Check not found');
  await opened.close();
});

pages.browserTest('a script shows how far a check is, and how it ends', async ({ open }) => {
  const opened = await openTestImports(pages.service.settings);
  const { fileChecks } = opened.registry;
  const { practiceId } = pages.practice;
  await fileChecks.begin('watched', practiceId, pages.members.Scribe.id);
  const page = await open('Scribe', { at: '/registry/import/watched' });
  await fileChecks.noteProgress('watched', 3_000, 9_900);
  await page.getByText(formatChecked(3_000, 9_900)).waitFor();
  const refusal = refuseFile('file-too-costly', FILE_TOO_COSTLY_MESSAGE);
  await fileChecks.refuse('watched', practiceId, refusal);
  await page.locator('[data-error-summary]').waitFor();
  assert.match(await mainOf(page), FILE_TOO_COSTLY_MESSAGE);
  await opened.close();
});

pages.pageTest(
  'without script the page of a check loads itself until the preview is there',
  { as: 'Provider', at: '/registry/import' },
  async ({ page }) => {
    const opened = await openTestImports(pages.service.settings);
    const { fileChecks } = opened.registry;
    await fileChecks.begin('no-script', pages.practice.practiceId, pages.members.Provider.id);
    await page.goto('/registry/import/no-script');
    assert.is(await page.locator('h1').innerText(), CHECKING_TITLE);
    await fileChecks.end('no-script');
    await checkEnded(page);
    await opened.close();
  },
);

test.run();
