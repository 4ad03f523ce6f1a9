import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ROW_OF_ANOTHER_WOMAN } from '../../api/import/preview-decisions.ts';
import { HANDED_OVER_DISCARDED, HANDED_OVER_VIEWED } from '../../api/pages/audit/access-text.ts';
import { describeUnknownColumns } from '../../api/pages/import/columns-form.tsx';
import { IMPORT_PATH } from '../../api/pages/import/file-form.tsx';
import { CONSENT_OPEN } from '../../api/pages/import/import-router.tsx';
import { describeDateOrder } from '../../api/pages/import/preview-page.tsx';
import {
  describeComparison,
  describeReplacement,
  ROW_NOT_CONFIRMED,
} from '../../api/pages/import/row-router.tsx';
import {
  CHART_NUMBER_IS_RIGHT,
  describeReplacedRecord,
} from '../../api/pages/parts/birth-form/confirm/chart-number-in-use.tsx';
import { NEW_BIRTH_PATH } from '../../api/pages/parts/birth-form/confirm/duplicate-checks.tsx';
import { SENT_FOR_REVIEW_PATH } from '../../api/pages/parts/birth-form/drafts/send-for-review.ts';
import { CHART_NUMBER_CONFLICT, CONSENT_NOT_STATED } from '../../domain/mapping/csv/row.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { RECORD, sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { findMessage } from '../harness/test-page.ts';
import { checkAnswers, fillBirth, recordBirth } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';
import {
  BIRTH_COLUMNS,
  birthRow,
  bring,
  counted,
  csvOf,
  importEnded,
  mainOf,
} from '../support/imports.ts';

/** A chart number that is typed or imported belongs to the record of another woman. */

const pages = await sharedTestPages();
test.after(() => pages.stop());

const { service, practice, members } = pages;

/** Records a birth of Ana under a chart number. */
const recordAna = (chartNumber: string) =>
  push(
    service.url,
    practice.token,
    birthBundle({ chartNumber, mother: { family: 'Díaz-Åberg', given: ['Ana Lucía'] } }),
  );

const versionOf = async (chartNumber: string) => {
  const { state } = await service.commands.history(practice.practiceId, chartNumber, null);
  return { version: state?.version, mother: state?.courseOfCare.mother.family_name };
};

const ANA = 'Ana Lucía Díaz-Åberg';
const UNCHANGED = { version: 1, mother: 'Díaz-Åberg' };

const BEA = {
  'mother.given_names': 'Bea',
  'mother.family_name': 'Okafor',
  'mother.birth_date': '2/3/1990',
  'children.0.birth_date': '5/20/2026',
};
const POSTED = { ...BEA, place_of_birth: 'Home', 'consent.granted': 'no', save: 'save' };

const ONE_REFUSED = counted({ new: 1, refused: 1 });

pages.pageTest(
  'a typed chart number that is another woman’s leads back to it first; replacing names her',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await recordAna('AW-1');
    await fillBirth(page, { chart_number: 'AW-1', ...BEA });
    await page.locator('[name="place_of_birth"]').selectOption('Home');
    await recordBirth(page);
    await page.getByRole('heading', { level: 1, name: 'belongs to another woman' }).waitFor();
    const text = await mainOf(page);
    assert.match(text, ANA);
    assert.match(text, 'Okafor');
    const primary = page.locator(
      'main button.usa-button:not(.usa-button--outline):not(.usa-button--secondary)',
    );
    assert.equal(await primary.allInnerTexts(), ['Change the chart number']);
    assert.equal(await faultsOf(page, 'belongs-to-another'), []);

    await page.getByText(CHART_NUMBER_IS_RIGHT).click();
    await page.getByRole('button', { name: 'Amend record' }).click();
    await page.locator('a[data-error="replacement-not-confirmed"]').waitFor();
    assert.equal(await versionOf('AW-1'), UNCHANGED);
    assert.equal(await faultsOf(page, 'belongs-to-another-unconfirmed'), []);

    await page.getByRole('button', { name: 'Change the chart number' }).click();
    await page.waitForURL(/draft=.*chart_number/);
    assert.is(await page.locator('[name="mother.family_name"]').inputValue(), 'Okafor');
    await recordBirth(page);
    await page.getByRole('heading', { level: 1, name: 'belongs to another woman' }).waitFor();
    await page.getByText(CHART_NUMBER_IS_RIGHT).click();
    await page.getByLabel(describeReplacedRecord(ANA, 'Bea Okafor')).check();
    await page.getByRole('button', { name: 'Amend record' }).click();
    await page.waitForURL(RECORD);
    assert.equal(await versionOf('AW-1'), { version: 2, mother: 'Okafor' });
  },
);

