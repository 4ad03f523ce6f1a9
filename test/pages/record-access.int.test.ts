import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ListedAccess, ListedRecordAccess } from '../../api/access-log/list-access.ts';
import { UNUSUAL_WORDS } from '../../api/access-log/purpose.ts';
import { describeFound, NOTHING_UNUSUAL } from '../../api/pages/audit/access-log-page.tsx';
import { EMERGENCY_ACCESS } from '../../api/pages/audit/access-table.tsx';
import {
  ACTION_WORDS,
  CHART_VIEWED,
  describeExport,
  describePrefill,
  describePrint,
  describeReceipts,
  EXPORT_WORDS,
  PLACE_WORDS,
} from '../../api/pages/audit/access-text.ts';
import { MAX_PER_HOUR } from '../../domain/access-log/unusual.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { keepVisitors, newMember, RECORD, signInHere, type TestAccount } from '../harness/pages.ts';
import { newPractice, sendBirth } from '../harness/service.ts';
import { findMessage, type TestPage } from '../harness/test-page.ts';
import { birthBundle } from '../support/bundles.ts';
import {
  BIRTH_COLUMNS,
  birthRow,
  bringWithoutPage,
  csvOf,
  importWithoutPage,
  mainOf,
} from '../support/imports.ts';
import { inputOf, LAUNCHED, save, startTestPrefillPages } from '../support/launches.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';

const pages = await startTestPrefillPages();
test.after(() => pages.stop());

const { service, practice, members } = pages;
const { practiceId } = practice;
const accessOf = (record: string): string => `/registry/records/${record}/access`;

const OWN_NAME = UNUSUAL_WORDS['own-family-name'];

type Entry = ListedAccess['entries'][number];

const recordAccess = async (record: string): Promise<ListedRecordAccess> => {
  const list = await service.commands.accessLog(null, { person: null, record, kind: null });
  assert.ok('summary' in list);
  return list;
};

/** What the access log says of a record by now, oldest first, without that it was asked. */
const entriesOf = async (record: string): Promise<readonly Entry[]> =>
  (await recordAccess(record)).entries
    .filter(({ place }) => place !== 'access-command')
    .toReversed();

const visitorOf = keepVisitors(service.url);

/** What a Provider gets who imports a file: the file of its result. */
const resultOf = async (file: string): Promise<string> => {
  const provider = await visitorOf(members.Provider);
  const progress = await importWithoutPage(
    provider,
    await bringWithoutPage(service.url, provider, file),
  );
  const answer = await provider.send(`${progress.replace(/progress$/, '')}result.csv`);
  assert.is(answer.status, 200);
  return answer.text();
};

const born = (chartNumber: string, family: string): Promise<string> =>
  sendBirth(pages, birthBundle({ chartNumber, mother: { family, given: ['Rosa'] } }));

/** Opens a record and presses Print. */
const printed = async (page: TestPage, record: string): Promise<void> => {
  await page.goto(`/registry/records/${record}`);
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await findMessage(page, 'print-noted').waitFor();
};

