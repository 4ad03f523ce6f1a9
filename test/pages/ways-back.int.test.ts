import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { consoleOf, faultsOf } from '../harness/browser.ts';
import { newVisitor, RECORD, sharedTestPages } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { saveCorrection } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';
import { bring, importEnded, mainOf } from '../support/import-pages.ts';
import { BIRTH_COLUMNS, birthRow, csvOf } from '../support/imports.ts';

/** Ways back: an earlier version, a voided record, an import. */

const pages = await sharedTestPages();
test.after(() => pages.stop());

/** Sends a birth. @returns the address of its record */
const sent = async (chartNumber: string | null, family: string): Promise<string> => {
  const receipt = await push(
    pages.service.url,
    pages.practice.token,
    birthBundle({
      chartNumber,
      mother: { family, given: ['Zoë Marisol'] },
      children: [{ birthDate: '2026-05-12', birthTime: null }],
    }),
  );
  const [accepted] = receipt.status === 'completed' ? receipt.outcome.accepted : [];
  return `/registry/records/${accepted?.submission_uuid}`;
};

const voidOn = async (page: Page, record: string, reason: string): Promise<void> => {
  await page.goto(`${record}/void`);
  await page.getByLabel('Why is it voided?').fill(reason);
  await page.getByRole('button', { name: 'Void record' }).click();
  await page.waitForURL(RECORD);
};