test('a box that was ticked for one version does not replace the next', async () => {
  await recordAna('AW-2');
  const visitor = await signInVisitor(service.url, members.Admin);
  const form = { _csrf: await visitor.csrfToken('/registry') };
  const typed = { ...form, ...POSTED, chart_number: 'AW-2' };
  await recordAna('AW-2');
  const answer = await visitor.send(NEW_BIRTH_PATH, {
    ...typed,
    save: 'amend',
    amend: '1',
    replaces: 'yes',
  });
  assert.is(answer.status, 409);
  assert.match(await answer.text(), 'data-message="record-has-changed"');
  assert.equal(await versionOf('AW-2'), { version: 2, mother: 'Díaz-Åberg' });
});

test('a new family name on the same dates is asked about as before', async () => {
  await recordAna('AW-3');
  const { state } = await service.commands.history(practice.practiceId, 'AW-3', null);
  const [child] = state?.courseOfCare.children ?? [];
  const visitor = await signInVisitor(service.url, members.Admin);
  const answer = await visitor.send(NEW_BIRTH_PATH, {
    _csrf: await visitor.csrfToken('/registry'),
    ...POSTED,
    chart_number: 'AW-3',
    'mother.given_names': 'Ana Lucía',
    'mother.birth_date': state?.courseOfCare.mother.birth_date ?? '',
    'children.0.birth_date': child?.birth_date ?? '',
    save: 'record',
  });
  assert.is(answer.status, 409);
  assert.match(await answer.text(), 'data-message="chart-number-in-use"');
});

pages.pageTest(
  'a Scribe sees nothing of the record, cannot replace it, and hands the birth to a Provider',
  { as: 'Scribe', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await recordAna('AW-4');
    await fillBirth(page, { chart_number: 'AW-4', ...BEA, 'children.0.birth_date': '5/21/2026' });
    await page.locator('[name="place_of_birth"]').selectOption('Home');
    await recordBirth(page);
    await page.getByRole('heading', { level: 1, name: 'belongs to another woman' }).waitFor();
    assert.not.match(await mainOf(page), /Ana|Díaz/);
    assert.is(await page.getByRole('button', { name: 'Amend record' }).count(), 0);
    assert.equal(await faultsOf(page, 'belongs-to-another-scribe'), []);

    await page.getByRole('button', { name: 'Send to a Provider for review' }).click();
    await findMessage(page, 'sent-for-review').waitFor();
    assert.is(await page.locator('.draft-notice').count(), 0);
    const forged = await signInVisitor(service.url, members.Scribe);
    const answer = await forged.send(NEW_BIRTH_PATH, {
      _csrf: await forged.csrfToken('/registry'),
      ...POSTED,
      chart_number: 'AW-4',
      save: 'amend',
      amend: '1',
      replaces: 'yes',
    });
    assert.is(answer.status, 409);
    assert.equal(await versionOf('AW-4'), UNCHANGED);
    assert.is((await forged.send(SENT_FOR_REVIEW_PATH)).status, 403);

    const provider = await pages.visit('Provider', { at: SENT_FOR_REVIEW_PATH });
    assert.equal(await faultsOf(provider, 'handed-over'), []);
    await provider.getByRole('link', { name: 'Bea Okafor' }).click();
    await provider.getByRole('heading', { level: 1, name: 'Birth sent for review' }).waitFor();
    assert.match(await mainOf(provider), ANA);
    assert.equal(await faultsOf(provider, 'handed-over-birth'), []);
    const decision = provider.url();
    await provider.getByRole('button', { name: 'Open in the birth form' }).click();
    await provider.waitForURL(/draft=/);
    assert.is(await provider.locator('[name="chart_number"]').inputValue(), 'AW-4');
    await provider.locator('[name="chart_number"]').fill('AW-40');
    await checkAnswers(provider);
    await provider.getByRole('heading', { level: 1, name: 'Check your answers' }).waitFor();
    // Opened from the list once more, it is as the Provider left it.
    await provider.goto(decision);
    await provider.getByRole('button', { name: 'Open in the birth form' }).click();
    assert.is(await provider.locator('[name="chart_number"]').inputValue(), 'AW-40');
    await recordBirth(provider);
    await provider.waitForURL(RECORD);
    assert.equal(await versionOf('AW-4'), UNCHANGED);
    assert.equal(await versionOf('AW-40'), { version: 1, mother: 'Okafor' });
    await provider.goto(SENT_FOR_REVIEW_PATH);
    await findMessage(provider, 'no-births-waiting').waitFor();
  },
);

