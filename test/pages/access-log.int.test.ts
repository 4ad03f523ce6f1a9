import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ListedAccess } from '../../api/access-log/list-access.ts';
import { describeFound } from '../../api/pages/audit/access-log-page.tsx';
import { formatAccess, formatSubject } from '../../api/pages/audit/access-text.ts';
import type { AccessEntry, AccessQuery } from '../../projections/lists/access.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  newMember,
  newVisitor,
  startTestPages,
  type TestAccount,
  type TestVisitor,
} from '../harness/pages.ts';
import { newPractice, push, sendBirth } from '../harness/service.ts';
import { birthBundle, twinsBundle } from '../support/bundles.ts';
import {
  BIRTH_COLUMNS,
  birthRow,
  bringWithoutPage,
  csvOf,
  importWithoutPage,
} from '../support/imports.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';

const PLACE = '/registry/access-log';

const pages = await startTestPages();
test.after(() => pages.stop());

const twins = await sendBirth(pages, twinsBundle(2_405, '2026-03-12T12:00:00Z'));
const other = await sendBirth(pages, birthBundle({ chartNumber: 'MRN-1001' }));

/** What a page tells of an entry. */
const inWords = (entry: Partial<AccessEntry>): string =>
  formatAccess({
    place: null,
    filters: [],
    exported: null,
    rows: null,
    detail: null,
    tried: null,
    ...entry,
  } as AccessEntry);

type Entry = ListedAccess['entries'][number];

const EVERYTHING: AccessQuery = { person: null, record: null, kind: null };

/** The access log of the practice once everything that was noted is in it, oldest first. */
const logged = async (query: Partial<AccessQuery> = {}): Promise<readonly Entry[]> => {
  const { service, practice } = pages;
  const { entries } = await service.commands.accessLog(practice.practiceId, {
    ...EVERYTHING,
    ...query,
  });
  return entries.toReversed();
};

const signedIn = async (account: TestAccount): Promise<TestVisitor> => {
  const visitor = newVisitor(pages.service.url);
  assert.is((await visitor.signIn(account)).status, 303);
  return visitor;
};

/** What a request adds to the log. */
const addedBy = async (request: () => Promise<unknown>): Promise<readonly Entry[]> => {
  const before = (await logged()).length;
  await request();
  return (await logged()).slice(before);
};

test('signing in, a wrong password and signing out are each in the log, by whom', async () => {
  const { practiceId } = pages.practice;
  const account = await newMember(pages.service, practiceId, 'Viewer', 'signs.in@cedar.example');
  await newVisitor(pages.service.url).signIn(account, 'not the password');
  const visitor = await signedIn(account);
  await visitor.send('/sign-out', { _csrf: await visitor.csrfToken('/registry') });
  const entries = await logged({ person: account.id, kind: 'sign-ins' });
  assert.equal(
    entries.map(({ type, actor, accountId }) => [type, actor.kind, actor.email, accountId]),
    [
      ['PasswordRefused', 'service', null, account.id],
      ['AccountSignedIn', 'member', account.email, account.id],
      ['AccountSignedOut', 'member', account.email, account.id],
    ],
  );
});

test('an account that is tried too often is told of once, however often it is tried', async () => {
  const { practiceId } = pages.practice;
  const account = await newMember(pages.service, practiceId, 'Viewer', 'tried@cedar.example');
  const visitor = newVisitor(pages.service.url);
  for (let n = 0; n < 13; n += 1) await visitor.signIn(account, 'not the password');
  const types = (await logged({ person: account.id })).map(({ type }) => type);
  assert.is(types.filter((type) => type === 'PasswordRefused').length, 10);
  assert.is(types.filter((type) => type === 'SignInHeldBack').length, 1);
});

test('what was typed is nowhere, not even for an account that there is not', async () => {
  const typed = 'nobody.at.all@elsewhere.example';
  await newVisitor(pages.service.url).signIn({ id: '', email: typed }, 'a typed password');
  const staff = await signedIn(pages.staff);
  await logged(); // everything that was noted is in the tables
  const html = await (await staff.send('/staff/access-log')).text();
  assert.match(html, inWords({ type: 'PasswordRefused' }));
  assert.match(html, pages.staff.email);
  assert.not.match(html, /elsewhere|typed password/);
  assert.not.match(JSON.stringify(await logged()), /elsewhere/);
});

