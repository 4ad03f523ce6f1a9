import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatRejection } from '../../api/pages/to-do/rejection-text.ts';
import { describeTaker, WORK_DONE } from '../../api/pages/to-do/to-do-router.tsx';
import { PLACE_OF_BIRTH_REQUIRED } from '../../domain/course/rejections.ts';
import { ROLES } from '../../domain/roles.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { newMember, sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { findMessage, type TestPage } from '../harness/test-page.ts';
import { fillBirth } from '../support/birth-form.ts';
import { type BirthParts, birthBundle } from '../support/bundles.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const TO_DO = '/registry/to-do';

const rowOf = (page: TestPage, text: string) =>
  page.locator('tr.work-item').filter({ hasText: text });

/** Sends a birth; unless said otherwise its mother is named after the chart number. */
const sent = (parts: BirthParts & { readonly chartNumber: string }) =>
  push(
    pages.service.url,
    pages.practice.token,
    birthBundle({ mother: { family: `Marin ${parts.chartNumber}` }, ...parts }),
  );

/** The number behind "To do" in the menu. */
const inMenu = async (page: TestPage): Promise<string> =>
  page.locator('nav.rail a[href="/registry/to-do"]').innerText();

pages.pageTest('only seats that can do something have the list', { as: 'visitor' }, async () => {
  for (const role of ROLES) {
    const page = await pages.visit(role, { at: TO_DO });
    const answer = await page.request.get(TO_DO);
    assert.is(answer.status(), role === 'Viewer' ? 403 : 200, role);
    assert.is(
      await page.locator('nav.rail a[href="/registry/to-do"]').count(),
      role === 'Viewer' ? 0 : 1,
    );
    if (role !== 'Viewer') assert.is(await page.locator('h1').innerText(), 'To do');
    assert.equal(await faultsOf(page, `to-do-empty-${role}`), []);
  }
});

const sendOdd = () => sent({ chartNumber: 'ODD-1', children: [{ weight: 9_000, weeks: 24 }] });
/** Begins what is asked about such a weight. */
const ODD_WEIGHT = 'At 24 weeks babies usually weigh about';

pages.pageTest(
  'an odd value stays open until a person confirms it',
  { as: 'Provider', at: '/registry', given: sendOdd },
  async ({ page }) => {
    await page.getByRole('link', { name: 'record with unusual values' }).click();
    const row = rowOf(page, 'ODD-1').first();
    for (const text of ['9,000 g', ODD_WEIGHT])
      assert.ok(await row.getByText(text).first().isVisible(), text);
    assert.equal(await faultsOf(page, 'to-do-question'), []);
    await row.getByRole('link', { name: 'ODD-1' }).first().click();
    const asked = page.getByRole('region', { name: 'Unusual value' });
    await asked.getByText(ODD_WEIGHT).waitFor();
    assert.equal(await faultsOf(page, 'record-question'), []);
    await asked.getByRole('button', { name: 'Confirm value' }).click();
    await findMessage(page, 'values-confirmed').waitFor();
    assert.is(await asked.count(), 0);
    const confirmed = `Unusual values confirmed by ${pages.members.Provider.email}`;
    assert.is(await page.locator('main').getByText(confirmed).count(), 1);
    await page.goto(`${TO_DO}?kind=question`);
    assert.is(await rowOf(page, 'ODD-1').count(), 0);
    // The same again asks nothing; another weight does, until it could not be verified.
    await sendOdd();
    await page.reload();
    assert.is(await rowOf(page, 'ODD-1').count(), 0);
    await sent({ chartNumber: 'ODD-1', children: [{ weight: 8_000, weeks: 24 }] });
    await page.reload();
    await rowOf(page, 'ODD-1').getByRole('button', { name: 'Confirm value' }).click();
    await findMessage(page, 'values-confirmed').waitFor();
    assert.is(await rowOf(page, 'ODD-1').count(), 0);
    await sent({ chartNumber: 'ODD-1', children: [{ weight: 7_000, weeks: 24 }] });
    await page.reload();
    await rowOf(page, 'ODD-1').getByRole('link', { name: 'ODD-1' }).first().click();
    await asked.getByRole('button', { name: 'Could not be verified' }).click();
    await findMessage(page, 'values-unverified').waitFor();
    assert.is(await asked.count(), 0);
  },
);

