import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatRefusal } from '../../api/commands/refusal-messages.ts';
import {
  describeAmended,
  describeChangedSince,
  describeVoided,
} from '../../api/pages/import/undo-page.tsx';
import { choose } from '../harness/browser.ts';
import { faultsOf } from '../harness/gallery.ts';
import { RECORD, sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { findMessage, readMessage } from '../harness/test-page.ts';
import { REASON } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';
import { BIRTH_COLUMNS, birthRow, bring, csvOf, importEnded, mainOf } from '../support/imports.ts';
import { submit } from '../support/sent-forms.ts';

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

const admin = await signInVisitor(pages.service.url, pages.members.Admin);

/** Voids a record, as a colleague does. */
const voidBeside = async (record: string): Promise<void> => {
  const answer = await submit(admin, `${record}/void`, { reason: VOIDED_FOR }, 'name="reason"');
  assert.is(answer.headers.get('location'), record);
};
const VOIDED_FOR = 'Entered twice';

/** Corrects a record, as a colleague does. */
const correctBeside = async (record: string, visits: string): Promise<void> => {
  const typed = { ...REASON, prenatal_visits: visits, save: 'record' };
  const answer = await submit(admin, `${record}/correct`, typed);
  assert.is(answer.headers.get('location'), record);
};

pages.pageTest(
  'a correction says why, and an earlier version comes back with its sources',
  { as: 'Provider' },
  async ({ page }) => {
    const { email } = pages.members.Provider;
    const record = await sent('WB-1', 'Lindqvist-Okafor');
    await page.goto(`${record}/correct`);
    await page.locator('[name="mother.family_name"]').fill('Wrong');
    await page.locator('[name="children.0.birth_weight_grams"]').fill('');
    await page.getByRole('button', { name: 'Check your answers' }).click();
    const noReason = formatRefusal({ code: 'correction-without-reason' });
    await page.getByRole('link', { name: noReason, exact: true }).waitFor();
    assert.is(await page.locator('[name="mother.family_name"]').inputValue(), 'Wrong');
    await choose(page.getByRole('radio', { name: 'Other', exact: true }));
    await page.getByRole('button', { name: 'Check your answers' }).click();
    const tooShort = formatRefusal({ code: 'reason-too-short' });
    await page.getByRole('link', { name: tooShort, exact: true }).waitFor();
    assert.equal(await faultsOf(page, 'correction-reason'), []);
    await page.locator('[name="reason_text"]').fill('Asked for by the county');
    await page.getByRole('button', { name: 'Check your answers' }).click();
    await page.getByRole('button', { name: 'Save correction' }).click();
    await page.waitForURL(RECORD);
    await page.getByText('Reason: Asked for by the county', { exact: true }).waitFor();
    assert.equal(await faultsOf(page, 'record-with-restore'), []);

    await page.getByRole('link', { name: 'Restore this version' }).click();
    await page.getByRole('heading', { level: 1, name: 'Restore version 1' }).waitFor();
    const changes = page.getByRole('table', { name: '2 values change', exact: true });
    for (const name of ['family name Wrong Lindqvist-Okafor', 'Not recorded 3,400 g'])
      assert.is(await changes.getByRole('row', { name }).count(), 1, name);
    assert.equal(await faultsOf(page, 'restore-version'), []);
    await page.getByLabel('Reason for restoring').fill('Corrected the wrong record');
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.waitForURL(RECORD);
    assert.match(await findMessage(page, 'version-restored').innerText(), /\b1\b.*\b3\b/);
    for (const text of [`Restored to version 1 by ${email}`, 'Reason: Corrected the wrong record'])
      assert.ok(await page.getByText(text).first().isVisible(), text);
    // Its values are again those that the EHR sent.
    const restored = (await mainOf(page)).split('\n');
    const hasSource = (text: string, version: string) =>
      restored.some((line) => line.includes(text) && line.includes(version));
    assert.ok(hasSource('Sent by ', '(version 1)'));
    assert.not(hasSource(`Restored by ${email}`, '(version 3)'));
  },
);

test('a version is restored from the record as it was at a moment, without script too', async () => {
  const record = await sent('WB-2', 'Amaral');
  await correctBeside(record, '11');
  const htmlOf = async (path: string) => (await admin.send(path)).text();
  const moments = [...(await htmlOf(record)).matchAll(/href="([^"]+\?at=[^"]+)"/g)];
  const then = await htmlOf(moments.at(-1)?.[1] ?? '');
  const [, restore = ''] = /href="([^"]+\/restore\?version=1)"/.exec(then) ?? [];
  const answer = await submit(admin, restore, {}, `action="${record}/restore"`);
  assert.is(answer.headers.get('location'), record);
  assert.match(readMessage(await htmlOf(record), 'version-restored'), /\b1\b.*\b3\b/);
  const nothing = await admin.send(`${record}/restore?version=3`);
  const after = await htmlOf(nothing.headers.get('location') ?? '');
  assert.match(readMessage(after, 'nothing-to-restore'), 'version 3,');
  assert.is((await admin.send(`${record}/restore?version=9`)).status, 404);
});

