import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  DECIDED,
  describeChange,
  describeDismissal,
  describeMerge,
  describeVoid,
  NO_DUPLICATES,
  NOT_OPEN,
} from '../../api/pages/duplicates/duplicates-router.tsx';
import { YOU_KEEP } from '../../api/pages/duplicates/merge-page.tsx';
import { formatPosition } from '../../api/pages/duplicates/pair-page.tsx';
import { KIND_TEXT } from '../../api/pages/to-do/work-item-text.ts';
import { faultsOf } from '../harness/gallery.ts';
import { newMember, newVisitor, sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { newPractice, push } from '../harness/service.ts';
import type { TestPage } from '../harness/test-page.ts';
import { type BirthParts, birthBundle, observation } from '../support/bundles.ts';

const PLACE = '/registry/duplicates';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const pushed = async (parts: BirthParts): Promise<string> => {
  const { service, practice } = pages;
  const receipt = await push(service.url, practice.token, birthBundle(parts));
  if (receipt.status !== 'completed') throw new Error(receipt.status);
  return receipt.outcome.accepted[0]?.submission_uuid ?? '';
};

const twins = {
  family: 'Åström-Villanueva de la Cruz y Montenegro',
  given: ['María José', 'Guadalupe'],
};
const born = (given: string, minute: number, weight: number) => ({
  family: 'Åström-Villanueva',
  given: [given],
  weight,
  birthTime: `2026-03-12T04:${minute}:00-05:00`,
});

const textOf = (page: TestPage): Promise<string> => page.locator('main').innerText();
const differing = (page: TestPage): Promise<readonly string[]> =>
  page.locator('.pair__row--differs th').allInnerTexts();

pages.pageTest(
  'nothing to decide is said in a sentence',
  { as: 'Provider', at: PLACE },
  async ({ page }) => {
    assert.match(await textOf(page), NO_DUPLICATES);
    assert.is(await page.getByRole('link', { name: 'Show all records' }).count(), 1);
    assert.equal(await faultsOf(page, 'duplicates-empty'), []);
  },
);

pages.browserTest(
  'pairs are decided one by one: different births by keyboard, and back again',
  async ({ open }) => {
    const more = [observation('69044-6', { valueDateTime: '2025-09-22' })];
    const chartNumber = (number: number) => ({ chartNumber: `MRN-2026-00${number}`, more });
    await pushed({
      ...chartNumber(1),
      mother: twins,
      children: [born('Þórunn', 31, 2410), born('Łucja', 44, 2290)],
    });
    await pushed({
      ...chartNumber(2),
      mother: twins,
      place: '91154008',
      children: [born('Thorunn', 31, 2410), born('Łucja', 44, 2390)],
    });
    const rosa = { family: 'Ortiz', given: ['Rosa'] };
    await pushed({ ...chartNumber(3), mother: rosa });
    await pushed({ ...chartNumber(4), mother: rosa });

    const page = await open('Provider', { at: PLACE });
    assert.match(await textOf(page), formatPosition({ place: 1, left: 2 }));
    assert.equal(
      (await differing(page)).map((label) => label.replace('Differs', '').trim()),
      ['Place of birth', 'Child 1: given names', 'Child 2: birth weight'],
    );
    assert.is((await page.locator('.pair tbody th').first().innerText()).trim(), 'Differences');
    assert.match(await page.locator('.pair thead').innerText(), 'María José Guadalupe');
    assert.equal(await faultsOf(page, 'duplicates-pair'), []);

    // Whoever wants to think about it looks at the next one first.
    await page.getByRole('link', { name: 'Skip this pair' }).click();
    assert.match(await textOf(page), 'MRN-2026-004');
    assert.equal(await differing(page), []);
    await page.goto(PLACE);

    await page.getByRole('button', { name: 'Not a duplicate' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.notice--success').waitFor();
    const text = await textOf(page);
    assert.match(text, formatPosition({ place: 1, left: 1 }));
    assert.match(text, describeDismissal('MRN-2026-001', 'MRN-2026-002'));
    assert.match(text, pages.members.Provider.email);
    assert.equal(await faultsOf(page, 'duplicates-decided'), []);

    await page.getByRole('button', { name: 'Undo MRN-2026-001 and MRN-2026-002' }).click();
    await page.locator('.notice--success').waitFor();
    const told = await textOf(page);
    assert.ok(
      [1, 2].some((place) => told.includes(formatPosition({ place, left: 2 }))),
      told,
    );
    assert.match(await textOf(page), 'MRN-2026-002');
  },
);

pages.pageTest(
  'one of a pair is voided with a reason, and the next pair appears',
  { as: 'Provider', at: PLACE },
  async ({ page }) => {
    await page.getByRole('link', { name: 'Void this one MRN-2026-004' }).click();
    assert.is(await page.locator('h1').innerText(), 'Void MRN-2026-004');
    assert.is(
      await page.getByLabel('Reason for voiding').inputValue(),
      'Duplicate of MRN-2026-003',
    );
    assert.equal(await faultsOf(page, 'duplicates-void'), []);
    await page.getByLabel('Reason for voiding').fill('x');
    await page.getByRole('button', { name: 'Void record' }).click();
    await page.locator('[data-error-summary]').waitFor();
    assert.ok((await page.title()).startsWith('Error: '));
    assert.is(await page.getByLabel('Reason for voiding').inputValue(), 'x');
    assert.equal(await faultsOf(page, 'duplicates-void-error'), []);
    await page.getByLabel('Reason for voiding').fill('Entered twice at the front desk');
    await page.getByRole('button', { name: 'Void record' }).click();
    await page.locator('.notice--success').waitFor();
    const text = await textOf(page);
    assert.match(text, describeVoid('Record MRN-2026-004 (Rosa Ortiz)'));
    assert.match(text, formatPosition({ place: 1, left: 1 }));
    const { practice, service } = pages;
    const { state, events } = await service.commands.history(
      practice.practiceId,
      'MRN-2026-004',
      null,
    );
    assert.is(state?.status, 'voided');
    const last = events.at(-1);
    assert.equal(last?.actor, { kind: 'member', id: pages.members.Provider.id });
  },
);

test('the second of two people who decide at once is told kindly', async () => {
  const [first, second] = [newVisitor(pages.service.url), newVisitor(pages.service.url)];
  await first.signIn(pages.members.Admin);
  await second.signIn(pages.members.Provider);
  const html = await (await second.send(PLACE)).text();
  const field = (name: string) =>
    new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? '';
  const pair = { newer: field('newer'), older: field('older') };
  const decide = async (visitor: typeof first, action: string, more = {}) =>
    visitor.send(`${PLACE}/${action}`, {
      _csrf: await visitor.csrfToken('/registry'),
      ...pair,
      ...more,
    });
  assert.is((await decide(first, 'different')).status, 303);
  assert.is((await decide(second, 'different')).status, 303);
  assert.match(await (await second.send(PLACE)).text(), DECIDED);
  const voiding = { void: pair.newer, version: '1', reason: 'Entered twice' };
  assert.is((await decide(second, 'void', voiding)).status, 303);
  assert.match(await (await second.send(PLACE)).text(), DECIDED);

  // A record that was amended meanwhile is looked at again before it is voided.
  assert.is((await decide(first, 'undo')).status, 303);
  await decide(second, 'void', { ...voiding, version: '7' });
  assert.match(
    await (await second.send(PLACE)).text(),
    describeChange(
      'Record MRN-2026-002 (María José Guadalupe Åström-Villanueva de la Cruz y Montenegro)',
    ),
  );
});

test('a pair with a voided side asks nothing of anybody, until the voided one comes back', async () => {
  const admin = await signedIn('Admin');
  const recordOf = async (chart: string) => {
    const { practice, service } = pages;
    const { submissionUuid } = await service.commands.history(practice.practiceId, chart, null);
    return submissionUuid ?? '';
  };
  const newer = await recordOf('MRN-2026-002');
  const SUSPECTED = 'Possible duplicate';
  const flagged = async () => {
    const record = await (await admin.send(`/registry/records/${newer}`)).text();
    const list = await (await admin.send('/registry/records')).text();
    const filtered = await (await admin.send('/registry/records?duplicates=1')).text();
    const home = await (await admin.send('/registry')).text();
    return {
      record: record.includes(SUSPECTED),
      banner: record.includes(`${PLACE}?record=${newer}`),
      listed: list.includes(`${SUSPECTED}</`),
      filtered: filtered.includes(newer),
      home: [KIND_TEXT.duplicate.one, SUSPECTED].some((words) => home.includes(words)),
    };
  };
  const [yes, no] = [true, false].map((is) => ({
    record: is,
    banner: is,
    listed: is,
    filtered: is,
    home: is,
  }));
  assert.equal(await flagged(), yes);
  const older = await admin.send(`/registry/records/${await recordOf('MRN-2026-001')}`);
  assert.match(await older.text(), new RegExp(`${PLACE}.record=${newer}`));
  const before = await admin.send('/registry');
  assert.match(
    await before.text(),
    new RegExp(`1</span>\\s*<a href="/registry/to-do[^"]*">${KIND_TEXT.duplicate.one}`),
  );
  const page = await pages.visit('Provider', { at: PLACE });
  await page.getByRole('link', { name: 'Void this one MRN-2026-001' }).click();
  await page.getByRole('button', { name: 'Void record' }).click();
  await page.locator('.notice--success').waitFor();
  assert.match(await textOf(page), NO_DUPLICATES);
  const home = await admin.send('/registry');
  const text = await home.text();
  for (const words of [KIND_TEXT.duplicate.one, KIND_TEXT.duplicate.several])
    assert.not.match(text, words);
  assert.equal(await flagged(), no);
  const gone = await admin.send(`${PLACE}?record=${newer}`);
  assert.is(gone.headers.get('location'), PLACE);

  await pushed({
    chartNumber: 'MRN-2026-001',
    mother: twins,
    children: [born('Þórunn', 31, 2410), born('Łucja', 44, 2290)],
  });
  assert.equal(await flagged(), yes);
});

const signedIn = async (role: 'Admin' | 'Provider' | 'Viewer' | 'Scribe') => {
  const visitor = await signInVisitor(pages.service.url, pages.members[role]);
  return visitor;
};

test('only Admin and Provider decide, and only on the pairs of their practice', async () => {
  for (const role of ['Viewer', 'Scribe'] as const) {
    const visitor = await signedIn(role);
    assert.is((await visitor.send(PLACE)).status, 403);
    const _csrf = await visitor.csrfToken('/registry');
    assert.is((await visitor.send(`${PLACE}/different`, { _csrf })).status, 403);
  }
  assert.is((await newVisitor(pages.service.url).send(PLACE)).status, 303);

  const ida = { family: 'Berg', given: ['Ida'] };
  const older = await pushed({ chartNumber: 'MRN-2026-005', mother: ida });
  const newer = await pushed({ chartNumber: 'MRN-2026-006', mother: ida });
  const other = await newPractice(pages.service.commands);
  const stranger = await signInVisitor(
    pages.service.url,
    await newMember(pages.service, other.practiceId, 'Admin', 'admin@birch.example'),
  );
  assert.match(await (await stranger.send(PLACE)).text(), NO_DUPLICATES);
  assert.is((await stranger.send(`${PLACE}/void?newer=${newer}&void=${newer}`)).status, 404);
  // Of a pair that is not theirs they learn what they learn of none at all.
  assert.is((await stranger.send(`${PLACE}?record=${newer}`)).status, 303);
  assert.match(await (await stranger.send(PLACE)).text(), NOT_OPEN);
  assert.is((await stranger.send(`${PLACE}/void?newer=x&void=x`)).status, 404);
  const _csrf = await stranger.csrfToken('/registry');
  await stranger.send(`${PLACE}/different`, { _csrf, newer, older });
  assert.is((await stranger.send(`${PLACE}/undo`, { _csrf, newer, older })).status, 404);
  const still = await (await signedIn('Admin')).send(`${PLACE}?record=${newer}`);
  assert.match(await still.text(), 'MRN-2026-006');
});

test('two look-alikes that are left when the oldest is voided are decided on like any pair', async () => {
  const sana = { family: 'Ahmed', given: ['Sana'] };
  const send = () => pushed({ chartNumber: null, mother: sana });
  const [a, b, c] = [await send(), await send(), await send()];
  const visitor = await signedIn('Admin');
  const _csrf = await visitor.csrfToken('/registry');
  const voiding = { newer: b, older: a, void: a, version: '1', reason: 'Entered twice' };
  assert.is((await visitor.send(`${PLACE}/void`, { _csrf, ...voiding })).status, 303);

  const place = `${PLACE}?record=${c}&like=${b}`;
  const shown = await visitor.send(place);
  assert.is(shown.status, 200);
  assert.match(await shown.text(), new RegExp(`name="older" value="${b}"`));
  const pair = { _csrf, newer: c, older: b };
  assert.is((await visitor.send(`${PLACE}/different`, pair)).status, 303);
  assert.is((await visitor.send(place)).status, 303);
  const undone = await visitor.send(`${PLACE}/undo`, pair);
  assert.is(undone.headers.get('location'), place);
  assert.is((await visitor.send(place)).status, 200);
  const record = await (await visitor.send(`/registry/records/${c}`)).text();
  assert.match(record, new RegExp(`${PLACE}.record=${c}&amp;like=${b}`));
});

test('two records become one: conflicts are chosen, gaps are filled, and both histories say so', async () => {
  const lena = { family: 'Okafor', given: ['Lena'] };
  const child = { birthTime: '2026-03-14T04:31:00-05:00' };
  const older = await pushed({
    chartNumber: 'MRN-2026-011',
    mother: { ...lena, birthDate: '1994-06-02' },
    children: [
      { ...child, weight: 3_200, given: [] },
      { given: ['Obi'], birthDate: null, birthTime: null },
    ],
  });
  const newer = await pushed({
    chartNumber: 'MRN-2026-012',
    mother: { ...lena, birthDate: '1994-02-06' },
    children: [
      { ...child, weight: 3_200, given: ['Ngozi'] },
      { ...child, given: ['Obi'], birthDate: '2026-03-14' },
    ],
  });
  const page = await pages.visit('Provider', { at: `${PLACE}?record=${newer}&like=${older}` });
  await page.getByRole('link', { name: 'Merge' }).click();
  assert.is(await page.locator('h1').innerText(), 'Merge two records');
  assert.match(await textOf(page), `${YOU_KEEP} Record MRN-2026-011 (Lena Okafor)`);
  await page.getByRole('heading', { name: 'Conflicting values: choose one' }).waitFor();
  assert.equal(await faultsOf(page, 'duplicates-merge'), []);

  // Nothing is chosen for anyone.
  assert.is(await page.getByRole('radio', { checked: true }).count(), 0);
  await page.getByRole('button', { name: 'Merge records' }).click();
  await page.locator('[data-error-summary]').waitFor();
  assert.equal(await faultsOf(page, 'duplicates-merge-error'), []);

  await page.getByRole('link', { name: 'Keep MRN-2026-012 instead' }).click();
  await page.getByRole('link', { name: 'Keep MRN-2026-011 instead' }).click();
  await page.getByRole('radio', { name: 'Feb 6, 1994' }).check();
  assert.ok(await page.getByRole('checkbox', { name: 'given names: Ngozi' }).isChecked());
  const born = /^Child 2: date of birth: Mar 14, 2026, time of birth: Mar 14, 2026, \d/;
  assert.ok(await page.getByRole('checkbox', { name: born }).isChecked());
  await page.getByRole('button', { name: 'Merge records' }).click();
  await page.locator('.notice--success').waitFor();
  assert.match(
    await textOf(page),
    describeMerge('Record MRN-2026-012 (Lena Okafor)', 'Record MRN-2026-011 (Lena Okafor)'),
  );

  await page.goto(`/registry/records/${older}`);
  const kept = await textOf(page);
  assert.match(kept, 'Feb 6, 1994');
  assert.match(kept, 'Ngozi');
  assert.match(kept, `Merged from a duplicate by ${pages.members.Provider.email}`);
  assert.is(await page.locator(`.history a[href="/registry/records/${newer}"]`).count(), 1);
  await page.goto(`/registry/records/${newer}`);
  assert.match(
    await textOf(page),
    `Merged into another record and voided by ${pages.members.Provider.email}`,
  );
  assert.is(await page.locator(`.history a[href="/registry/records/${older}"]`).count(), 2);
});

test.run();