pages.pageTest(
  'viewed, printed, exported, received and pre-filled: all of it is on the page of the record',
  { as: 'Provider', ...LAUNCHED },
  async ({ page }) => {
    await pages.launch(page, 'mother-1');
    await inputOf(page, 'place_of_birth').selectOption('Home');
    await inputOf(page, 'chart_number').fill('SEEN-1');
    await inputOf(page, 'mother.family_name').fill('Marin');
    await inputOf(page, 'mother.given_names').fill('Rosa');
    await inputOf(page, 'children.0.birth_date').fill('5/12/2026');
    await save(page);
    await page.waitForURL(RECORD);
    const record = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await printed(page, record);

    // The same birth from a file, and the result of it.
    await resultOf(csvOf(BIRTH_COLUMNS, [birthRow('SEEN-1', 'Marin')]));

    // And as a push, of which the sender reads the receipt.
    const birth = birthBundle({ chartNumber: 'SEEN-1', lastUpdated: new Date().toISOString() });
    assert.is(await sendBirth(pages, birth), record);
    await eventually('the receipt is noted', async () =>
      (await entriesOf(record)).some(({ kind }) => kind === 'receipt'),
    );
    await service.commands.historyOfRecord(practiceId, record, null);

    const told = (await entriesOf(record)).map(({ kind, actor, purpose, detail }) => [
      kind,
      actor.kind,
      purpose,
      ...(kind === 'prefilled' ? [detail] : []),
    ]);
    const ehr = new URL(pages.ehr.issuer).host;
    for (const line of [
      ['chart-viewed', 'member', 'pre-filling from an EHR'],
      ['prefilled', 'member', 'pre-filling from an EHR', ehr],
      ['viewed', 'member', 'reading the record'],
      ['printed', 'member', 'reading the record'],
      ['exported', 'member', 'result of an import'],
      ['receipt', 'key', 'result of a push'],
      ['viewed', 'operator', 'reading the history'],
    ])
      assert.ok(
        told.some((one) => JSON.stringify(one) === JSON.stringify(line)),
        `${line} in ${JSON.stringify(told)}`,
      );

    const { summary } = await recordAccess(record);
    const provider = summary.find(({ actor }) => actor.id === members.Provider.id);
    const times = new Map(provider?.ways.map(({ way, times: count }) => [way, count]));
    assert.is(times.get('printed'), 1);
    assert.is(times.get('exported'), 1);
    assert.is(times.get('prefilled'), 1);

    const admin = await pages.visit('Admin', { at: `/registry/records/${record}` });
    await admin.getByRole('link', { name: 'Who saw this record' }).click();
    await admin.waitForURL(accessOf(record));
    for (const name of [
      describePrefill(ehr),
      CHART_VIEWED,
      describePrint('record'),
      describeExport('import-result'),
      describeReceipts(1),
      PLACE_WORDS['history-command'],
    ])
      assert.ok((await admin.getByRole('cell', { name, exact: true }).count()) > 0, name);
    const theirs = admin
      .getByRole('table', { name: 'Summary' })
      .getByRole('row', { name: members.Provider.email });
    assert.match(await theirs.innerText(), `${ACTION_WORDS.printed} 1 time`);
    assert.equal(await faultsOf(admin, 'record-access'), []);
  },
);

pages.pageTest(
  'a chart that somebody looked at before signing in is found, and one that was not saved is nobody’s',
  { as: 'visitor', ...LAUNCHED },
  async ({ page }) => {
    await pages.launch(page, 'mother-3');
    const unsaved = await pages.visit('Scribe', LAUNCHED);
    await pages.launch(unsaved, 'mother-2');
    await inputOf(page, 'place_of_birth').selectOption('Home');
    await inputOf(page, 'children.0.birth_date').fill('11/14/2026');
    await save(page);
    await signInHere(page, members.Provider);
    await page.getByText('Nothing is saved yet').waitFor();
    await save(page);
    await page.waitForURL(RECORD);
    const record = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const charts = (await entriesOf(record)).filter(({ kind }) => kind === 'chart-viewed');
    assert.ok(charts.some(({ actor }) => actor.kind === 'service' && actor.id === 'sign-in'));
    assert.ok(charts.some(({ actor }) => actor.id === members.Provider.id));
    assert.not.ok(charts.some(({ actor }) => actor.id === members.Scribe.id));
  },
);

pages.browserTest(
  'the Print button notes the record before the dialog opens, and once',
  async ({ open }) => {
    const record = await born('PRINT-1', 'Arvidsson');
    const page = await open('Viewer');
    await page.addInitScript(() => {
      // Without a dialog: where there is one, it stays open, and the page cannot be printed again.
      window.print = () => {
        window.dispatchEvent(new Event('beforeprint'));
        window.dispatchEvent(new Event('afterprint'));
        document.documentElement.dataset['printed'] = 'yes';
      };
    });
    await printed(page, record);
    await page.locator('html[data-printed="yes"]').waitFor({ state: 'attached' });
    // A reload, or Back, does not print once more.
    assert.is(new URL(page.url()).pathname, `/registry/records/${record}`);
    assert.equal(await faultsOf(page, 'record-print'), []);
    const prints = (await entriesOf(record)).filter(
      ({ kind, actor }) => kind !== 'listed' && actor.id === members.Viewer.id,
    );
    assert.equal(
      prints.map(({ kind, detail, place, actor }) => [kind, detail, place, actor.id]),
      [
        ['viewed', null, 'record', members.Viewer.id],
        ['printed', 'print-view', 'record', members.Viewer.id],
      ],
    );
    // To print that view once more is to print it again.
    const [again] = await Promise.all([
      page.waitForResponse((one) => one.url().endsWith('/registry/printed')),
      page.pdf(),
    ]);
    assert.is(again.status(), 204);
  },
);

