import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES } from '../../domain/account/member/events.ts';
import { consoleOf, faultsOf } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { newMember, sharedTestPages } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { fillBirth } from '../support/birth-form.ts';
import { type BirthParts, birthBundle } from '../support/bundles.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const TO_DO = '/registry/to-do';

const rowOf = (page: Page, text: string) => page.locator('tr.work-item').filter({ hasText: text });

/** Sends a birth; unless said otherwise its mother is named after the chart number. */
const sent = (parts: BirthParts & { readonly chartNumber: string }) =>
  push(
    pages.service.url,
    pages.practice.token,
    birthBundle({ mother: { family: `Marin ${parts.chartNumber}` }, ...parts }),
  );

/** The number behind "To do" in the menu. */
const inMenu = async (page: Page): Promise<string> =>
  page.locator('nav.rail a[href="/registry/to-do"]').innerText();

test('only seats that can do something have the list', async () => {
  for (const role of ROLES) {
    const page = await pages.signIn(pages.members[role]);
    const answer = await page.goto(TO_DO);
    assert.is(answer?.status(), role === 'Viewer' ? 403 : 200, role);
    assert.is(
      await page.locator('nav.rail a[href="/registry/to-do"]').count(),
      role === 'Viewer' ? 0 : 1,
    );
    if (role !== 'Viewer') assert.is(await page.locator('h1').innerText(), 'To do');
    assert.equal(await faultsOf(page, `to-do-empty-${role}`), []);
    await page.context().close();
  }
});

test('an odd value stays open until a person confirms it', async () => {
  await sent({ chartNumber: 'ODD-1', children: [{ weight: 9_000, weeks: 24 }] });
  const page = await pages.signIn(pages.members.Provider);
  const messages = consoleOf(page);
  await page.goto('/registry');
  await page.getByRole('link', { name: 'record with unusual values' }).click();
  const row = rowOf(page, 'ODD-1').first();
  assert.match(await row.innerText(), /9,000 g.*babies usually weigh about/s);
  assert.equal(await faultsOf(page, 'to-do-question'), []);
  await row.getByRole('link', { name: /ODD-1/ }).first().click();
  const asked = page.getByRole('region', { name: 'Unusual value' });
  assert.match(await asked.innerText(), /babies usually weigh about/);
  assert.equal(await faultsOf(page, 'record-question'), []);
  await asked.getByRole('button', { name: 'Confirm value' }).click();
  await page.getByText('The values are confirmed.').waitFor();
  assert.is(await asked.count(), 0);
  assert.match(await page.locator('main').innerText(), /Unusual values confirmed by/);
  await page.goto(`${TO_DO}?kind=question`);
  assert.is(await rowOf(page, 'ODD-1').count(), 0);
  // The same again asks nothing; another weight does.
  await sent({ chartNumber: 'ODD-1', children: [{ weight: 9_000, weeks: 24 }] });
  await page.reload();
  assert.is(await rowOf(page, 'ODD-1').count(), 0);
  await sent({ chartNumber: 'ODD-1', children: [{ weight: 8_000, weeks: 24 }] });
  await page.reload();
  await rowOf(page, 'ODD-1')
    .getByRole('button', { name: /Confirm value/ })
    .click();
  await page.getByText('The values are confirmed.').waitFor();
  assert.is(await rowOf(page, 'ODD-1').count(), 0);
  assert.equal(messages, []);
  await page.context().close();
});

test('a rejected record says why and what to do, until it is accepted', async () => {
  await sent({ chartNumber: 'NO-PLACE-1', place: null });
  const page = await pages.signIn(pages.members.Admin);
  await page.goto('/registry');
  await page.getByRole('link', { name: /^records? rejected$/ }).click();
  const row = rowOf(page, 'NO-PLACE-1');
  assert.match(
    await row.innerText(),
    /Chart number NO-PLACE-1.*The place of birth is missing\. Add the place of birth in your EHR/s,
  );
  assert.is(await row.getByRole('link', { name: /^Enter birth/ }).count(), 1);
  await sent({ chartNumber: 'NO-PLACE-1' });
  await page.reload();
  assert.is(await row.count(), 0);
  // Once there is a record, a rejected change to it leads there.
  await sent({ chartNumber: 'NO-PLACE-1', place: null });
  await page.reload();
  await row.getByRole('link', { name: /^Open record/ }).click();
  await page.getByRole('heading', { level: 1, name: /Marin/ }).waitFor();
  await page.context().close();
});

test('what nothing more is done about is dismissed, and can be put back', async () => {
  await sent({ chartNumber: 'NO-PLACE-2', place: null });
  const page = await pages.signIn(pages.members.Admin);
  await page.goto(`${TO_DO}?kind=refused`);
  const row = rowOf(page, 'NO-PLACE-2');
  await row.getByRole('button', { name: /^Dismiss/ }).click();
  await page.getByText('It is dismissed.').waitFor();
  assert.is(await row.count(), 0);
  // Refused once more for the same reason, it stays dismissed.
  await sent({ chartNumber: 'NO-PLACE-2', place: null });
  await page.reload();
  assert.is(await row.count(), 0);
  await page.goto(`${TO_DO}?only=dismissed`);
  assert.equal(await faultsOf(page, 'to-do-dismissed'), []);
  await row.getByRole('button', { name: /^Put back/ }).click();
  await page.getByText('It is on the list again.').waitFor();
  await page.goto(`${TO_DO}?kind=refused`);
  assert.is(await row.count(), 1);
  await page.context().close();
});