/** Two births, at times of their own: the first with the chart number of Ana's record. */
const fileWith = (chart: string) =>
  csvOf(BIRTH_COLUMNS, [
    birthRow(chart, 'Okafor')
      .with(4, '5/20/2026')
      .with(5, `1:0${chart.slice(-1)} pm`),
    birthRow(`${chart}-new`, 'Lindqvist').with(5, `2:0${chart.slice(-1)} pm`),
  ]);

pages.pageTest(
  'a row with another woman’s chart number is left out unless it is confirmed by itself',
  { as: 'Provider', at: IMPORT_PATH },
  async ({ page }) => {
    await recordAna('AW-5');
    await bring(page, 'births.csv', fileWith('AW-5'));
    assert.match(await mainOf(page), ONE_REFUSED);
    assert.match(await mainOf(page), ROW_OF_ANOTHER_WOMAN);
    assert.equal(await faultsOf(page, 'import-another-woman'), []);
    await page.getByRole('link', { name: 'Compare row 2 with the record' }).click();
    await page.getByRole('heading', { level: 1, name: describeComparison(2) }).waitFor();
    assert.match(await mainOf(page), ANA);
    assert.equal(await faultsOf(page, 'import-compare-row'), []);
    await page.getByText(CHART_NUMBER_IS_RIGHT).click();
    await page.getByRole('button', { name: 'Replace this record' }).click();
    await page.getByRole('link', { name: ROW_NOT_CONFIRMED.message }).waitFor();
    await page.getByLabel(describeReplacedRecord(ANA, 'Rosa Okafor')).check();
    await page.getByRole('button', { name: 'Replace this record' }).click();
    await page.getByText(describeReplacement(2)).waitFor();
    assert.match(await mainOf(page), counted({ new: 1, amends: 1 }));
    assert.equal(await versionOf('AW-5'), UNCHANGED);

    // Left out again, and confirmed once more.
    await page.getByRole('link', { name: 'Compare row 2 with the record' }).click();
    await page.getByRole('button', { name: 'Leave row 2 out' }).click();
    assert.match(await mainOf(page), ONE_REFUSED);
    await page.getByRole('link', { name: 'Compare row 2 with the record' }).click();
    await page.getByText(CHART_NUMBER_IS_RIGHT).click();
    await page.getByLabel(describeReplacedRecord(ANA, 'Rosa Okafor')).check();
    await page.getByRole('button', { name: 'Replace this record' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await importEnded(page);
    assert.equal(await versionOf('AW-5'), { version: 2, mother: 'Okafor' });
  },
);

pages.pageTest(
  'a confirmation holds for the version that was shown, and for no later one',
  { as: 'Admin', at: IMPORT_PATH },
  async ({ page }) => {
    await recordAna('AW-6');
    await bring(page, 'births.csv', fileWith('AW-6'));
    await page.getByRole('link', { name: 'Compare row 2 with the record' }).click();
    await page.getByText(CHART_NUMBER_IS_RIGHT).click();
    await page.getByLabel(describeReplacedRecord(ANA, 'Rosa Okafor')).check();
    await page.getByRole('button', { name: 'Replace this record' }).click();
    await page.getByText(describeReplacement(2)).waitFor();
    await recordAna('AW-6');
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await importEnded(page);
    assert.match(await mainOf(page), CHART_NUMBER_CONFLICT.diagnostics);
    assert.equal(await versionOf('AW-6'), { version: 2, mother: 'Díaz-Åberg' });
  },
);

pages.pageTest(
  'a Scribe cannot confirm a row, and hands it to a Provider',
  { as: 'Scribe', at: IMPORT_PATH },
  async ({ page }) => {
    await recordAna('AW-7');
    await bring(page, 'births.csv', fileWith('AW-7'));
    assert.match(await mainOf(page), ONE_REFUSED);
    assert.not.match(await mainOf(page), /Ana|Díaz/);
    assert.is((await page.request.get(`${page.url()}/rows/2`)).status(), 403);
    assert.equal(await faultsOf(page, 'import-another-woman-scribe'), []);
    await page.getByRole('button', { name: 'Send to a Provider for review' }).click();
    await findMessage(page, 'sent-for-review').waitFor();

    const admin = await pages.visit('Admin', { at: SENT_FOR_REVIEW_PATH });
    await admin.getByRole('cell', { name: 'File import' }).waitFor();
    await admin.getByRole('link', { name: 'Rosa Okafor' }).click();
    await admin.getByRole('link', { name: 'Discard' }).click();
    assert.equal(await faultsOf(admin, 'handed-over-discard'), []);
    await admin.getByRole('button', { name: 'Discard entry' }).click();
    await findMessage(admin, 'birth-discarded').waitFor();
    assert.equal(await versionOf('AW-7'), UNCHANGED);
    // Who saw what was typed stays in the log.
    for (const words of [HANDED_OVER_VIEWED, HANDED_OVER_DISCARDED])
      await eventually(`the access log says “${words}”`, async () => {
        await admin.goto('/registry/access-log');
        return (await mainOf(admin)).includes(words);
      });
  },
);

pages.pageTest(
  'a file without a consent column is asked about once, and not before',
  { as: 'Provider', at: IMPORT_PATH },
  async ({ page }) => {
    const columns = BIRTH_COLUMNS.slice(0, -1);
    await bring(page, 'consent.csv', csvOf(columns, [birthRow('AW-8', 'Lindqvist').slice(0, -1)]));
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('link', { name: CONSENT_OPEN }).waitFor();
    assert.is((await versionOf('AW-8')).version, undefined);
    assert.equal(await faultsOf(page, 'import-consent'), []);
    await page.getByLabel('Granted', { exact: true }).check();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await importEnded(page);
    const { state } = await service.commands.history(practice.practiceId, 'AW-8', null);
    assert.is(state?.courseOfCare.consent.granted, true);
    assert.is(state?.courseOfCare.consent.status, 'active');

    await page.goto(IMPORT_PATH);
    await bring(page, 'open.csv', csvOf(BIRTH_COLUMNS, [birthRow('AW-9', 'Lind').with(8, '')]));
    assert.match(await mainOf(page), CONSENT_NOT_STATED);
    assert.is(await page.getByRole('button', { name: 'Import' }).count(), 0);
  },
);

pages.pageTest(
  'refused rows come back in the columns of the file, with reasons that reading leaves out',
  { as: 'Provider', at: IMPORT_PATH },
  async ({ page }) => {
    const rows = [
      birthRow('AW-11', 'Refused').with(3, 'Spaceship'),
      birthRow('AW-12', 'Good').with(5, '3:11 pm'),
    ];
    await bring(page, 'mixed.csv', csvOf(BIRTH_COLUMNS, rows));
    assert.match(await mainOf(page), describeDateOrder('month-first'));
    const preview = await page.request.get(`${page.url()}/refused.csv`);
    const lines = (await preview.text()).replace('\ufeff', '').trim().split('\r\n');
    assert.is(lines[0], [...BIRTH_COLUMNS, 'reason_refused'].join(','));
    assert.is(lines.length, 2);
    assert.match(lines[1] ?? '', /^AW-11,Refused,Rosa,Spaceship,.*place_of_birth: /);
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await importEnded(page);
    const address = page.url().replace('/progress', '/refused.csv');
    const file = await (await page.request.get(address)).text();
    assert.match(file, /AW-11,Refused,Rosa,Spaceship/);
    assert.not.match(file, /AW-12/);
    await page.goto(IMPORT_PATH);
    await bring(page, 'refused-rows.csv', file.replace('Spaceship', 'Home'));
    assert.match(await mainOf(page), counted({ new: 1 }));
    assert.not.match(await mainOf(page), describeUnknownColumns(1));

    const other = await signInVisitor(service.url, members.Scribe);
    assert.is((await other.send(new URL(address).pathname)).status, 404);
  },
);

test.run();
