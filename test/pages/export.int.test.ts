import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatAccess } from '../../api/pages/audit/access-text.ts';
import { describeReady } from '../../api/pages/export/export-page.tsx';
import {
  NO_VOIDED_IN_CSV,
  NONE_SELECTED,
  NOTHING_FOR_STATE,
} from '../../api/pages/export/export-router.tsx';
import { formatCounts } from '../../api/pages/import/import-text.ts';
import { CLEARS } from '../../api/pages/import/preview-rows.tsx';
import { NO_MATCHES } from '../../api/pages/records/list/records-page.tsx';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { AccessEntry } from '../../projections/lists/access.ts';
import { buildSingleBundles } from '../../scripts/synthesis/written-submissions.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { newMember, sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { newPractice, push, sendBirth } from '../harness/service.ts';
import { findMessage } from '../harness/test-page.ts';
import type { Visit } from '../harness/visit.ts';
import { birthBundle, twinsBundle } from '../support/bundles.ts';
import { chartOf } from '../support/exported-file.ts';
import { bring, importEnded, mainOf } from '../support/imports.ts';
import { setUpApp } from '../support/single-sign-on.ts';
import { columnIn } from '../support/state-file.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const { service, practice, members } = pages;
const { practiceId } = practice;

/** Chooses a format on the page that is open, and keeps the file. */
const exported = async (page: Visit, format: string): Promise<{ name: string; text: string }> => {
  await page.getByLabel(format).check();
  await page.getByRole('button', { name: 'Export' }).click();
  return page.downloaded();
};

const courseOf = async (chartNumber: string, of = practiceId) => {
  const { state } = await service.commands.history(of, chartNumber, null);
  const {
    stamp: _,
    ig_version: __,
    warnings: ___,
    attendant: ____,
    certifier: _____,
    ...course
  } = state?.courseOfCare ?? ({} as NonNullable<typeof state>['courseOfCare']);
  return course;
};

/** What a CSV says in other words: a phone as people type it, and a time on the practice's clock. */
const alike = (course: Awaited<ReturnType<typeof courseOf>> | undefined) => ({
  ...course,
  mother: { ...course?.mother, phone: course?.mother.phone?.replace(/^\+1-/, '') },
  children: course?.children.map((child) => ({
    ...child,
    birth_time: child.birth_time?.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length),
  })),
});

const exportsOf = async () => {
  const query = { person: null, record: null, kind: 'exports' } as const;
  const { entries } = await service.commands.accessLog(practiceId, query);
  return entries.map(({ exported: what, rows, filters }) => [what, rows, filters]);
};

const twins = await sendBirth(pages, twinsBundle(2_405, '2026-03-12T12:00:00Z'));
const single = await sendBirth(
  pages,
  birthBundle({ chartNumber: 'EXP-1', mother: { family: 'Ruiz', given: ['Ana'] } }),
);
const voided = await sendBirth(
  pages,
  birthBundle({ chartNumber: 'EXP-2', mother: { family: 'Sato', given: ['Aiko'] } }),
);
await push(
  service.url,
  practice.token,
  birthBundle({ chartNumber: 'EXP-2', composition: { status: 'entered-in-error' } }),
);

test('a record leaves from its page as a Bundle, and the access log says so', async () => {
  const page = await pages.visit('Admin', { at: `/registry/records/${twins}` });
  await page.getByRole('link', { name: 'Export this record' }).click();
  await page.getByRole('heading', { level: 1, name: 'Export records' }).waitFor();
  assert.match(await mainOf(page), describeReady(1, 0));
  assert.equal(await faultsOf(page, 'export-one'), []);
  await page.getByRole('button', { name: 'Export 1 record' }).click();
  await page.getByRole('link', { name: 'Choose a format.' }).waitFor();
  assert.equal(await faultsOf(page, 'export-error'), []);
  const { name, text } = await exported(page, 'FHIR Bundle (JSON)');
  assert.match(name, /^records-\d{4}-\d\d-\d\d\.json$/);
  const bundle = JSON.parse(text) as JsonObject;
  assert.equal([bundle['type'], chartOf(bundle)], ['document', 'AV-2026-0417']);
  assert.equal((await exportsOf())[0], ['records-json', 1, ['selection']]);
  await eventually('the page of the record says so', async () => {
    await page.goto(`/registry/records/${twins}/access`);
    return /as version 1\.$/.test(await findMessage(page, 'last-export').innerText());
  });
  assert.match(
    await mainOf(page),
    formatAccess({ type: 'RecordsExported', exported: 'records-json' } as AccessEntry),
  );
  assert.equal(await faultsOf(page, 'export-access'), []);
});