test('of two who take the same thing at once, the second hears who has it', async () => {
  const { service, practice, members } = pages;
  const email = `second@${members.Admin.email.split('@')[1]}`;
  const second = await newMember(service, practice.practiceId, 'Provider', email);
  const mother = { family: 'Åström-Villanueva de la Cruz', given: ['María José'] };
  await sent({ chartNumber: 'TWIN-LOOK-1', mother });
  await sent({ chartNumber: 'TWIN-LOOK-2', mother });
  const [ana, ben] = await Promise.all([pages.signIn(members.Admin), pages.signIn(second)]);
  for (const page of [ana, ben]) await page.goto(`${TO_DO}?kind=duplicate`);
  const ofAna = rowOf(ana, 'TWIN-LOOK-2');
  const ofBen = rowOf(ben, 'TWIN-LOOK-2');
  assert.match(await ofAna.innerText(), /May be the same birth as .*TWIN-LOOK-1/s);
  await ofAna.getByRole('button', { name: /^Take/ }).click();
  await ana.getByText('You have taken it.').waitFor();
  assert.match(await ofAna.innerText(), /You\b.*Release/s);
  await ofBen.getByRole('button', { name: /^Take/ }).click();
  await ben.getByText(`${members.Admin.email} has taken this in the meantime.`).waitFor();
  assert.match(await ofBen.innerText(), new RegExp(`${members.Admin.email}.*Take over`, 's'));
  assert.equal(await faultsOf(ben, 'to-do-taken'), []);
  await ana.getByRole('link', { name: /^Mine/ }).click();
  assert.is(await rowOf(ana, 'TWIN-LOOK-2').count(), 1);
  await ofBen.getByRole('button', { name: /^Take over/ }).click();
  await ben.getByText('You have taken it.').waitFor();
  await ana.reload();
  assert.is(await rowOf(ana, 'TWIN-LOOK-2').count(), 0);
  await ofBen.getByRole('button', { name: /^Release/ }).click();
  await ben.getByText('It is free for others.').waitFor();
  assert.match(await ofBen.innerText(), /Not taken/);
  await ofBen.getByRole('link', { name: /^Compare/ }).click();
  await ben.getByRole('heading', { level: 1, name: 'Duplicates' }).waitFor();
  await Promise.all([ana.context().close(), ben.context().close()]);
});

test('what a record lacks is told by section, due and late as the practice wants it', async () => {
  const { service, practice, members } = pages;
  const page = await pages.signIn(members.Admin);
  await sent({ chartNumber: 'GAPS-1' });
  await service.commands.practices.setCompleteness(practice.practiceId, {
    neededItems: ['education', 'wic', 'sex'],
    daysUntilDue: 5,
  });
  await eventually('the practice’s own items count', async () => {
    await page.goto(`${TO_DO}?kind=missing&only=late`);
    return (await rowOf(page, 'GAPS-1').count()) === 1;
  });
  const text = await rowOf(page, 'GAPS-1').innerText();
  assert.match(text, /Mother: Mother’s education/);
  assert.match(text, /days late/);
  assert.equal(await faultsOf(page, 'to-do-missing'), []);
  await rowOf(page, 'GAPS-1')
    .getByRole('link', { name: /^Complete/ })
    .click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto(TO_DO);
  assert.equal(await faultsOf(page, 'to-do'), []);
  assert.match(await inMenu(page), /^To do \d+$/);
  await page.context().close();
});

test('a person finds their own drafts, and nobody else does', async () => {
  const scribe = await pages.signIn(pages.members.Scribe);
  await scribe.goto('/registry/records/new');
  await fillBirth(scribe, { 'mother.family_name': 'Draftwell' });
  await scribe.getByText('Draft kept').waitFor();
  await scribe.goto(TO_DO);
  assert.match(await scribe.locator('main').innerText(), /Birth in progress:\s+Draftwell/);
  assert.is(await scribe.locator('tr.work-item').count(), 0);
  assert.equal(await faultsOf(scribe, 'to-do-drafts'), []);
  await scribe.goto('/registry');
  await scribe.getByRole('link', { name: 'Continue' }).click();
  assert.is(await scribe.locator('[name="mother.family_name"]').inputValue(), 'Draftwell');
  const admin = await pages.signIn(pages.members.Admin);
  await admin.goto(TO_DO);
  assert.not.match(await admin.locator('main').innerText(), /Draftwell/);
  await Promise.all([scribe.context().close(), admin.context().close()]);
});

test.run();