pages.pageTest(
  'a rejected record says why and what to do, until it is accepted',
  { as: 'Admin', at: '/registry', given: () => sent({ chartNumber: 'NO-PLACE-1', place: null }) },
  async ({ page }) => {
    await page.getByRole('link', { name: 'record rejected', exact: true }).click();
    const row = rowOf(page, 'NO-PLACE-1');
    const { reason, remedy } = formatRejection(PLACE_OF_BIRTH_REQUIRED);
    for (const text of ['Chart number NO-PLACE-1', `${reason} ${remedy}`])
      assert.ok(await row.getByText(text).first().isVisible(), text);
    assert.is(await row.getByRole('link', { name: 'Enter birth' }).count(), 1);
    await sent({ chartNumber: 'NO-PLACE-1' });
    await page.reload();
    assert.is(await row.count(), 0);
    // Once there is a record, a rejected change to it leads there.
    await sent({ chartNumber: 'NO-PLACE-1', place: null });
    await page.reload();
    await row.getByRole('link', { name: 'Open record' }).click();
    await page.getByRole('heading', { level: 1, name: 'Marin' }).waitFor();
  },
);

pages.pageTest(
  'what nothing more is done about is dismissed, and can be put back',
  {
    as: 'Admin',
    at: `${TO_DO}?kind=refused`,
    given: () => sent({ chartNumber: 'NO-PLACE-2', place: null }),
  },
  async ({ page }) => {
    const row = rowOf(page, 'NO-PLACE-2');
    await row.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText(WORK_DONE.dismiss).waitFor();
    assert.is(await row.count(), 0);
    // Refused once more for the same reason, it stays dismissed.
    await sent({ chartNumber: 'NO-PLACE-2', place: null });
    await page.reload();
    assert.is(await row.count(), 0);
    await page.goto(`${TO_DO}?only=dismissed`);
    assert.equal(await faultsOf(page, 'to-do-dismissed'), []);
    await row.getByRole('button', { name: 'Put back' }).click();
    await page.getByText(WORK_DONE.reopen).waitFor();
    await page.goto(`${TO_DO}?kind=refused`);
    assert.is(await row.count(), 1);
  },
);

pages.pageTest(
  'of two who take the same thing at once, the second hears who has it',
  { as: 'Admin' },
  async ({ page: ana }) => {
    const { service, practice, members } = pages;
    const email = `second@${members.Admin.email.split('@')[1]}`;
    const second = await newMember(service, practice.practiceId, 'Provider', email);
    const mother = { family: 'Åström-Villanueva de la Cruz', given: ['María José'] };
    await sent({ chartNumber: 'TWIN-LOOK-1', mother });
    await sent({ chartNumber: 'TWIN-LOOK-2', mother });
    await ana.goto(`${TO_DO}?kind=duplicate`);
    const ben = await pages.visit(second, { at: `${TO_DO}?kind=duplicate` });
    const ofAna = rowOf(ana, 'TWIN-LOOK-2');
    const ofBen = rowOf(ben, 'TWIN-LOOK-2');
    assert.ok(
      await ofAna
        .getByText('May be the same birth as')
        .filter({ hasText: 'TWIN-LOOK-1' })
        .first()
        .isVisible(),
    );
    await ofAna.getByRole('button', { name: 'Assign to me' }).click();
    await ana.getByText(WORK_DONE.take).waitFor();
    assert.is(await ofAna.getByRole('cell', { name: 'You', exact: true }).count(), 1);
    assert.is(await ofAna.getByRole('button', { name: 'Unassign' }).count(), 1);
    await ofBen.getByRole('button', { name: 'Assign to me' }).click();
    await ben.getByText(describeTaker(members.Admin.email)).waitFor();
    assert.is(await ofBen.getByRole('cell', { name: members.Admin.email, exact: true }).count(), 1);
    assert.is(await ofBen.getByRole('button', { name: 'Take over' }).count(), 1);
    assert.equal(await faultsOf(ben, 'to-do-taken'), []);
    await ana.getByRole('link', { name: 'Mine' }).click();
    assert.is(await rowOf(ana, 'TWIN-LOOK-2').count(), 1);
    await ofBen.getByRole('button', { name: 'Take over' }).click();
    await ben.getByText(WORK_DONE.take).waitFor();
    await ana.reload();
    assert.is(await rowOf(ana, 'TWIN-LOOK-2').count(), 0);
    await ofBen.getByRole('button', { name: 'Unassign' }).click();
    await ben.getByText(WORK_DONE.release).waitFor();
    assert.is(await ofBen.getByRole('cell', { name: 'Unassigned', exact: true }).count(), 1);
    await ofBen.getByRole('link', { name: 'Compare' }).click();
    await ben.getByRole('heading', { level: 1, name: 'Duplicates' }).waitFor();
  },
);

