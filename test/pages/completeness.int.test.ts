import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatRefusal } from '../../api/commands/refusal-messages.ts';
import { describeDue } from '../../api/pages/administration/practice-settings/practice-settings-router.tsx';
import { formatDate } from '../../api/pages/text/format-dates.ts';
import { BORN, DELIVERED, formatMother } from '../../api/pages/text/record-titles.ts';
import { REASON_TEXT, SECTION_TEXT, WORKSHEET_TEXT } from '../../api/pages/text/section-text.ts';
import { DAYS_UNTIL_DUE } from '../../domain/course/missing-items.ts';
import { toDate, toDayNumber } from '../../domain/fhir/dates.ts';
import { choose } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { sendBirth } from '../harness/service.ts';
import { findMessage } from '../harness/test-page.ts';
import { saveCorrection } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const PAGE = '/registry/practice/completeness';
const sent = (bundle: unknown, token?: string): Promise<string> => sendBirth(pages, bundle, token);

test('an Admin chooses what a record needs, and until when; other seats may not', async () => {
  for (const who of ['Provider', 'Viewer', 'Scribe'] as const) {
    const visitor = await signInVisitor(pages.service.url, pages.members[who]);
    assert.is((await visitor.send(PAGE)).status, 403, who);
  }
  const page = await pages.visit('Admin', { at: '/registry/practice' });
  assert.match(await page.locator('main').innerText(), describeDue(null));
  await page.getByRole('link', { name: 'Choose what a record needs' }).click();
  assert.ok(await page.getByLabel('Birth weight').isChecked());
  assert.not(await page.getByLabel('WIC during pregnancy').isChecked());
  assert.equal(await faultsOf(page, 'completeness'), []);

  await page.getByLabel('Days after the birth').fill('400');
  await page.getByLabel('WIC during pregnancy').check();
  await page.getByRole('button', { name: 'Save' }).click();
  assert.match(
    await page.locator('.error-summary').innerText(),
    formatRefusal({
      code: 'days-out-of-range',
      least: DAYS_UNTIL_DUE.from,
      most: DAYS_UNTIL_DUE.to,
    }),
  );
  assert.ok(await page.getByLabel('WIC during pregnancy').isChecked());
  assert.is(await page.getByLabel('Days after the birth').inputValue(), '400');
  assert.equal(await faultsOf(page, 'completeness-wrong'), []);

  await page.getByLabel('Days after the birth').fill('5');
  await page.getByLabel('Plurality').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.notice--success').waitFor();
  assert.ok(await page.getByLabel('WIC during pregnancy').isChecked());
  assert.not(await page.getByLabel('Plurality').isChecked());
  await page.goto('/registry/practice');
  assert.match(await page.locator('main').innerText(), describeDue(5));
});