test('a record that is opened, and the same as it was before, names the record and who saw it', async () => {
  const visitor = await signedIn(pages.members.Viewer);
  const then = new Date().toISOString();
  const entries = await addedBy(async () => {
    await visitor.send(`/registry/records/${twins}`);
    await visitor.send(`/registry/records/${twins}?at=${then}`);
  });
  assert.equal(
    entries.map(({ type, place, recordIds, actor }) => [type, place, recordIds, actor.id]),
    [
      ['RecordsShown', 'record', [twins], pages.members.Viewer.id],
      ['RecordsShown', 'record-then', [twins], pages.members.Viewer.id],
    ],
  );
});

test('a list names its records and the kinds of its filters, never what was looked for', async () => {
  const visitor = await signedIn(pages.members.Viewer);
  const [entry] = await addedBy(() =>
    visitor.searchRecords({ q: 'm', state: 'live', came: 'sent' }),
  );
  assert.is(entry?.place, 'list');
  assert.equal([...(entry?.recordIds ?? [])].sort(), [twins, other].sort());
  assert.equal(entry?.filters, ['words', 'state', 'source']);
  assert.equal(await addedBy(() => visitor.searchRecords({ q: 'zzzz' })), []);
});

test('every page that shows a record tells of it before it is sent', async () => {
  const { service, practice } = pages;
  await sendBirth(pages, birthBundle({ chartNumber: 'MRN-1001-again' })); // looks like the other
  const token = await newPartnerFeed(service.commands, practice.practiceId);
  const attendant = { identity: 'MAPLE-7', name: 'Astrid Holm' };
  await sendBirth(pages, attendedBirth({ attendant }, { chartNumber: 'P-1' }), token);
  const { providers } = await service.commands.providers
    .list(practice.practiceId)
    .then((list) => ({ providers: list }));
  const admin = await signedIn(pages.members.Admin);
  const unnoted: string[] = [];
  for (const path of [
    '/registry',
    '/registry/records',
    `/registry/records/${other}`,
    `/registry/records/${other}/correct`,
    `/registry/records/${other}/void`,
    '/registry/births',
    '/registry/duplicates',
    ...providers.map(({ providerId }) => `/registry/providers/${providerId}`),
  ]) {
    let html = '';
    const entries = await addedBy(async () => {
      const answer = await admin.send(path);
      assert.is(answer.status, 200, path);
      html = await answer.text();
    });
    const noted = new Set(entries.flatMap(({ recordIds }) => recordIds));
    const shown = [...html.matchAll(/\/registry\/records\/([0-9a-f-]{36})/g)];
    assert.ok(shown.length > 0, path);
    for (const [, id = ''] of shown) if (!noted.has(id)) unnoted.push(`${path}: ${id}`);
  }
  assert.equal(unnoted, []);
});

test('the result of an import that is taken away is in the log, with its count of rows', async () => {
  const provider = await signedIn(pages.members.Provider);
  const file = csvOf(BIRTH_COLUMNS, [birthRow('CSV-1', 'Achterberg')]);
  const path = await bringWithoutPage(pages.service.url, provider, file);
  await importWithoutPage(provider, path);
  const entries = await addedBy(async () => {
    assert.is((await provider.send(`${path}/result.csv`)).status, 200);
  });
  assert.equal(
    entries.map(({ type, exported, rows, actor }) => [type, exported, rows, actor.id]),
    [['DataExported', 'import-result', 1, pages.members.Provider.id]],
  );
});

test('a file that another member has checked is in the log when it is opened', async () => {
  const provider = await signedIn(pages.members.Provider);
  const file = csvOf(BIRTH_COLUMNS, [birthRow('CSV-2', 'Breitenbach')]);
  const path = await bringWithoutPage(pages.service.url, provider, file);
  const own = await addedBy(async () => {
    assert.is((await provider.send(path)).status, 200);
  });
  assert.equal(own, []);
  const admin = await signedIn(pages.members.Admin);
  const entries = await addedBy(async () => {
    assert.is((await admin.send(path)).status, 200);
  });
  assert.equal(
    entries.map(({ type, detail, actor }) => [type, detail, actor.id]),
    [['ImportShown', pages.members.Provider.id, pages.members.Admin.id]],
  );
});

