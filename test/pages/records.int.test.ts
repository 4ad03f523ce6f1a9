import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_BIRTHS } from '../../api/pages/layout/no-records-yet.tsx';
import { parseRecordQuery } from '../../api/pages/parts/record-query.ts';
import { describeBirths, describeNoBirth } from '../../api/pages/records/list/births-page.tsx';
import {
  describeFound,
  describeNoMatch,
  NO_RECORDS,
} from '../../api/pages/records/list/records-page.tsx';
import { birthWeightInWords } from '../../domain/format-measures.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  newVisitor,
  RECORD,
  sharedTestPages,
  signInHere,
  signInVisitor,
  type TestAccount,
  type TestVisitor,
} from '../harness/pages.ts';
import { newPractice, sendBirth } from '../harness/service.ts';
import { findMessage } from '../harness/test-page.ts';
import { fillBirth, recordBirth } from '../support/birth-form.ts';
import { birthBundle, twinsBundle } from '../support/bundles.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';
import { submit } from '../support/sent-forms.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

/** Signs in with plain HTTP. */
const visitorOf = async (account: TestAccount) => {
  const visitor = await signInVisitor(pages.service.url, account);
  return visitor;
};

const RECORDS = '/registry/records';
const FIND_FIELD = 'Name, date of birth';

const sent = (bundle: unknown, token?: string): Promise<string> => sendBirth(pages, bundle, token);

/** What is typed into the search of a page leads to the only record that it finds. */
const opensRecord = async (
  visitor: TestVisitor,
  path: string,
  { typed, record }: { readonly typed: string; readonly record: string },
): Promise<void> => {
  const search = path === RECORDS ? 'class="search ' : 'class="bar__find no-print"';
  const found = await submit(visitor, path, { q: typed }, search);
  const { headers } = await visitor.send(found.headers.get('location') ?? '');
  const places = [found.headers.get('location'), headers.get('location')];
  assert.ok(places.includes(`/registry/records/${record}`), `${typed}: ${places}`);
};

pages.pageTest(
  'an empty practice is told what to do',
  { as: 'Admin', at: RECORDS },
  async ({ page }) => {
    await page.getByText(NO_RECORDS).waitFor();
    assert.equal(await faultsOf(page, 'records-empty'), []);
    await page.goto('/registry/births');
    await page.getByText(NO_BIRTHS).waitFor();
    assert.equal(await faultsOf(page, 'births-empty'), []);
  },
);

pages.pageTest(
  'three letters of a name or the end of a chart number find a record, Enter opens the only hit',
  { as: 'Viewer' },
  async ({ page }) => {
    const astrom = await sent(twinsBundle(2_405, '2026-03-12T12:00:00Z'));
    await sent(birthBundle({ chartNumber: 'MRN-1001' }));
    await sent(
      birthBundle({
        chartNumber: 'MRN-2001',
        mother: { family: 'Marín', given: ['Ana'] },
        children: [
          { given: ['Rosalind'], birthTime: '2026-04-02T23:50:00-04:00', birthDate: '2026-04-02' },
        ],
      }),
    );
    await page.goto(RECORDS);
    await page.getByLabel(FIND_FIELD).fill('mar 001');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=/);
    // Nothing that was typed, in whatever form: the address is sealed.
    assert.not.match(decodeURIComponent(page.url()), /mar|001/i);
    await page.getByText(describeFound(2, false, true)).waitFor();
    const foundBy = 'Mother’s name; chart number ends with 001';
    assert.is(await page.getByRole('cell', { name: foundBy, exact: true }).count(), 2);
    assert.equal(await faultsOf(page, 'records-found'), []);
    await page.goto(RECORDS);
    await page.getByLabel(FIND_FIELD).fill('astr');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/registry/records/${astrom}`);
    const viewer = await visitorOf(pages.members.Viewer);
    for (const typed of ['ZOE', '0417', 'av-2026'])
      await opensRecord(viewer, RECORDS, { typed, record: astrom });
    await page.goto(RECORDS);
    await page.getByLabel(FIND_FIELD).fill("%_'\\ zz");
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=/);
    const typed = { text: "%_'\\ zz", sealed: '' };
    await page.getByText(describeNoMatch(parseRecordQuery(() => '', typed, 1))).waitFor();
    assert.equal(await faultsOf(page, 'records-none-found'), []);
  },
);

pages.scriptTest(
  'a record is found from any page by date of birth, record number and name, without script too',
  { as: 'Provider' },
  async ({ page: phone }) => {
    const record = await sent(
      birthBundle({
        chartNumber: 'BORN-1',
        mother: { family: 'Birthday', given: ['Bea'], birthDate: '1991-07-04' },
        children: [
          { given: ['Bo'], birthTime: '2026-01-02T10:00:00-05:00', birthDate: '2026-01-02' },
        ],
      }),
    );
    const [beginning = ''] = record.split('-');
    const at = '/registry/statistics';
    await phone.goto(at);
    for (const page of [phone, await pages.visit('Viewer', { at })]) {
      await page.getByRole('searchbox', { name: 'Find a record', exact: true }).fill('7/4/1991');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/registry/records/${record}`);
    }
    const viewer = await visitorOf(pages.members.Viewer);
    for (const typed of ['Jan 2, 2026', 'birthday 2026-01-02', beginning, record, 'bea'])
      await opensRecord(viewer, at, { typed, record });
    for (const width of [390, 320]) {
      await phone.setViewportSize({ width, height: 800 });
      await phone.goto('/registry/statistics');
      assert.not(await phone.locator('.bar__find').isVisible());
      await phone.getByText('Menu').click();
      const find = phone.getByRole('searchbox', { name: 'Find a record', exact: true });
      assert.ok(((await find.boundingBox())?.width ?? 0) > width / 2, `at ${width}`);
      await find.fill('7/4/1991');
      await phone.keyboard.press('Enter');
      await phone.waitForURL(`**/registry/records/${record}`);
    }
  },
);