test('a record says what it lacks, by section and worksheet, and leads to the field', async () => {
  const record = await sent(
    birthBundle({ chartNumber: 'LACKS-1', mother: { family: 'Lacks', given: ['Ana'] } }),
  );
  const page = await pages.visit('Provider', { at: `/registry/records/${record}` });
  const missing = page.locator('.missing');
  const text = (await missing.innerText()).replaceAll(/\s+/g, ' ');
  assert.match(text, `Missing: ${await missing.locator('dd p > span').count()} items`);
  assert.match(text, 'Due Mar 17, 2026');
  assert.match(text, /[\d,]+ days late/);
  assert.match(text, `${SECTION_TEXT.pregnancy} ${WORKSHEET_TEXT.mother}: WIC during pregnancy`);
  assert.match(text, `${SECTION_TEXT.birth} ${WORKSHEET_TEXT.facility}: Delivery method`);
  for (const words of ['Plurality', 'Apgar at 10']) assert.not.match(text, words);
  assert.equal(await faultsOf(page, 'record-missing'), []);
  await missing.getByRole('link', { name: 'WIC during pregnancy' }).click();
  await page.waitForURL(/\/correct#field-wic$/);
  assert.ok(await page.locator('[name="wic"]').first().isVisible());
  await choose(page.getByLabel('Yes').and(page.locator('[name="wic"]')));
  await saveCorrection(page);
  await page.waitForURL(`**/registry/records/${record}`);
  assert.not.match(await missing.innerText(), 'WIC');

  const viewer = await pages.visit('Viewer', { at: `/registry/records/${record}` });
  assert.match(await viewer.locator('.missing').innerText(), 'Delivery method');
  assert.is(await viewer.locator('.missing a').count(), 0);
});

test('a record of a partner is not asked for what is not kept, a fetal death not for its Apgar score', async () => {
  const token = await newPartnerFeed(pages.service.commands, pages.practice.practiceId);
  const masked = await sent(attendedBirth({}, { chartNumber: 'LACKS-PX' }), token);
  const lost = await sent(
    birthBundle({
      chartNumber: 'LACKS-FD',
      mother: { family: 'Quietly', given: ['Eve'] },
      children: [{ profile: 'Patient-decedent-fetus', given: [] }],
    }),
  );
  const page = await pages.visit('Admin', { at: `/registry/records/${masked}` });
  const text = await page.locator('.missing').innerText();
  assert.match(text, 'Delivery method');
  for (const words of ['name', 'Mother’s date of birth', 'Time of birth'])
    assert.not.match(text, words);
  assert.match(
    await page.locator('main').innerText(),
    formatMother({ motherName: null, keyKind: 'partner' }),
  );

  await page.goto(`/registry/records/${lost}`);
  const lacks = await page.locator('.missing').innerText();
  for (const words of ['Apgar', 'Child’s name']) assert.not.match(lacks, words);
  const top = (await page.locator('.record__summary').innerText()).replaceAll(/\s+/g, ' ');
  assert.match(top, 'Active Fetal death');
  assert.match(top, DELIVERED);
  assert.not.match(top, BORN);
  assert.equal(await faultsOf(page, 'record-fetal-death'), []);
  await page.goto('/registry/records');
  const row = page.getByRole('row', { name: 'Quietly' });
  assert.match(await row.innerText(), DELIVERED);
  assert.match(await row.innerText(), 'Fetal death');
  for (const list of ['/registry/births', '/registry'])
    await eventually(`${list} names the fetal death`, async () => {
      await page.goto(list);
      const rows = await page.getByRole('row', { name: 'Quietly' }).allInnerTexts();
      return rows.length === 1 && rows[0]?.includes('Fetal death') === true;
    });
});

test('an item that will not be known, or not yet, is no longer to do, until that is undone', async () => {
  const record = await sent(
    birthBundle({
      chartNumber: 'NEVER-1',
      mother: { family: 'Never', given: ['Eva'] },
      children: [{ given: [] }],
    }),
  );
  const at = `/registry/records/${record}`;
  const page = await pages.visit('Provider', { at: '/registry/to-do?kind=missing' });
  const row = page.locator('tr.work-item').filter({ hasText: 'Never' });
  assert.match(await row.innerText(), 'Delivery method');
  await row.getByRole('link', { name: 'Not available?' }).click();
  await page.waitForURL(`**${at}#missing`);
  const missing = page.locator('.missing');
  const excused = page.getByRole('region', { name: 'Not available' });
  const open = async () => {
    await missing.getByText('Mark items that are not available').click();
    assert.ok(await missing.getByRole('group', { name: 'Which items?' }).isVisible());
  };
  const before = await missing.locator('dd p > span').count();

  await open();
  assert.equal(await faultsOf(page, 'record-mark-missing'), []);
  await missing.getByRole('button', { name: REASON_TEXT.unobtainable }).click();
  assert.match(await page.locator('main').innerText(), formatRefusal({ code: 'no-item-chosen' }));

  await open();
  await missing.getByLabel('Delivery method').check();
  await missing.getByRole('button', { name: REASON_TEXT.unobtainable }).click();
  await findMessage(page, 'item-marked').waitFor();
  assert.is(await missing.locator('dd p > span').count(), before - 1);
  assert.match(
    await excused.innerText(),
    new RegExp(`Delivery method: will not be known\\. Marked by ${pages.members.Provider.email}`),
  );

  await open();
  await missing.getByLabel('Child’s name').check();
  await missing.getByRole('button', { name: REASON_TEXT.awaited }).click();
  assert.match(
    await page.locator('main').innerText(),
    formatRefusal({ code: 'expected-day-out-of-range' }),
  );
  await open();
  await missing.getByLabel('Child’s name').check();
  const day = toDate(toDayNumber(new Date().toISOString().slice(0, 10)) + 7);
  await missing.getByLabel('Expected on').fill(day);
  await missing.getByRole('button', { name: REASON_TEXT.awaited }).click();
  await findMessage(page, 'item-marked').waitFor();
  assert.match(
    await excused.innerText(),
    `Child’s name: not available yet, expected on ${formatDate(day)}.`,
  );
  assert.equal(await faultsOf(page, 'record-not-available'), []);
  const main = await page.locator('main').innerText();
  for (const words of [
    `Delivery method marked “${REASON_TEXT.unobtainable}” by `,
    `Child’s name marked “${REASON_TEXT.awaited}” until ${formatDate(day)} by `,
  ])
    assert.match(main, words);

  await page.goto('/registry/to-do?kind=missing');
  for (const words of ['Delivery method', 'Child’s name'])
    assert.not.match(await row.innerText(), words);
  assert.equal(await statedIn(record), ['asked-unknown', 'temp-unknown']);

  const viewer = await pages.visit('Viewer', { at });
  assert.match(await viewer.locator('main').innerText(), 'Delivery method: will not be known');
  assert.is(await viewer.locator('main').getByRole('button', { name: 'Undo' }).count(), 0);

  await page.goto(at);
  await excused.getByRole('button', { name: 'Undo Delivery method' }).click();
  await findMessage(page, 'item-needed').waitFor();
  assert.match(await missing.innerText(), 'Delivery method');
  assert.not.match(await excused.innerText(), 'Delivery method');
  await page.goto('/registry/to-do?kind=missing');
  assert.match(await row.innerText(), 'Delivery method');
});

/** Reasons in the exported document of a record, apart from those that nobody gave. */
const statedIn = async (record: string): Promise<readonly string[]> => {
  const admin = await signInVisitor(pages.service.url, pages.members.Admin);
  const _csrf = await admin.csrfToken('/registry');
  const answer = await admin.send(`/registry/export?record=${record}`, { _csrf, format: 'json' });
  const text = await answer.text();
  return ['asked-unknown', 'temp-unknown'].filter((reason) => text.includes(`"${reason}"`));
};

test.run();