test('refused rows of an import of another member are in the log when they are shown', async () => {
  const provider = await signedIn(pages.members.Provider);
  const refused = birthRow('CSV-4', 'Drachenfels', '7 parsec');
  const file = csvOf(BIRTH_COLUMNS, [birthRow('CSV-3', 'Drossel'), refused]);
  const path = await bringWithoutPage(pages.service.url, provider, file);
  const progress = await importWithoutPage(provider, path);
  const showing = async (visitor: TestVisitor) => {
    assert.match(await (await visitor.send(progress)).text(), 'CSV-4');
  };
  assert.equal(await addedBy(() => showing(provider)), []);
  const admin = await signedIn(pages.members.Admin);
  const entries = await addedBy(() => showing(admin));
  assert.equal(
    entries.map(({ type, detail, actor }) => [type, detail, actor.id]),
    [['ImportShown', pages.members.Provider.id, pages.members.Admin.id]],
  );
});

test('a receipt that a key reads is in the log of its records, once, and not among what people do', async () => {
  const { service, practice } = pages;
  const before = await logged();
  const receipt = await push(
    service.url,
    practice.token,
    birthBundle({ chartNumber: 'READ-1', mother: { family: 'Read' } }),
  );
  assert.is(receipt.status, 'completed');
  const recordId =
    receipt.status === 'completed' ? (receipt.outcome.accepted[0]?.submission_uuid ?? '') : '';
  for (let poll = 0; poll < 3; poll += 1) {
    const answer = await fetch(`${service.url}/api/registry/fhir/ingestions/${receipt.id}`, {
      headers: { Authorization: `Bearer ${practice.token}` },
    });
    assert.is(answer.status, 200);
  }
  // Asking for a record is in its log, too.
  const received = async () =>
    (await logged({ record: recordId })).filter(({ place }) => place !== 'access-command');
  await eventually('the receipt is in the log', async () => (await received()).length > 0);
  assert.equal(
    (await received()).map(({ type, rows, recordIds, actor }) => [
      type,
      rows,
      recordIds,
      actor.kind,
    ]),
    [['ReceiptsRead', 1, [recordId], 'key']],
  );
  // The record says where to look.
  const anywhere = await service.commands.accessLog(null, { ...EVERYTHING, record: recordId });
  assert.equal(
    anywhere.entries.filter(({ place }) => place !== 'access-command').map(({ type }) => type),
    ['ReceiptsRead'],
  );
  assert.equal(
    (await logged()).filter(({ place }) => place !== 'access-command'),
    before,
  );
  assert.ok((await logged({ kind: 'receipts' })).length > 0);
  const admin = await signedIn(pages.members.Admin);
  const page = await (await admin.send(`/registry/records/${recordId}/access`)).text();
  const by = { kind: 'key', id: practice.keyId, email: null, name: null } as const;
  assert.match(page, formatSubject({ by, keyName: null }, 'practice'));
  assert.match(page, inWords({ type: 'ReceiptsRead', rows: 1 }));
});

test('a command that shows a record is in the log, and one that finds none is not', async () => {
  const { service, practice } = pages;
  const entries = await addedBy(async () => {
    await service.commands.history(practice.practiceId, 'MRN-1001', null);
    await service.commands.history(practice.practiceId, 'there is none', null);
  });
  assert.equal(
    entries.map(({ place, recordIds, actor }) => [place, recordIds, actor.kind]),
    [['history-command', [other], 'operator']],
  );
});

test('only the Admins of a practice see its log; another practice sees nothing of it', async () => {
  for (const role of ['Provider', 'Viewer', 'Scribe'] as const)
    assert.is((await (await signedIn(pages.members[role])).send(PLACE)).status, 403, role);
  assert.is((await (await signedIn(pages.staff)).send(PLACE)).status, 403);
  const { practiceId } = await newPractice(pages.service.commands);
  const elsewhere = await newMember(pages.service, practiceId, 'Admin', 'admin@maple.example');
  const visitor = await signedIn(elsewhere);
  await logged();
  const html = await (await visitor.send(PLACE)).text();
  assert.match(html, 'admin@maple.example');
  assert.not.match(html, /cedar\.example|MRN-/);
  assert.is((await visitor.send(`/registry/records/${twins}/access`)).status, 404);
  const asked = await (await visitor.send(`${PLACE}?person=${pages.members.Viewer.id}`)).text();
  assert.not.match(asked, /cedar\.example/);
});

