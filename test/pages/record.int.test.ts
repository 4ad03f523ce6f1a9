import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatRefusal } from '../../api/commands/refusal-messages.ts';
import { toWallClock } from '../../api/pages/records/history/as-of-date.ts';
import { describeFound } from '../../api/pages/records/list/records-page.tsx';
import { GROUP_LABELS } from '../../api/pages/text/field-labels.ts';
import { formatSource } from '../../api/pages/text/source-text.ts';
import { describeResent } from '../../api/pages/to-do/practice-home.tsx';
import type { RecordVersion } from '../../domain/birth-record/events.ts';
import { isKnown } from '../../domain/event-log.ts';
import { recordStream } from '../../domain/stream-names.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { sendBirth } from '../harness/service.ts';
import { findMessage, readMessage } from '../harness/test-page.ts';
import { errorsOf } from '../support/birth-form.ts';
import { birthBundle, twinsBundle } from '../support/bundles.ts';
import { buildCompleteBundle } from '../support/complete-bundle.ts';
import { openTestImports } from '../support/imports.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const sent = (bundle: unknown, token?: string): Promise<string> => sendBirth(pages, bundle, token);

pages.browserTest(
  'a record is read in the order of a birth, with where each value came from',
  async ({ open }) => {
    await sent(twinsBundle(2_405, '2026-03-12T12:00:00Z'));
    const astrom = await sent(twinsBundle(2_455, '2026-03-13T12:00:00Z'));
    const page = await open('Provider', { at: `/registry/records/${astrom}` });
    assert.is(
      await page.locator('h1').innerText(),
      'María José Guadalupe Åström-Villanueva de la Cruz',
    );
    assert.equal(await page.locator('h2').allInnerTexts(), [
      'Missing: 2 items',
      'Mother',
      'Pregnancy',
      'Labor and birth',
      'Child 1',
      'Child 2',
      'People and decisions',
      'Where the values came from',
      'History',
    ]);
    const weight = page.locator('#child-1 + dl .values__row', { hasText: 'Birth weight' });
    assert.match(await weight.innerText(), '2,455 g (5 lb 7 oz)');
    assert.match(await page.locator('main').innerText(), 'Mar 12, 2026, 4:31 AM');
    assert.match(await page.locator('main').innerText(), '36 weeks');
    const origin = weight.locator('.values__origin');
    assert.not(await origin.isVisible());
    await weight.locator('.values__value').focus();
    assert.ok(await origin.isVisible());
    const said = await origin.innerText();
    assert.ok(
      said.startsWith(`${formatSource('fhir_push')}, `) && said.endsWith(' (version 2)'),
      said,
    );
    await page.emulateMedia({ media: 'print' });
    assert.not(await page.locator('.as-of').isVisible());
    assert.ok(await page.locator('.origins').isVisible());
    await page.emulateMedia({ media: null });
    await page.locator('h1').hover(); // on paper, the mouse was over a value
    assert.not(await page.locator('.values__origin').first().isVisible());
    const change = page.locator('.history .summary-list > div');
    assert.is(await change.count(), 1);
    assert.equal(await change.locator('dt, del, ins').allInnerTexts(), [
      'Child 1: birth weight',
      '2,405 g (5 lb 5 oz)',
      '2,455 g (5 lb 7 oz)',
    ]);
    assert.equal(await faultsOf(page, 'record'), []);
  },
);

pages.pageTest(
  'the chart number stands beside every name, also one that ends with it',
  { as: 'Viewer' },
  async ({ page }) => {
    const summary = async (family: string | null, given: readonly string[]) => {
      const bundle = birthBundle({ chartNumber: 'TZ-1', mother: { family, given } });
      await page.goto(`/registry/records/${await sent(bundle)}`);
      return [
        await page.locator('h1').innerText(),
        (await page.locator('.record__summary').innerText()).includes('Chart number TZ-1'),
      ];
    };
    assert.equal(await summary('TestTZ-1', ['Ana']), ['Ana TestTZ-1', true]);
    assert.equal(await summary(null, []), ['Chart number TZ-1', false]);
  },
);