pages.pageTest(
  'a selection leaves as NDJSON, a search as one Bundle, without script too',
  { as: 'Provider', at: '/registry/records' },
  async ({ page }) => {
    await page.getByLabel('Select Ana Ruiz').check({ force: true });
    await page.getByLabel('Select Aiko Sato').check({ force: true });
    await page.getByRole('button', { name: 'Export selected' }).click();
    const { name, text } = await exported(page, 'NDJSON');
    assert.ok(name.endsWith('.ndjson'));
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
    assert.equal(lines.map(chartOf), ['EXP-1', 'EXP-2']);

    await page.goto('/registry/records?state=live');
    await page.getByRole('button', { name: 'Export all 2' }).click();
    const file = await exported(page, 'FHIR Bundle (JSON)');
    const { entry } = JSON.parse(file.text) as { entry: readonly { resource: JsonObject }[] };
    assert.equal(
      entry.map(({ resource }) => chartOf(resource)),
      ['AV-2026-0417', 'EXP-1'],
    );
    assert.equal((await exportsOf()).slice(0, 2), [
      ['records-json', 2, ['state']],
      ['records-ndjson', 2, ['selection']],
    ]);
    const receipt = await push(service.url, practice.token, file.text);
    assert.is(receipt.status === 'completed' && receipt.accepted, 2, 'the collection is a batch');

    await page.goto('/registry/records');
    await page.getByRole('button', { name: 'Export selected' }).click();
    assert.match(await mainOf(page), NONE_SELECTED);
  },
);

pages.pageTest(
  'the list shows what changed since the last export',
  { as: 'Admin', at: '/registry/records?unexported=1' },
  async ({ page }) => {
    const changed = async (): Promise<readonly string[]> => {
      await page.goto('/registry/records?unexported=1');
      return page.locator('.record-list tbody th a').allInnerTexts();
    };
    // The two that were pushed once more have a new version; the voided one was exported as it is.
    await eventually('the list follows the access log', async () => (await changed()).length === 2);
    await page.goto('/registry/records');
    await page.getByLabel('Changed since the last export').check({ force: true });
    await page.getByRole('button', { name: 'Find records' }).click();
    await page.waitForURL(/unexported=1/);
    assert.equal(await faultsOf(page, 'records-unexported'), []);
    await page.getByRole('button', { name: 'Export all 2' }).click();
    await exported(page, 'CSV');
    assert.equal((await exportsOf())[0], ['records-csv', 2, ['not-exported']]);
    await eventually('nothing is left', async () => (await changed()).length === 0);
    assert.match(await mainOf(page), NO_MATCHES);
  },
);

test('a CSV has the columns of the import, leaves voided records out, and imports back unchanged', async () => {
  const plan = {
    courses: 30,
    seed: 'export',
    lane: 'native',
    year: 2025,
    until: null,
    practicePrefix: 'CSV',
  } as const;
  for (const { bundle } of buildSingleBundles(plan))
    await push(service.url, practice.token, bundle);
  const page = await pages.visit('Admin', { at: '/registry/records' });
  const all = page.getByRole('button', { name: 'Export all' });
  const found = Number((await all.innerText()).replace('Export all', ''));
  await all.click();
  // One of the synthetic births is retracted.
  assert.match(await mainOf(page), describeReady(found, 2));
  assert.equal(await faultsOf(page, 'export-many'), []);
  const { text } = await exported(page, 'CSV');
  assert.not.ok(text.includes('EXP-2'), 'importing a voided record would bring it back');
  const charts = [...text.matchAll(/^((?:CSV|EXP|AV)-[\w-]+),/gm)].map(([, chart = '']) => chart);
  assert.ok(charts.length > 25, String(charts.length));
  const before = await Promise.all(charts.map((chart) => courseOf(chart)));

  await page.goto('/registry/import');
  await bring(page, 'exported.csv', text);
  const preview = await mainOf(page);
  const counts = { new: 0, amends: charts.length, flagged: 0, refused: 0 };
  assert.match(preview, formatCounts(counts));
  assert.not.match(preview, CLEARS);
  await page.getByRole('button', { name: `Import ${charts.length} rows` }).click();
  await importEnded(page);
  const after = await Promise.all(charts.map((chart) => courseOf(chart)));
  for (const [index, chart] of charts.entries())
    assert.equal(alike(after[index]), alike(before[index]), chart);
});