test('someone who has left for another practice is named in the log of both, and in no other', async () => {
  const { commands } = pages.service;
  const { practiceId } = pages.practice;
  const email = 'moves.on@cedar.example';
  const account = await newMember(pages.service, practiceId, 'Admin', email);
  await (await signedIn(account)).send('/registry');
  await commands.members.remove(practiceId, account.id);
  const next = await newPractice(commands);
  await newMember(pages.service, next.practiceId, 'Admin', email);
  const there = await signedIn(account);
  await logged();
  const here = await signedIn(pages.members.Admin);
  for (const visitor of [here, there]) {
    const answer = await visitor.send(`${PLACE}?person=${account.id}`);
    assert.is(answer.status, 200);
    assert.match(await answer.text(), email);
  }
});

pages.pageTest(
  'an Admin finds who has looked at a record, and what a person did',
  { as: 'Admin', at: `/registry/records/${twins}` },
  async ({ page }) => {
    await logged();
    await page.getByRole('link', { name: 'Who saw this record' }).click();
    const main = page.locator('main');
    assert.is(await main.getByRole('link', { name: 'the record AV-2026-0417' }).count(), 1);
    const opened = main
      .getByRole('row')
      .filter({ hasText: pages.members.Viewer.email })
      .getByRole('cell', { name: inWords({ type: 'RecordsShown', place: 'record' }), exact: true });
    assert.ok((await opened.count()) > 0);
    assert.equal(await faultsOf(page, 'access-log-of-record'), []);
    await page.getByRole('link', { name: 'Access log' }).first().click();
    assert.equal(await faultsOf(page, 'access-log'), []);
    await page.getByLabel('Who').selectOption({ label: pages.members.Provider.email });
    await page.getByLabel('What').selectOption({ label: 'Downloads' });
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/kind=exports/);
    assert.match(await main.innerText(), describeFound(1, false));
    const downloaded = inWords({ type: 'DataExported', exported: 'import-result', rows: 1 });
    assert.is(await main.getByRole('cell', { name: downloaded, exact: true }).count(), 1);
    await page.goto(`${PLACE}?kind=exports&person=${pages.members.Scribe.id}`);
    assert.equal(await faultsOf(page, 'access-log-empty'), []);

    const staff = await pages.visit('staff', { at: '/staff/access-log' });
    assert.equal(await faultsOf(staff, 'access-log-staff'), []);
  },
);

test('a period holds its first moment, not its last: periods side by side miss and double nothing', async () => {
  const all = await logged();
  const between = new Date(all[Math.floor(all.length / 2)]?.at ?? '');
  const [before, from] = [await logged({ until: between }), await logged({ since: between })];
  assert.equal(from[0]?.at, between.toISOString());
  assert.ok(before.every(({ at }) => Date.parse(at) < between.getTime()));
  assert.equal([...before, ...from].slice(0, all.length), all);
  assert.equal(await logged({ since: between, until: between }), []);
});

test('looking at the log is in the log itself', async () => {
  const admin = await signedIn(pages.members.Admin);
  await admin.send(`/registry/records/${twins}`);
  await logged();
  const [entry] = await addedBy(() => admin.send(PLACE));
  assert.is(entry?.place, 'access-log');
  assert.ok(entry?.recordIds.includes(twins));
});

test('an address of before leads to the page of the record', async () => {
  const admin = await signedIn(pages.members.Admin);
  const answer = await admin.send(`${PLACE}?record=${twins}`);
  assert.is(answer.status, 303);
  assert.is(answer.headers.get('location'), `/registry/records/${twins}/access`);
});

test('addresses that ask for nonsense ask for nothing, and a page too far leads to the last', async () => {
  const admin = await signedIn(pages.members.Admin);
  for (const query of ['person=%00', 'record=no', 'kind=no', 'page=-1'])
    assert.is((await admin.send(`${PLACE}?${query}`)).status, 200, query);
  for (const page of [4_000, Number.MAX_SAFE_INTEGER]) {
    const answer = await admin.send(`${PLACE}?page=${page}`);
    assert.is(answer.status, 303);
    assert.match(answer.headers.get('location') ?? '', /access-log(\?page=\d+)?$/);
  }
});

test('the tables are made of the log alone, and the log is as it must be', async () => {
  const { commands } = pages.service;
  await logged();
  assert.equal((await commands.rebuild('compare')).differences, []);
  assert.equal((await commands.verify()).problems, []);
});

test.run();