pages.pageTest(
  'a record is shown as it was, and a moment that cannot be is answered kindly',
  { as: 'Viewer', at: '/registry/records?q=0417' },
  async ({ page }) => {
    const address = page.url();
    assert.is(await page.getByRole('link', { name: 'Void record' }).count(), 0);
    await page
      .getByRole('link', { name: /^View this version/ })
      .last()
      .click();
    await page.waitForURL(/at=/);
    await findMessage(page, 'as-it-was').waitFor();
    const text = await page.locator('main').innerText();
    assert.match(text, '2,405 g');
    assert.not.match(text, '2,455 g');
    assert.match(await findMessage(page, 'later-entries').innerText(), /^One /);
    assert.equal(await faultsOf(page, 'record-as-it-was'), []);
    await page.getByRole('link', { name: 'Go to the current version' }).click();
    await page.waitForURL(address);
    await page.getByLabel('View as of').fill('2025-01-31T08:30');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/at=2025/);
    assert.match(await findMessage(page, 'not-there-yet').innerText(), 'On Jan 31, 2025, 8:30 AM ');
    const answer = await page.goto(`${address}?at=2026-02-30`);
    assert.is(answer?.status(), 422);
    assert.is(await page.locator('[data-error-summary] [data-error]').count(), 1);
    await page.locator('[data-error="no-moment"]').waitFor();
    assert.is(await page.getByLabel('View as of').inputValue(), '2026-02-30');
    assert.equal(await faultsOf(page, 'record-wrong-moment'), []);
    const later = await page.request.get(`${address}?at=2999-01-01T10:00`);
    assert.is(later.status(), 422);
    assert.match(await later.text(), /<input [^>]*name="at"[^>]* value="2999-01-01T10:00"/);
    const today = toWallClock(new Date(), 'America/New_York').slice(0, 10);
    assert.is((await page.request.get(`${address}?at=${today}`)).status(), 200);
  },
);

test('a record with all elements shows all that it holds, and what was left out', async () => {
  const full = await sent(buildCompleteBundle());
  const page = await pages.visit('Admin', { at: `/registry/records/${full}` });
  assert.equal(await faultsOf(page, 'record-complete'), []);
  const odd = await sent(
    birthBundle({
      chartNumber: 'ODD-1',
      children: [{ weight: { value: 12, unit: 'stone' }, given: ['Odd'] }],
    }),
  );
  await page.goto(`/registry/records/${odd}`);
  assert.is(await page.getByRole('heading', { name: GROUP_LABELS.marks }).count(), 1);
  assert.match(
    await page.locator('main').innerText(),
    'Child: birth weight (sent as “12”): the unit is unknown',
  );
  assert.equal(await faultsOf(page, 'record-left-out'), []);
});

test('a possible duplicate leads to the other record, and voiding asks for the reason', async () => {
  await sent(birthBundle({ chartNumber: 'MRN-1001' }));
  const doubled = await sent(
    birthBundle({ chartNumber: 'MRN-1001-B', children: [{ weight: 3_420 }] }),
  );
  const page = await pages.visit('Admin', { at: `/registry/records/${doubled}` });
  const suspected = await page.request.get('/registry/records?duplicates=1');
  assert.match(await suspected.text(), 'MRN-1001-B');
  const same = findMessage(page, 'may-be-the-same').filter({ hasText: 'Rosa Elena Marin' });
  await same.first().waitFor();
  assert.equal(await faultsOf(page, 'record-duplicate'), []);
  await page.getByRole('link', { name: 'Void record' }).click();
  await page.waitForURL('**/void');
  assert.equal(await faultsOf(page, 'void'), []);
  await page.getByRole('button', { name: 'Void record' }).click();
  assert.equal(await errorsOf(page), [formatRefusal({ code: 'reason-too-short' })]);
  assert.equal(await faultsOf(page, 'void-error'), []);
  await page.getByLabel('Reason for voiding').fill('Entered twice by the night shift');
  await page.getByRole('button', { name: 'Void record' }).click();
  await page.waitForURL(`**/registry/records/${doubled}`);
  await findMessage(page, 'record-voided').waitFor();
  const text = await page.locator('main').innerText();
  assert.match(text, `Voided by ${pages.members.Admin.email}`);
  assert.match(text, 'Reason: Entered twice by the night shift');
  assert.equal(await faultsOf(page, 'record-voided'), []);
  await page.goto('/registry/records?state=voided');
  assert.match(await page.locator('main').innerText(), describeFound(1, false, true));
  assert.equal(await faultsOf(page, 'records-voided'), []);
  await page.goto(`/registry/records/${doubled}/void`);
  await findMessage(page, 'already-voided').waitFor();
  await page.getByRole('link', { name: 'enter the birth again' }).click();
  await page.waitForURL(`**/registry/records/new?record=${doubled}`);
  assert.is(await page.getByLabel('Chart number').inputValue(), 'MRN-1001-B');
});