pages.pageTest(
  'what someone else changed meanwhile is not overwritten unseen',
  { as: 'Provider' },
  async ({ page: one }) => {
    const record = await sent('WB-3', 'Haddad');
    await correctBeside(record, '9');
    await one.goto(`${record}/restore?version=1`);
    await correctBeside(record, '10');
    await one.getByRole('button', { name: 'Restore version 1' }).click();
    assert.match(await findMessage(one, 'not-restored').innerText(), 'version 3.');
    assert.equal(await faultsOf(one, 'restore-changed'), []);
    await one.getByRole('button', { name: 'Restore version 1' }).click();
    await one.waitForURL(RECORD);
    assert.match(await findMessage(one, 'version-restored').innerText(), /\b1\b.*\b4\b/);
  },
);

pages.pageTest(
  'a voided record comes back as it was, with or without a chart number',
  { as: 'Admin' },
  async ({ page }) => {
    for (const [chart, family] of [
      ['WB-4', 'Castellanos'],
      [null, 'Vogel'],
    ] as const) {
      const record = await sent(chart, family);
      const asked = await (await page.request.get(`${record}/void`)).text();
      assert.ok(asked.includes('data-message="can-be-restored"'));
      await page.goto(`${record}/void`);
      await page.getByLabel('Reason for voiding').fill(VOIDED_FOR);
      await page.getByRole('button', { name: 'Void record' }).click();
      await page.getByRole('link', { name: 'Restore it', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Restore record' }).waitFor();
      assert.ok(await findMessage(page, 'counts-again').isVisible());
      assert.equal(await faultsOf(page, `bring-back-${chart ?? 'none'}`), []);
      await page.getByRole('button', { name: 'Restore record' }).click();
      await page.waitForURL(RECORD);
      assert.match(await findMessage(page, 'record-restored').innerText(), 'version 3.');
      const main = await mainOf(page);
      for (const text of [
        `Restored by ${pages.members.Admin.email}`,
        family,
        `Reason: ${VOIDED_FOR}`,
      ])
        assert.ok(main.includes(text), text);
      await page.goto(`${record}/bring-back`);
      await findMessage(page, 'record-is-active').waitFor();
    }
  },
);

pages.pageTest(
  'one that now looks like another record is asked about, then flagged',
  { as: 'Provider' },
  async ({ page }) => {
    const record = await sent('WB-5', 'Nakamura');
    await voidBeside(record);
    await sent('WB-6', 'Nakamura');
    await page.goto(record);
    await page.getByRole('link', { name: 'Restore record' }).click();
    await page.getByRole('button', { name: 'Restore record' }).click();
    await findMessage(page, 'not-restored-yet').waitFor();
    assert.ok((await mainOf(page)).includes('WB-6'));
    assert.equal(await faultsOf(page, 'bring-back-look-alike'), []);
    await page.getByRole('button', { name: 'Restore and flag record' }).click();
    await page.waitForURL(RECORD);
    await findMessage(page, 'flagged-duplicate').waitFor();
  },
);

pages.scriptTest(
  'on a phone Void stands below Correct',
  { as: 'Admin', width: 390 },
  async ({ page }) => {
    const record = await sent('WB-7', 'Silva');
    await page.goto(record);
    const topOf = async (name: string) =>
      (await page.getByRole('link', { name }).first().boundingBox())?.y ?? 0;
    assert.ok((await topOf('Void record')) >= (await topOf('Correct record')));
  },
);

pages.scriptTest('a double click restores once', { as: 'Admin' }, async ({ page }) => {
  const record = await sent('WB-10', 'Doublet');
  await correctBeside(record, '9');
  await page.goto(`${record}/restore?version=1`);
  await page.getByLabel('Reason for restoring').fill('Corrected the wrong record');
  await page.getByRole('button', { name: 'Restore version 1' }).dblclick();
  await page.waitForURL(RECORD);
  assert.match(await findMessage(page, 'version-restored').innerText(), /\b1\b.*\b3\b/);
});

pages.pageTest(
  'an import is undone with a preview, and the same file may come again',
  { as: 'Provider', at: '/registry/import' },
  async ({ page }) => {
    await sent('WB-20', 'Before');
    const file = csvOf(BIRTH_COLUMNS, [
      birthRow('WB-20', 'After'),
      ...Array.from({ length: 30 }, (_, n) => birthRow(`WB-3${n}`, `Family ${n}`)),
    ]);
    await bring(page, 'undone.csv', file);
    await page.getByRole('button', { name: 'Import 31 rows' }).click();
    await importEnded(page);
    const address = page.url();
    const toDo = () => page.locator('nav.rail a[href="/registry/to-do"]').innerText();
    await page.goto('/registry');
    const before = await toDo();
    await page.goto(address);
    await page.getByRole('link', { name: 'Undo this import' }).click();
    await page.getByRole('heading', { level: 1, name: 'Undo import' }).waitFor();
    for (const text of [describeVoided(30), describeAmended(1)])
      assert.ok(await page.getByText(text).isVisible(), text);
    assert.equal(await faultsOf(page, 'undo-import'), []);

    // A Scribe undoes none.
    const path = new URL(page.url()).pathname;
    const scribe = await signInVisitor(pages.service.url, pages.members.Scribe);
    assert.is((await scribe.send(path)).status, 403);

    await page.getByRole('button', { name: 'Undo import' }).click();
    await page.waitForURL(/\/progress$/);
    await importEnded(page, 'Import undone');
    const undone = page.getByRole('status').filter({ hasText: pages.members.Provider.email });
    await undone.filter({ hasText: '30 voided, 1 restored' }).waitFor();
    assert.equal(await faultsOf(page, 'import-undone'), []);
    await page.goto('/registry/import');
    assert.is(await page.getByRole('cell', { name: 'Undone', exact: true }).count(), 1);
    // What the undo has closed is not in the menu either.
    const after = await toDo();
    assert.not.equal(after, before);
    await page.goto('/registry');
    assert.is(await toDo(), after);
    await page.goto('/registry/import');
    await bring(page, 'undone.csv', file);
    await page.getByRole('button', { name: 'Import 31 rows' }).click();
    await importEnded(page);
    assert.not.equal(page.url(), address);
  },
);

pages.pageTest(
  'an import whose records were changed since is not undone, and names them',
  { as: 'Admin', at: '/registry/import' },
  async ({ page }) => {
    const file = csvOf(BIRTH_COLUMNS, [birthRow('WB-8', 'Ferreira'), birthRow('WB-9', 'Yilmaz')]);
    await bring(page, 'changed.csv', file);
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await importEnded(page);
    const undo = `${page.url().replace(/\/progress$/, '')}/undo`;
    // It is for an Admin, and for the Provider whose import it is.
    const provider = await (await pages.visit('Provider')).goto(undo);
    assert.is(provider?.status(), 404);
    await page.goto(undo);
    const { practiceId } = pages.practice;
    const changed = await pages.service.commands.history(practiceId, 'WB-8', null);
    await correctBeside(`/registry/records/${changed.submissionUuid}`, '9');
    await page.getByRole('button', { name: 'Undo import' }).click();
    await page.getByText(describeChangedSince(1)).waitFor();
    assert.ok((await mainOf(page)).includes('Chart number WB-8'));
    assert.equal(await faultsOf(page, 'undo-refused'), []);
  },
);

test.run();