pages.browserTest(
  'without script the Print button leads to the same view, also of the record as it was',
  async ({ open }) => {
    const record = await born('PRINT-2', 'Bengtsson');
    const page = await open('Viewer', { javaScriptEnabled: false });
    await printed(page, record);
    await page.goto(`/registry/records/${record}?at=${new Date().toISOString()}`);
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    await findMessage(page, 'as-it-was').waitFor();
    const prints = (await entriesOf(record)).filter(({ kind }) => kind === 'printed');
    assert.equal(
      prints.map(({ place, detail }) => [place, detail]),
      [
        ['record', 'print-view'],
        ['record-then', 'print-view'],
      ],
    );
  },
);

pages.browserTest(
  'the browser’s own print command is noted, of a record and of a list',
  async ({ open }) => {
    const record = await born('PRINT-3', 'Carlsdotter');
    const page = await open('Viewer');
    // A fragment that is no text does not end the script.
    for (const path of [`/registry/records/${record}#%`, '/registry/births']) {
      await page.goto(path);
      const [noted] = await Promise.all([
        page.waitForResponse((one) => one.url().endsWith('/registry/printed')),
        page.pdf(),
      ]);
      assert.is(noted.status(), 204);
    }
    const prints = (await entriesOf(record)).filter(({ kind }) => kind === 'printed');
    assert.equal(
      prints.map(({ place, detail, purpose }) => [place, detail, purpose]),
      [
        ['record', 'browser', 'reading the record'],
        ['births', 'browser', 'reading the births log'],
      ],
    );
  },
);

test('what a browser says that it printed is believed of the practice’s own records only', async () => {
  const { token, practiceId: elsewhere } = await newPractice(service.commands);
  const theirs = await sendBirth(pages, birthBundle({ chartNumber: 'THEIRS-1' }), token);
  const ours = await born('PRINT-4', 'Dahlgren');
  const viewer = await visitorOf(members.Viewer);
  const _csrf = await viewer.csrfToken('/registry');
  const say = async (fields: Readonly<Record<string, string>>) =>
    assert.is((await viewer.send('/registry/printed', { _csrf, ...fields })).status, 204);
  await say({ place: 'record', records: `${theirs} ${ours} nonsense` });
  await say({ place: 'nowhere', records: ours });
  await say({});
  assert.is((await entriesOf(ours)).filter(({ kind }) => kind === 'printed').length, 1);
  assert.is((await entriesOf(theirs)).filter(({ kind }) => kind === 'printed').length, 0);
  const prints = { person: members.Viewer.id, record: null, kind: 'prints' } as const;
  const { entries } = await service.commands.accessLog(practiceId, prints);
  assert.ok(entries.length > 0);
  assert.not.ok(entries.some(({ recordIds }) => recordIds.includes(theirs)));
  const [admin] = [await newMember(service, elsewhere, 'Admin', 'admin@print-4.example')];
  const html = await (await (await visitorOf(admin)).send('/registry/access-log')).text();
  assert.not.match(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? 'Printed', 'Printed');
});

test('only Admins of the practice open it, and of another one’s record it says as much as of none', async () => {
  const record = await born('SEATS-1', 'Ekdahl');
  const { practiceId: elsewhere } = await newPractice(service.commands);
  const stranger = await newMember(service, elsewhere, 'Admin', 'admin@seats.example');
  const { Provider, Viewer, Scribe, Admin } = members;
  for (const [account, status] of [
    [Provider, 403],
    [Viewer, 403],
    [Scribe, 403],
    [pages.staff, 403],
    [Admin, 200],
    [stranger, 404],
  ] as const) {
    const visitor = await visitorOf(account);
    for (const path of [accessOf(record), `${accessOf(record)}.csv`])
      assert.is((await visitor.send(path)).status, status, account.email);
    if (account !== Provider) continue;
    const html = await (await visitor.send(`/registry/records/${record}`)).text();
    assert.not.match(html, 'Who saw this record');
  }
});