test('a state file has a line for each child, and the access log names who was in it', async () => {
  const page = await pages.visit('Admin', {
    at: `/registry/export?record=${twins}&record=${voided}&record=${single}`,
  });
  const { name, text } = await exported(page, 'State file (IJE)');
  assert.match(name, /^records-\d{4}-\d\d-\d\d\.ije$/);
  const lines = text.slice(0, -1).split('\n');
  assert.equal(
    lines.map((line) => line.length),
    [4000, 4000, 4000],
  );
  assert.is(lines.filter((line) => columnIn(line, 'MOMFNAME').trimEnd() === 'Ana').length, 1);
  assert.equal((await exportsOf())[0], ['records-ije', null, ['selection']]);
  const isIn = async (record: string): Promise<boolean> => {
    const query = { person: null, record, kind: 'exports' } as const;
    const { entries } = await service.commands.accessLog(practiceId, query);
    return entries.some((entry) => entry.exported === 'records-ije');
  };
  assert.equal([await isIn(twins), await isIn(single), await isIn(voided)], [true, true, false]);

  const before = (await exportsOf()).length;
  await page.goto(`/registry/export?record=${voided}`);
  await page.getByLabel('State file (IJE)').check({ force: true });
  await page.getByRole('button', { name: 'Export 1 record' }).click();
  await page.getByRole('link', { name: NOTHING_FOR_STATE }).waitFor();
  assert.is((await exportsOf()).length, before, 'nothing left');
});

test('a practice that sets edit flags sees which values are open, and files what it confirmed', async () => {
  const odd = await sendBirth(
    pages,
    birthBundle({ chartNumber: 'EXP-3', children: [{ weight: 9_000, weeks: 24 }] }),
  );
  const page = await pages.visit('Admin', { at: '/registry/practice' });
  const choose = async (choice: string) => {
    await page.goto('/registry/practice');
    await page.getByLabel(choice).check();
    await page.getByRole('button', { name: 'Set edit flags' }).click();
    await page.getByText('Edit flags saved.').waitFor();
  };
  const exportFlag = async () => {
    await page.goto(`/registry/export?record=${odd}`);
    const { text } = await exported(page, 'State file (IJE)');
    return columnIn(text, 'BW_BYPASS');
  };
  assert.is(await exportFlag(), ' ');
  await choose('Write what your practice confirmed');
  assert.is(await exportFlag(), ' ');
  await page.goto(`/registry/export?record=${odd}`);
  assert.is(await page.getByRole('link', { name: 'Review unusual values' }).count(), 1);
  await page.goto(`/registry/records/${odd}`);
  await page.getByRole('button', { name: 'Confirm value' }).click();
  await findMessage(page, 'values-confirmed').waitFor();
  assert.is(await exportFlag(), '2');
  await page.goto(`/registry/export?record=${odd}`);
  assert.is(await page.getByRole('link', { name: 'Review unusual values' }).count(), 0);
  await choose('Leave blank');
  assert.is(await exportFlag(), ' ');
});

test('a worksheet prints what is known in the order of the form, with lines for the rest', async () => {
  const page = await pages.visit('Provider', { at: `/registry/export?record=${single}` });
  await page.getByLabel('Worksheet').check({ force: true });
  await page.getByRole('button', { name: 'Export 1 record' }).click();
  await page.getByRole('heading', { level: 1, name: 'Worksheet: Ana Ruiz' }).waitFor();
  assert.equal(await page.locator('main h2').allInnerTexts(), [
    'Mother',
    'Pregnancy',
    'Labor and birth',
    'Child',
    'Consent',
  ]);
  assert.match(await mainOf(page), '3,400 g');
  assert.ok((await page.locator('.worksheet__line').count()) > 20);
  assert.equal(await faultsOf(page, 'worksheet'), []);
  const { entries } = await service.commands.accessLog(null, {
    person: null,
    record: single,
    kind: 'prints',
  });
  assert.equal(
    entries.map(({ place }) => place),
    ['worksheet'],
  );
});