pages.browserTest('a record is voided by keyboard', async ({ open }) => {
  const record = await sent(birthBundle({ chartNumber: 'KEYS-1', mother: { family: 'Keys' } }));
  const page = await open('Provider', { at: `/registry/records/${record}/void` });
  await page.getByLabel('Reason for voiding').fill('Entered twice by the night shift');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/registry/records/${record}`);
  await findMessage(page, 'record-voided').waitFor();
});

test('voiding a record that someone has changed meanwhile changes nothing', async () => {
  const { service, members } = pages;
  const record = await sent(birthBundle({ chartNumber: 'MEAN-1', mother: { family: 'Mean' } }));
  const visitor = await signInVisitor(service.url, members.Provider);
  const _csrf = await visitor.csrfToken(`/registry/records/${record}/void`);
  await sent(
    birthBundle({
      chartNumber: 'MEAN-1',
      mother: { family: 'Mean' },
      lastUpdated: '2026-03-20T10:00:00Z',
      children: [{ weight: 3_500 }],
    }),
  );
  const form = { _csrf, version: '1', reason: 'Entered twice' };
  const answer = await visitor.send(`/registry/records/${record}/void`, form);
  assert.is(answer.status, 409);
  assert.match(readMessage(await answer.text(), 'not-voided'), 'version 2.');
  const again = await visitor.send(`/registry/records/${record}/void`, { ...form, version: '2' });
  assert.is(again.status, 303);
});

test('a partner record tells kindly what is not kept, and names its providers', async () => {
  const { service, practice } = pages;
  const token = await newPartnerFeed(service.commands, practice.practiceId);
  const certifier = { identity: 'P-8', name: 'N. van Dijk', qualification: 'MD' };
  const attendant = { identity: 'P-7', name: 'Dr. Noor van Dijk', qualification: 'MD' };
  const record = await sent(
    attendedBirth({ attendant, certifier }, { chartNumber: 'PX-77' }),
    token,
  );
  const page = await pages.visit('Viewer', { at: `/registry/records/${record}` });
  const text = await page.locator('main').innerText();
  assert.match(text, 'Chart number PX-77');
  assert.match(await findMessage(page, 'not-kept').first().innerText(), ': family name');
  assert.match(text, formatSource('fhir_push', 'Maple EHR'));
  assert.match(text, 'Dr. Noor van Dijk');
  assert.equal(await faultsOf(page, 'record-partner'), []);
  const { providers } = service.commands;
  const listed = await providers.list(practice.practiceId);
  const idOf = (identity: string) =>
    listed.find((one) => one.identity === identity)?.providerId ?? '';
  await providers.merge({
    practiceId: practice.practiceId,
    absorbed: idOf('P-8'),
    survivor: idOf('P-7'),
  });
  await page.reload();
  assert.match(
    await page.locator('.history').innerText(),
    'Certifier is now Dr. Noor van Dijk, MD: ',
  );
  await page
    .getByRole('link', { name: /^View this version/ })
    .last()
    .click();
  await page.waitForURL(/at=/);
  assert.is(await page.getByRole('link', { name: 'N. van Dijk, MD', exact: true }).count(), 1);
});

test('of many look-alikes three are named, and the others counted', async () => {
  const alike = (index: number) =>
    birthBundle({ chartNumber: `ALIKE-${index}`, mother: { family: 'Manyalike' } });
  const records: string[] = [];
  for (let index = 0; index < 6; index += 1) records.push(await sent(alike(index)));
  const visitor = await signInVisitor(pages.service.url, pages.members.Provider);
  const page = await (await visitor.send(`/registry/records/${records[0]}`)).text();
  assert.is(page.split('Compare the two').length - 1, 3);
  assert.match(readMessage(page, 'more-alike'), /\b2\b/);
});

/** Versions that a sender in a loop adds to a record: written to the log, because pushing takes longer. */
const resend = async (chartNumber: string, weights: readonly number[]): Promise<void> => {
  const { practiceId } = pages.practice;
  const { stores, registry, close } = await openTestImports(pages.service.settings);
  const stream = recordStream(registry.identity.recordHash(practiceId, chartNumber));
  const stored = (await stores.log.readStream(stream)).filter(isKnown);
  const first = stored[0]?.event.data as RecordVersion;
  const actor = { kind: 'key', id: pages.practice.keyId } as const;
  const events = weights.map((birth_weight_grams, index) => ({
    id: randomUUID(),
    event: {
      type: 'BirthAmended',
      data: {
        ...first,
        version: stored.length + index + 1,
        course: {
          ...first.course,
          children: first.course.children.map((child) => ({ ...child, birth_weight_grams })),
        },
      },
    },
  }));
  const context = { correlationId: 'loop', causationId: null, actor };
  const appended = await stores.log.append(stream, BigInt(stored.length - 1), events, context);
  assert.is(appended.kind, 'appended');
  await eventually('the tables show it', async () => {
    const held = (await registry.reads.loadRecords([stream])).get(stream);
    return held?.expectedRevision === BigInt(stored.length + weights.length - 1);
  });
  await close();
};

test('a record that is sent over and over stays a page of its newest entries', async () => {
  const id = await sent(birthBundle({ chartNumber: 'LOOP-1', mother: { family: 'Again' } }));
  await resend(
    'LOOP-1',
    Array.from({ length: 50 }, () => 3_300),
  );
  const between = new Date().toISOString();
  await resend('LOOP-1', [3_100, ...Array.from({ length: 249 }, () => 3_200)]);
  const path = `/registry/records/${id}`;
  const page = await pages.visit('Admin', { at: path });
  const main = () => page.locator('main').innerText();
  const pageOfList = () => findMessage(page, 'page-of-list').innerText();
  const entries = () => page.locator('.history__list > li').count();
  assert.match(await main(), '3,200 g');
  assert.match(await main(), 'Version 301.');
  assert.match(await pageOfList(), /\b1\b.*\b7$/);
  assert.is(await entries(), 50);
  assert.equal(await faultsOf(page, 'record-of-many-versions'), []);
  const origin = page.locator('#child-1 + dl .values__row', { hasText: 'Birth weight' });
  assert.match(
    (await origin.locator('.values__origin').textContent()) ?? '',
    'From version 82 or earlier',
  );

  await page.goto(`${path}?page=5`);
  assert.match(await pageOfList(), /\b5\b.*\b7$/);
  assert.match(await main(), 'version 53');
  // The change of version 53, compared with the version before it.
  assert.match(await main(), '3,100 g');
  await page.goto(`${path}?page=7`);
  assert.is(await entries(), 1);
  assert.match(await main(), '3,200 g');

  await page.goto(`${path}?at=${between}`);
  assert.match(await main(), '3,300 g');
  assert.match(await findMessage(page, 'later-entries').innerText(), /^250 /);
  assert.match(await pageOfList(), /\b1\b.*\b2$/);
  await page.goto(`${path}?at=2025-01-31`);
  await findMessage(page, 'not-there-yet').waitFor();

  const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
  await pages.service.commands.checkpoint();
  const countProofs = async (file: number): Promise<number> => {
    const answer = await visitor.send(`${path}/proofs?page=${file}`);
    const { proofs } = (await answer.json()) as { readonly proofs: readonly unknown[] };
    return proofs.length;
  };
  assert.equal([await countProofs(1), await countProofs(2)], [200, 101]);
  assert.is((await visitor.send(`${path}/proofs?page=3`)).status, 404);

  await page.goto('/registry');
  assert.match(await main(), describeResent(301, null));
  assert.equal(await faultsOf(page, 'home-sent-over-and-over'), []);
  const viewer = await pages.visit('Viewer', { at: '/registry' });
  assert.not.match(await viewer.locator('main').innerText(), describeResent(301, null));
  await page.goto(`${path}/correct`);
  assert.is(await page.getByLabel('Birth weight').first().inputValue(), '3200 g');
  await page.goto(`${path}/restore?version=2`);
  assert.match(await main(), '3,300 g');
  await page.goto(`${path}/void`);
  await page.getByLabel('Reason').fill('Sent in a loop');
  await page.getByRole('button', { name: 'Void record' }).click();
  await page.waitForURL(new RegExp(`${path}$`));
  await findMessage(page, 'record-voided').waitFor();
  assert.match(await main(), 'Version 302.');
});

test.run();