test('a seat that may not read records has nothing to find them by, nor have the staff', async () => {
  for (const [who, path] of [
    [pages.members.Scribe, '/registry'],
    [pages.staff, '/staff'],
  ] as const) {
    const html = await (await (await visitorOf(who)).send(path)).text();
    assert.not(html.includes('Find a record'), path);
  }
});

const sendToFeed = async () => {
  const token = await newPartnerFeed(pages.service.commands, pages.practice.practiceId);
  await sent(attendedBirth({}, { chartNumber: 'PX-77' }), token);
};

pages.pageTest(
  'the births log shows live births by month, and a year alone at the end of its year',
  { as: 'Provider', at: '/registry/births', given: sendToFeed },
  async ({ page }) => {
    const headings = await page.locator('h2').allInnerTexts();
    assert.is(headings[0], 'April 2026');
    assert.ok(headings.indexOf('2026, exact date unknown') > headings.indexOf('March 2026'));
    assert.is(await page.getByText(birthWeightInWords(2_405), { exact: true }).count(), 1);
    assert.equal(await faultsOf(page, 'births'), []);
    await page.getByLabel('Year').selectOption('2026');
    await page.getByRole('button', { name: 'Show births' }).click();
    await page.waitForURL(/year=2026/);
    const found = await page.locator('tbody tr').count();
    await page.getByText(describeBirths({ found, isMore: false, year: 2026 })).waitFor();
    await page.goto('/registry/births?year=1999');
    await page.getByText(describeNoBirth(1999)).waitFor();
    assert.equal(await faultsOf(page, 'births-none'), []);
  },
);

test('a seat that may not read gets 403, another practice 404, and a Viewer voids nothing', async () => {
  const { service, members } = pages;
  const other = await newPractice(service.commands);
  const foreign = await sent(birthBundle({ chartNumber: 'FOREIGN-1' }), other.token);
  const own = await sent(birthBundle({ chartNumber: 'OWN-1', mother: { family: 'Owner' } }));
  const visitors: Partial<Record<keyof typeof members, TestVisitor>> = {};
  const status = async (who: keyof typeof members, path: string): Promise<number> => {
    visitors[who] ??= await visitorOf(members[who]);
    return (await visitors[who].send(path)).status;
  };
  for (const path of ['/registry/records', '/registry/births', `/registry/records/${own}`])
    assert.is(await status('Scribe', path), 403, path);
  assert.is(await status('Viewer', `/registry/records/${own}/void`), 403);
  assert.is(await status('Admin', `/registry/records/${foreign}`), 404);
  assert.is(await status('Admin', `/registry/records/${foreign}/void`), 404);
  assert.is(await status('Admin', '/registry/records/none-such'), 404);
  const viewer = await visitorOf(members.Viewer);
  const _csrf = await viewer.csrfToken('/registry');
  const form = { _csrf, version: '1', reason: 'No reason at all' };
  assert.is((await viewer.send(`/registry/records/${own}/void`, form)).status, 403);
});

test('a page beyond the last leads to the last, and keeps the query', async () => {
  const visitor = await visitorOf(pages.members.Viewer);
  const _csrf = await visitor.csrfToken('/registry/records');
  const found = await visitor.send('/registry/records', { _csrf, q: 'mar', state: 'live' });
  const address = found.headers.get('location') ?? '';
  const beyond = await visitor.send(`${address}&page=99`);
  assert.is(beyond.status, 303);
  assert.is(beyond.headers.get('location'), address);
  assert.is((await visitor.searchRecords({ q: '\u0000\u{1F600}' })).status, 200);
  for (const list of ['records', 'births']) {
    const farthest = await visitor.send(`/registry/${list}?page=${Number.MAX_SAFE_INTEGER}`);
    assert.is(farthest.headers.get('location'), `/registry/${list}`);
  }
});