test('a Viewer and a Scribe export nothing, and nobody what is another practice’s', async () => {
  const other = await newPractice(service.commands);
  const foreign = await sendBirth(pages, birthBundle({ chartNumber: 'FOREIGN-9' }), other.token);
  for (const role of ['Viewer', 'Scribe'] as const) {
    const visitor = await signInVisitor(service.url, members[role]);
    const path = `/registry/export?record=${single}`;
    assert.is((await visitor.send(path)).status, 403);
    const _csrf = await visitor.csrfToken('/registry');
    assert.is((await visitor.send(path, { _csrf, format: 'csv' })).status, 403);
  }
  const viewer = await pages.visit('Viewer', { at: '/registry/records' });
  assert.is(await viewer.getByRole('button', { name: 'Export' }).count(), 0);
  await viewer.goto(`/registry/records/${single}`);
  assert.is(await viewer.getByRole('link', { name: 'Export this record' }).count(), 0);
  const admin = await signInVisitor(service.url, members.Admin);
  const none = await admin.send(`/registry/export?record=${foreign}&record=nothing`);
  assert.match(await none.text(), NONE_SELECTED);
  const before = (await exportsOf()).length;
  const _csrf = await admin.csrfToken('/registry');
  const refused = await admin.send(`/registry/export?record=${voided}`, { _csrf, format: 'csv' });
  assert.is(refused.status, 422);
  assert.match(await refused.text(), NO_VOIDED_IN_CSV);
  assert.is((await exportsOf()).length, before, 'what was refused is no export');
});

test('a person with a second factor shows it first, and nothing is exported before', async () => {
  const account = await newMember(service, practiceId, 'Provider', 'steps.up@export.example');
  const early = await signInVisitor(service.url, account);
  const other = await signInVisitor(service.url, account);
  await setUpApp(other);
  const path = `/registry/export?record=${single}`;
  const _csrf = await early.csrfToken('/registry');
  const before = (await exportsOf()).length;
  const form = { _csrf, format: 'json' };
  assert.match(await (await early.send(path, form)).text(), 'data-message="factor-again"');
  assert.is((await exportsOf()).length, before);
  const answer = await other.send(path, form);
  assert.is(answer.headers.get('content-type'), 'application/fhir+json; charset=utf-8');
  assert.is((await exportsOf()).length, before + 1);
});

test('a state file has the codes that a CSV says in words or codes for a bound field', async () => {
  const { customFields } = service.commands;
  await customFields.defineOfCertificate(practiceId, { item: 'PAY', label: 'Paid by' });
  await customFields.defineOfCertificate(practiceId, { item: 'FDOB', label: '' });
  const page = await pages.visit('Admin', { at: '/registry/custom-fields' });
  await eventually('the fields are listed', async () => {
    await page.reload();
    return (await page.getByRole('row', { name: 'date of birth' }).count()) === 1;
  });
  const rows = [
    ['BND-1', 'Medicaid', '1990-05-13'],
    ['BND-2', '2', ''],
    ['BND-3', 'Barter', ''],
  ];
  const columns =
    "chart_number,place_of_birth,consent_granted,child1_family_name,paid by,father's date of birth";
  await page.goto('/registry/import');
  await bring(
    page,
    'bound.csv',
    [
      columns,
      ...rows.map(([chart, ...own]) => [chart, 'Home', 'no', 'Bond', ...own].join(',')),
    ].join('\n'),
  );
  assert.match(await mainOf(page), 'Choose an answer from the list for “Paid by”.');
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await importEnded(page);
  await page.goto('/registry/records');
  await page.getByRole('button', { name: 'Export all' }).click();
  const { text } = await exported(page, 'State file (IJE)');
  assert.equal(
    text
      .trimEnd()
      .split('\n')
      .filter((line) => columnIn(line, 'KIDLNAME').trim() === 'Bond')
      .map((line) => ['PAY', 'FDOB_YR', 'FDOB_MO', 'FDOB_DY'].map((name) => columnIn(line, name)))
      .toSorted(),
    [
      ['1', '1990', '05', '13'],
      ['2', '    ', '  ', '  '],
    ],
  );
});

test.run();