test('a voided record still says who saw it', async () => {
  const record = await born('VOID-1', 'Fagerholm');
  await (await visitorOf(members.Viewer)).send(`/registry/records/${record}`);
  const admin = await pages.visit('Admin', { at: `/registry/records/${record}/void` });
  await admin.getByLabel('Reason for voiding').fill('Entered twice');
  await admin.getByRole('button', { name: 'Void record' }).click();
  await admin.waitForURL(RECORD);
  await eventually('the look is in the log', async () => (await entriesOf(record)).length > 0);
  await admin.getByRole('link', { name: 'Who saw this record' }).click();
  for (const name of [
    `${members.Viewer.email} ${PLACE_WORDS.record}`,
    `${PLACE_WORDS['void-form']} voiding`,
  ])
    assert.ok((await admin.getByRole('row', { name }).count()) > 0, name);
});

test('a file says the same in the same words, guards against formulas, and is noted itself', async () => {
  const record = await born('CSV-1', 'Gyllenstierna');
  const account = await newMember(service, practiceId, 'Viewer', '=1+1@formula.example');
  await (await visitorOf(account)).send(`/registry/records/${record}`);
  await entriesOf(record);
  const admin = await visitorOf(members.Admin);
  const answer = await admin.send(`${accessOf(record)}.csv`);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
  const csv = await answer.text();
  assert.match(
    csv,
    /^\ufeff?at,who,who_kind,who_id,let_in_by_staff,kind,what,purpose,unusual,records\r\n/,
  );
  assert.match(
    csv,
    new RegExp(
      `,'=1\\+1@formula\\.example,member,${account.id},,viewed,${PLACE_WORDS.record},reading the record,,${record}\r\n`,
    ),
  );
  assert.not.match(csv, /CSV-1|Gyllenstierna/);
  const noted = (await entriesOf(record)).filter(({ exported }) => exported === 'access-log');
  assert.equal(
    noted.map(({ kind, purpose, actor }) => [kind, purpose, actor.id]),
    [['exported', 'checking who had access', members.Admin.id]],
  );
  const whole = await (await admin.send('/registry/access-log.csv?kind=exports')).text();
  assert.match(
    whole,
    new RegExp(`,exported,"?${EXPORT_WORDS['access-log']}, \\d+ rows?"?,checking who had access,`),
  );
});

test('the record of a mother with the name of who opens it is marked, and no name stands in the mark', async () => {
  const viewer = await newMember(service, practiceId, 'Viewer', 'ana.ruiz@namesake.example');
  const [record, other] = [await born('NAME-1', 'Ruiz'), await born('NAME-2', 'Hallström')];
  const token = await newPartnerFeed(service.commands, practiceId);
  const masked = await sendBirth(pages, attendedBirth({}, { chartNumber: 'NAME-3' }), token);
  const visitor = await visitorOf(viewer);
  for (const one of [record, other, masked]) await visitor.send(`/registry/records/${one}`);
  await visitor.send('/registry/births');
  const marks = async (one: string) =>
    (await entriesOf(one))
      .filter(({ actor }) => actor.id === viewer.id)
      .map(({ kind, unusual }) => [kind, ...unusual]);
  assert.equal(await marks(record), [['viewed', 'own-family-name'], ['listed']]);
  assert.equal(await marks(other), [['viewed'], ['listed']]);
  assert.equal((await marks(masked))[0], ['viewed']);

  const admin = await pages.visit('Admin', { at: accessOf(record) });
  assert.is(await admin.locator('.tag--warning', { hasText: OWN_NAME }).count(), 1);
  await admin.getByLabel('Only unusual').check({ force: true });
  await admin.getByRole('button', { name: 'Show', exact: true }).click();
  await admin.waitForURL(/unusual=yes/);
  assert.match(await mainOf(admin), describeFound(1, false));
  assert.equal(await faultsOf(admin, 'record-access-unusual'), []);
  await admin.goto('/registry/access-log?unusual=yes');
  assert.match(await mainOf(admin), viewer.email);
  assert.equal(await faultsOf(admin, 'access-log-unusual'), []);
  const csv = await admin.request.get(`${accessOf(record)}.csv?unusual=yes`);
  assert.match(await csv.text(), `,reading the record,${OWN_NAME},`);
  const none = await admin.request.get(`${accessOf(other)}?unusual=yes`);
  assert.match(await none.text(), NOTHING_UNUSUAL);
});