test('a correction says why, and an earlier version comes back with its sources', async () => {
  const record = await sent('WB-1', 'Lindqvist-Okafor');
  const page = await pages.signIn(pages.members.Provider);
  const messages = consoleOf(page);
  await page.goto(`${record}/correct`);
  await page.locator('[name="mother.family_name"]').fill('Wrong');
  await page.locator('[name="children.0.birth_weight_grams"]').fill('');
  await page.getByRole('button', { name: 'Check your answers' }).click();
  await page.locator('[data-error-summary]').waitFor();
  assert.match(await mainOf(page), /Choose why the record is corrected/);
  assert.is(await page.locator('[name="mother.family_name"]').inputValue(), 'Wrong');
  await page.getByRole('radio', { name: 'Other', exact: true }).check({ force: true });
  await page.getByRole('button', { name: 'Check your answers' }).click();
  await page.locator('[data-error-summary]').waitFor();
  assert.match(await mainOf(page), /Say why, in a few words/);
  assert.equal(await faultsOf(page, 'correction-reason'), []);
  await page.locator('[name="reason_text"]').fill('Asked for by the county');
  await page.getByRole('button', { name: 'Check your answers' }).click();
  await page.getByRole('button', { name: 'Save correction' }).click();
  await page.waitForURL(RECORD);
  assert.match(await mainOf(page), /Reason: Asked for by the county/);
  assert.equal(await faultsOf(page, 'record-with-restore'), []);

  await page.getByRole('link', { name: /^Restore this version/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Restore version 1' }).waitFor();
  const asked = await mainOf(page);
  assert.match(asked, /2 values change/);
  assert.match(asked, /family name\s+Wrong\s+Lindqvist-Okafor/);
  assert.match(asked, /Not recorded\s+3,400 g/);
  assert.equal(await faultsOf(page, 'restore-version'), []);
  await page.getByLabel('Why is it restored?').fill('Corrected the wrong record');
  await page.getByRole('button', { name: 'Restore version 1' }).dblclick();
  await page.waitForURL(RECORD);
  const restored = await mainOf(page);
  assert.match(restored, /Version 1 is restored: this is version 3/);
  assert.match(restored, /Restored to version 1 by provider@/);
  assert.match(restored, /Reason: Corrected the wrong record/);
  // Its values are again those that the EHR sent.
  assert.match(restored, /Sent by [^\n]*\(version 1\)/);
  assert.not.match(restored, /Restored by provider@[^\n]*\(version 3\)/);
  assert.equal(messages, []);
  await page.context().close();
});

test('a version is restored from the record as it was at a moment, without script too', async () => {
  const record = await sent('WB-2', 'Amaral');
  const page = await pages.signIn(pages.members.Admin, { javaScriptEnabled: false });
  await page.goto(`${record}/correct`);
  await page.locator('[name="prenatal_visits"]').fill('11');
  await saveCorrection(page);
  await page.waitForURL(RECORD);
  await page.getByRole('link', { name: 'Record as it was then' }).last().click();
  await page.getByRole('link', { name: 'Restore this version', exact: true }).click();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page.waitForURL(RECORD);
  assert.match(await mainOf(page), /this is version 3/);
  await page.goto(`${record}/restore?version=3`);
  assert.match(await mainOf(page), /there is nothing to restore/);
  assert.is((await page.goto(`${record}/restore?version=9`))?.status(), 404);
  await page.context().close();
});

test('what someone else changed meanwhile is not overwritten unseen', async () => {
  const record = await sent('WB-3', 'Haddad');
  const [one, other] = [
    await pages.signIn(pages.members.Admin),
    await pages.signIn(pages.members.Provider),
  ];
  const correct = async (visits: string) => {
    await other.goto(`${record}/correct`);
    await other.locator('[name="prenatal_visits"]').fill(visits);
    await saveCorrection(other);
    await other.waitForURL(RECORD);
  };
  await correct('9');
  await one.goto(`${record}/restore?version=1`);
  await correct('10');
  await one.getByRole('button', { name: 'Restore version 1' }).click();
  assert.match(await mainOf(one), /Nothing was changed: someone else .* at version 3 now/s);
  assert.equal(await faultsOf(one, 'restore-changed'), []);
  await one.getByRole('button', { name: 'Restore version 1' }).click();
  await one.waitForURL(RECORD);
  assert.match(await mainOf(one), /this is version 4/);
  for (const page of [one, other]) await page.context().close();
});

test('a voided record comes back as it was, with or without a chart number', async () => {
  const page = await pages.signIn(pages.members.Admin);
  for (const [chart, family] of [
    ['WB-4', 'Castellanos'],
    [null, 'Vogel'],
  ] as const) {
    const record = await sent(chart, family);
    await page.goto(`${record}/void`);
    assert.match(await mainOf(page), /bring it back later, as it was/);
    await voidOn(page, record, 'Entered twice');
    await page.getByRole('link', { name: 'Bring it back', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Bring record back' }).waitFor();
    assert.match(await mainOf(page), /counts in the births log, the statistics/);
    assert.equal(await faultsOf(page, `bring-back-${chart ?? 'none'}`), []);
    await page.getByRole('button', { name: 'Bring record back' }).click();
    await page.waitForURL(RECORD);
    const main = await mainOf(page);
    assert.match(main, /The record is back: this is version 3/);
    assert.match(main, /Brought back by admin@/);
    assert.match(main, new RegExp(`${family}`));
    assert.match(main, /Reason: Entered twice/);
    await page.goto(`${record}/bring-back`);
    assert.match(await mainOf(page), /there is nothing to bring back/);
  }
  await page.context().close();
});

test('one that now looks like another record is asked about, then flagged', async () => {
  const page = await pages.signIn(pages.members.Provider);
  const record = await sent('WB-5', 'Nakamura');
  await voidOn(page, record, 'Entered twice');
  await sent('WB-6', 'Nakamura');
  await page.goto(record);
  await page.getByRole('link', { name: 'Bring it back as it was' }).click();
  await page.getByRole('button', { name: 'Bring record back' }).click();
  assert.match(await mainOf(page), /Nothing was brought back yet.*WB-6/s);
  assert.equal(await faultsOf(page, 'bring-back-look-alike'), []);
  await page.getByRole('button', { name: 'Bring back and flag it' }).click();
  await page.waitForURL(RECORD);
  assert.match(await mainOf(page), /flagged as a suspected duplicate/);
  await page.context().close();
});

test('on a phone Void stands below Correct', async () => {
  const record = await sent('WB-7', 'Silva');
  const page = await pages.signIn(pages.members.Admin);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(record);
  const topOf = async (name: string) =>
    (await page.getByRole('link', { name }).first().boundingBox())?.y ?? 0;
  assert.ok((await topOf('Void record')) >= (await topOf('Correct record')));
  await page.context().close();
});

test('an import is undone with a preview, and the same file may come again', async () => {
  const page = await pages.signIn(pages.members.Provider);
  const messages = consoleOf(page);
  await sent('WB-20', 'Before');
  await page.goto('/registry/import');
  const file = csvOf(BIRTH_COLUMNS, [
    birthRow('WB-20', 'After'),
    ...Array.from({ length: 30 }, (_, n) => birthRow(`WB-3${n}`, `Family ${n}`)),
  ]);
  await bring(page, 'undone.csv', file);
  await page.getByRole('button', { name: 'Import 31 rows' }).click();
  await importEnded(page);
  const address = page.url();
  await page.getByRole('link', { name: 'Undo this import' }).click();
  await page.getByRole('heading', { level: 1, name: 'Undo import' }).waitFor();
  const preview = await mainOf(page);
  assert.match(preview, /30 births that it recorded are voided/);
  assert.match(preview, /1 record that it amended says again/);
  assert.equal(await faultsOf(page, 'undo-import'), []);

  // Another Provider's import is not theirs to undo, and a Scribe undoes none.
  const path = new URL(page.url()).pathname;
  const scribe = newVisitor(pages.service.url);
  await scribe.signIn(pages.members.Scribe);
  assert.is((await scribe.send(path)).status, 403);

  await page.getByRole('button', { name: 'Undo import' }).click();
  await page.waitForURL(/\/progress$/);
  await importEnded(page, 'Import undone');
  assert.match(await mainOf(page), /was undone by provider@.*30 voided, 1 restored/s);
  assert.equal(await faultsOf(page, 'import-undone'), []);
  await page.goto('/registry/import');
  assert.match(await mainOf(page), /Undone/);
  await bring(page, 'undone.csv', file);
  await page.getByRole('button', { name: 'Import 31 rows' }).click();
  await importEnded(page);
  assert.not.equal(page.url(), address);
  assert.equal(messages, []);
  await page.context().close();
});

test('an import whose records were changed since is not undone, and names them', async () => {
  const page = await pages.signIn(pages.members.Admin);
  await page.goto('/registry/import');
  const file = csvOf(BIRTH_COLUMNS, [birthRow('WB-8', 'Ferreira'), birthRow('WB-9', 'Yilmaz')]);
  await bring(page, 'changed.csv', file);
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await importEnded(page);
  const undo = `${page.url().replace(/\/progress$/, '')}/undo`;
  await page.goto(undo);
  const stale = await page.context().newPage();
  await stale.goto('/registry/records');
  await stale
    .getByRole('link', { name: /Ferreira/ })
    .first()
    .click();
  await stale.goto(`${stale.url()}/correct`);
  await stale.locator('[name="prenatal_visits"]').fill('9');
  await saveCorrection(stale);
  await stale.waitForURL(RECORD);
  await page.getByRole('button', { name: 'Undo import' }).click();
  assert.match(await mainOf(page), /cannot be undone as a whole: 1 record was changed since/);
  assert.match(await mainOf(page), /Chart number WB-8/);
  assert.equal(await faultsOf(page, 'undo-refused'), []);
  await page.context().close();
});

test.run();