pages.pageTest(
  'what a record lacks is told by section, due and late as the practice wants it',
  { as: 'Admin', at: TO_DO },
  async ({ page }) => {
    const { service, practice } = pages;
    await sent({ chartNumber: 'GAPS-1' });
    await service.commands.practices.setCompleteness(practice.practiceId, {
      neededItems: ['education', 'wic', 'sex'],
      daysUntilDue: 5,
    });
    await eventually('the practice’s own items count', async () => {
      await page.goto(`${TO_DO}?kind=missing&only=late`);
      return (await rowOf(page, 'GAPS-1').count()) === 1;
    });
    const gaps = rowOf(page, 'GAPS-1');
    for (const text of ['Mother: Mother’s education', 'days late'])
      assert.ok(await gaps.getByText(text).first().isVisible(), text);
    assert.equal(await faultsOf(page, 'to-do-missing'), []);
    await gaps.getByRole('link', { name: 'Complete' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(TO_DO);
    assert.equal(await faultsOf(page, 'to-do'), []);
    assert.match(await inMenu(page), /^To do \d+$/);
  },
);

pages.scriptTest(
  'a person finds their own drafts, and nobody else does',
  { as: 'Scribe', at: '/registry/records/new' },
  async ({ page: scribe, open }) => {
    await fillBirth(scribe, { 'mother.family_name': 'Draftwell' });
    await scribe.getByText('Draft saved').waitFor();
    await scribe.goto(TO_DO);
    const draft = (page: TestPage) => page.locator('main').getByText('Draftwell').first();
    assert.ok(await draft(scribe).isVisible());
    assert.ok(await scribe.getByText('Unfinished entry').first().isVisible());
    assert.is(await scribe.locator('tr.work-item').count(), 0);
    assert.equal(await faultsOf(scribe, 'to-do-drafts'), []);
    await scribe.goto('/registry');
    await scribe.getByRole('link', { name: 'Continue' }).click();
    assert.is(await scribe.locator('[name="mother.family_name"]').inputValue(), 'Draftwell');
    assert.is(await draft(await open('Admin', { at: TO_DO })).count(), 0);
  },
);

/** Times that the service has counted what this practice has to do, for a menu. */
const countsForMenus = (): { readonly made: () => number; readonly stop: () => void } => {
  const { query } = Client.prototype;
  let made = 0;
  Client.prototype.query = function (this: Client, ...sent: readonly unknown[]) {
    const told = JSON.stringify(sent.filter((one) => typeof one !== 'function'));
    if (told.includes('select count(*) as total,') && told.includes(pages.practice.practiceId))
      made += 1;
    return Reflect.apply(query, this, sent);
  } as typeof query;
  return {
    made: () => made,
    stop: () => {
      Client.prototype.query = query;
    },
  };
};

test('an answer without a menu counts nothing for one', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Provider);
  const fields = { _csrf: await visitor.csrfToken('/registry'), 'mother.family_name': 'Amaral' };
  const at = '/registry/records/check';
  const counts = countsForMenus();
  try {
    for (const submission of [randomUUID(), randomUUID()]) {
      const kept = await visitor.send(at, { ...fields, submission });
      assert.is(kept.status, 200);
      assert.match(kept.headers.get('content-type') ?? '', 'json');
    }
    const searched = await visitor.send('/registry/records', { ...fields, words: 'Amaral' });
    assert.is(searched.status, 303);
    assert.is(counts.made(), 0);
    assert.is((await visitor.send(TO_DO)).status, 200);
    assert.is(counts.made(), 1);
  } finally {
    counts.stop();
  }
});

test.run();