test('many records in an hour are marked, those that the person entered are not', async () => {
  const count = MAX_PER_HOUR + 1;
  const rows = Array.from({ length: count }, (_, n) => birthRow(`MANY-${n}`, `Isaksson${n}`));
  const result = await resultOf(csvOf(BIRTH_COLUMNS, rows));
  const records = [...result.matchAll(/,([0-9a-f-]{36})\r\n/g)].map(([, id]) => id);
  assert.is(records.length, count);
  const record = records[0] ?? '';
  const curious = await newMember(service, practiceId, 'Viewer', 'curious@many.example');
  /** Prints some from a list, and opens the first one. */
  const opened = async (account: TestAccount, some = records.slice(1)): Promise<void> => {
    const visitor = await visitorOf(account);
    const _csrf = await visitor.csrfToken('/account/password');
    const list = { _csrf, place: 'births', records: some.join(' ') };
    assert.is((await visitor.send('/registry/printed', list)).status, 204);
    await visitor.send(`/registry/records/${record}`);
  };
  const marksOf = async ({ id }: TestAccount) =>
    (await entriesOf(record)).find(({ actor, kind }) => actor.id === id && kind === 'viewed')
      ?.unusual;
  await opened(members.Viewer, []);
  const hour = new Date().getUTCHours();
  await opened(members.Provider);
  await opened(curious);
  // An hour of the clock may have begun in between: then all of them are opened in the new one.
  if (new Date().getUTCHours() !== hour) await opened(curious);
  const unusual = await service.commands.accessLog(practiceId, {
    person: curious.id,
    record: null,
    kind: null,
    onlyUnusual: true,
  });
  assert.is(new Set(unusual.entries.flatMap(({ recordIds }) => recordIds)).size, count);
  assert.equal(await marksOf(curious), ['many-records']);
  assert.equal(await marksOf(members.Viewer), []);
  assert.equal(await marksOf(members.Provider), []);
});

test('an Admin whom the service staff let in is told apart', async () => {
  const { practiceId: lost, token } = await newPractice(service.commands);
  const record = await sendBirth(pages, birthBundle({ chartNumber: 'LOST-1' }), token);
  const last = await newMember(service, lost, 'Admin', 'last@lost.example');
  await service.commands.members.remove(lost, last.id, 'removable');
  const email = 'new@lost.example';
  const staff = await visitorOf(pages.staff);
  const path = `/staff/practices/${lost}`;
  const _csrf = await staff.csrfToken(path);
  const reason = 'The only Admin has left; the manager asked for this by phone.';
  const typed = { _csrf, email, reason, form_id: randomUUID() };
  const invited = await staff.send(`${path}/admin`, typed);
  assert.is(invited.status, 200);
  const admin = await visitorOf(await newMember(service, lost, 'Admin', email));
  const other = await visitorOf(await newMember(service, lost, 'Admin', 'other@lost.example'));
  await admin.send(`/registry/records/${record}`);
  await other.send(`/registry/records/${record}`);
  const told = (await entriesOf(record)).filter(({ kind }) => kind === 'viewed');
  assert.equal(
    told.map(({ actor, letInByStaff }) => [actor.email, letInByStaff]),
    [
      [email, true],
      ['other@lost.example', false],
    ],
  );
  const html = await (await admin.send(accessOf(record))).text();
  assert.is(html.split(`>${EMERGENCY_ACCESS}<`).length, 2);
});

test('the command is noted by who gives it', async () => {
  const record = await born('COMMAND-1', 'Johansson');
  await recordAccess(record);
  const { entries } = await recordAccess(record);
  assert.equal(
    entries
      .filter(({ kind }) => kind !== 'receipt')
      .map(({ kind, place, purpose, actor }) => [kind, place, purpose, actor.kind, actor.id]),
    [['listed', 'access-command', 'checking who had access', 'operator', 'shell']],
  );
});

test.run();