pages.pageTest(
  'a search is found again by Back and a bookmark until the session ends, by nobody else',
  { as: 'Viewer', newSession: true },
  async ({ page }) => {
    for (const chartNumber of ['KEPT-1', 'KEPT-2'])
      await sent(birthBundle({ chartNumber, mother: { family: 'Quillfeather' } }));
    await page.goto(RECORDS);
    await page.getByLabel(FIND_FIELD).fill('quillf');
    await page.getByRole('button', { name: 'Find records' }).click();
    await page.waitForURL(/search=/);
    const bookmark = page.url();
    const isFound = () => page.getByText(describeFound(2, false, true)).isVisible();
    assert.ok(await isFound());
    assert.is(await page.getByLabel(FIND_FIELD).inputValue(), 'quillf');
    await page.goto('/registry/births');
    await page.goBack();
    assert.ok(await isFound());
    await page.reload();
    assert.ok(await isFound());
    await page.goto(bookmark);
    assert.ok(await isFound());

    // Whoever gets the address by another way learns nothing of it.
    const other = await visitorOf(pages.members.Viewer);
    const elsewhere = await (
      await other.send(new URL(bookmark).pathname + new URL(bookmark).search)
    ).text();
    assert.ok(elsewhere.includes('data-message="search-expired"'));
    assert.not(elsewhere.includes('quillf'));

    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInHere(page, pages.members.Viewer);
    await page.waitForURL(/registry$/);
    await page.goto(bookmark);
    await findMessage(page, 'search-expired').waitFor();
    assert.equal(await faultsOf(page, 'records-search-over'), []);
  },
);

test('a name in an address of before leaves it at once', async () => {
  const visitor = await visitorOf(pages.members.Viewer);
  for (const place of ['records', 'providers']) {
    const answer = await visitor.send(`/registry/${place}?q=Quillfeather&page=2`);
    assert.is(answer.status, 303);
    assert.match(answer.headers.get('location') ?? '', new RegExp(`^/registry/${place}\\?search=`));
    assert.not.match(answer.headers.get('location') ?? '', /quillf/i);
  }
  const stranger = newVisitor(pages.service.url);
  const turnedAway = await stranger.send('/registry/records?q=Quillfeather&state=live');
  assert.is(
    turnedAway.headers.get('location'),
    `/sign-in?next=${encodeURIComponent('/registry/records?state=live')}`,
  );
});

pages.scriptTest(
  'no address and no Referer of a day at the desk says a name or a chart number',
  { as: 'Admin', newSession: true },
  async ({ page }) => {
    const token = await newPartnerFeed(pages.service.commands, pages.practice.practiceId);
    await sent(attendedBirth({ attendant: { identity: 'w-1', name: 'Ida Wendelgard' } }), token);
    const said: string[] = [];
    page.on('request', (request) => {
      said.push(request.url(), request.headers()['referer'] ?? '');
    });
    const birth = {
      chart_number: 'DESK-1',
      'mother.family_name': 'Wendelgard',
      'mother.given_names': 'Ina',
      'children.0.birth_date': '5/12/2026',
    };
    for (const path of ['/registry/records/new?chart=DESK-1', '/registry/records/new']) {
      await page.goto(path);
      await fillBirth(page, birth);
      await page.locator('[name="place_of_birth"]').selectOption('Home');
      await recordBirth(page);
      if (path.includes('?')) await page.waitForURL(RECORD);
      else await page.getByRole('button', { name: 'Amend record' }).waitFor();
    }
    for (const typed of ['wendel', 'DESK-1']) {
      await page.goto(RECORDS);
      await page.getByLabel(FIND_FIELD).fill(typed);
      await page.keyboard.press('Enter');
      await page.waitForURL(RECORD);
    }
    await page.goto('/registry/records?q=Wendelgard');
    await page.waitForURL(RECORD);
    // A short list has no field to search it with; an old bookmark of a search opens one.
    await page.goto('/registry/providers?q=Wendelgard');
    const found = page.url();
    await page.getByLabel('Name, identifier or NPI').fill('Ida Wendelgard');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ href }) => href !== found);
    await page.context().clearCookies();
    await page.goto('/registry/providers?q=Wendelgard');
    await page.waitForURL(/sign-in/);
    const typedIn = /\?(q=Wendelgard|chart=DESK-1)$/;
    const spoken = said.filter((text) => /wendel|desk-1/i.test(decodeURIComponent(text)));
    // What the browser was told to open says it; nothing that the registry leads to does.
    assert.ok(spoken.length === 4 && spoken.every((text) => typedIn.test(text)), spoken.join('\n'));
  },
);

test.run();
