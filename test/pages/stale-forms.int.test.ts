import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { OPENED_FIELD } from '../../api/pages/layout/opened-values.ts';
import {
  sharedTestAccounts,
  signInVisitor,
  type TestAccount,
  type TestVisitor,
} from '../harness/pages.ts';
import { BIRTH_COLUMNS, birthRow, bringWithoutPage, csvOf } from '../support/imports.ts';
import { formOn, submit } from '../support/sent-forms.ts';
import { startIdentityProvider } from '../support/single-sign-on.ts';

// Two people, or one person in two tabs, open a form, and both save it: the second must not replace
// what the first has saved without a word.

const [accounts, provider] = await Promise.all([sharedTestAccounts(), startIdentityProvider()]);
test.after(async () => {
  await accounts.service.stop();
  await provider.stop();
});

const { members, staff, practice, service } = accounts;
const { practiceId, keyId } = practice;
const { commands, url } = service;
const partnerId = await commands.partners.create({ name: 'Larch', beta: true, status: 'Active' });
const ofPartner = await commands.keys.mintPartner({
  partnerId,
  practiceId,
  name: null,
  scopes: ['ingest:write'],
});

type Fields = Readonly<Record<string, string>>;

const newSession = async (account: TestAccount): Promise<TestVisitor> => {
  const visitor = await signInVisitor(url, account);
  return visitor;
};

const sessions = new Map<TestAccount, Promise<readonly [TestVisitor, TestVisitor]>>();

/** Two browsers in which an account has signed in. */
const twoSessions = (account: TestAccount): Promise<readonly [TestVisitor, TestVisitor]> => {
  const opened = sessions.get(account) ?? Promise.all([newSession(account), newSession(account)]);
  sessions.set(account, opened);
  return opened;
};

const [admin] = await twoSessions(members.Admin);
await submit(
  admin,
  '/registry/custom-fields/new',
  { label: 'Room', type: 'text' },
  'action="/registry/custom-fields"',
);
const [, customField = ''] =
  /id="label-([^"]+)"/.exec(await (await admin.send('/registry/custom-fields')).text()) ?? [];

const SETTINGS = '/registry/practice';
const SIGN_ON = `${SETTINGS}/single-sign-on`;
const atProvider: Fields = {
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: provider.clientSecret,
};

/** Form that shows stored values. */
interface StaleForm {
  readonly name: string;
  /** File whose `form` it is. */
  readonly in: string;
  readonly as?: TestAccount;
  /** Address of its page. */
  readonly at: string;
  /** Address that it is sent to, if another. */
  readonly to?: string;
  readonly first: Fields;
  readonly second: Fields;
  /** With two answers, no two people can change it differently. */
  readonly hasTwoAnswers?: boolean;
  /** What the second person reads of what the first has saved. */
  readonly says: string;
}

const FORMS: readonly StaleForm[] = [
  {
    name: 'what a record needs',
    in: 'completeness-router.tsx',
    at: `${SETTINGS}/completeness`,
    first: { needed: 'residence', days: '7' },
    second: { needed: 'mother-birth-date', days: '9' },
    says: 'Days after the birth: “7” is saved now.',
  },
  {
    name: 'the time zone',
    in: 'practice-settings-router.tsx',
    at: SETTINGS,
    first: { timeZone: 'America/Denver' },
    second: { timeZone: 'America/Chicago' },
    says: 'Time zone: “Mountain (Denver)” is saved now.',
  },
  {
    name: 'the date format',
    in: 'practice-settings-router.tsx',
    at: SETTINGS,
    to: `${SETTINGS}/date-order`,
    first: { dateOrder: 'day-first' },
    second: { dateOrder: 'month-first' },
    hasTwoAnswers: true,
    says: 'Date format: “Day first: 5/12/2026 is December 5” is saved now.',
  },
  {
    name: 'the time format',
    in: 'practice-settings-router.tsx',
    at: SETTINGS,
    to: `${SETTINGS}/clock`,
    first: { clock: '24' },
    second: { clock: '12' },
    hasTwoAnswers: true,
    says: 'Time format: “24-hour: 23:05” is saved now.',
  },
  {
    name: 'single sign-on',
    in: 'single-sign-on-router.tsx',
    at: SIGN_ON,
    first: { ...atProvider, domains: 'cedar.example' },
    second: { ...atProvider, domains: 'birch.example' },
    says: 'Email domains: “cedar.example” is saved now.',
  },
  {
    name: 'the name of a practice',
    in: 'practice-router.tsx',
    as: staff,
    at: `/staff/practices/${practiceId}/name`,
    first: { name: 'Cedar Street' },
    second: { name: 'Cedar Square' },
    says: 'Name: “Cedar Street” is saved now.',
  },
  {
    name: 'the label of a custom field',
    in: 'custom-fields-router.tsx',
    at: `/registry/custom-fields/${customField}`,
    first: { label: 'Ward' },
    second: { label: 'Floor' },
    says: 'Label: “Ward” is saved now.',
  },
  {
    name: 'the item of a custom field',
    in: 'certificate-fields.tsx',
    at: `/registry/custom-fields/${customField}/certificate`,
    first: { item: 'HOSP' },
    second: { item: 'BRTHCITY' },
    says: 'Item of the birth certificate: “Name of the facility of birth” is saved now.',
  },
  {
    name: 'the addresses of a key',
    in: 'keys-router.tsx',
    at: `/registry/integrations/keys/${keyId}/addresses`,
    first: { addresses: '203.0.113.7\n203.0.113.0/24' },
    second: { addresses: '198.51.100.7' },
    says: 'Allowed IP addresses: “203.0.113.7, 203.0.113.0/24” is saved now.',
  },
  {
    name: 'the addresses of a partner’s key',
    in: 'keys-router.tsx',
    as: staff,
    at: `/staff/partners/${partnerId}/keys/${ofPartner.keyId}/addresses`,
    first: { addresses: '203.0.113.7' },
    second: { addresses: '198.51.100.0/24' },
    says: 'Allowed IP addresses: “203.0.113.7” is saved now.',
  },
  {
    name: 'one’s own name',
    in: 'name-router.tsx',
    as: members.Viewer,
    at: '/account/name',
    first: { name: 'Ana Díaz' },
    second: { name: 'Ana M. Díaz' },
    says: 'Name: “Ana Díaz” is saved now.',
  },
  {
    name: 'the name of a member',
    in: 'accounts-router.tsx',
    at: `/registry/members/${members.Scribe.id}/name`,
    first: { name: 'Rosa Kim' },
    second: { name: 'Rose Kim' },
    says: 'Name: “Rosa Kim” is saved now.',
  },
  {
    name: 'the name of a member of the service staff',
    in: 'accounts-router.tsx',
    as: staff,
    at: `/staff/people/${staff.id}/name`,
    first: { name: 'Lee Oak' },
    second: { name: 'Leigh Oak' },
    says: 'Name: “Lee Oak” is saved now.',
  },
  {
    name: 'the role of a member',
    in: 'members-router.tsx',
    at: `/registry/members/${members.Provider.id}/seat`,
    first: { seat: 'Viewer' },
    second: { seat: 'Scribe' },
    says: 'Role: “Viewer” is saved now.',
  },
];

/** Fields that a page does not show again. */
const SECRETS = ['clientSecret'];

for (const { name, as = members.Admin, at, to = at, first, second, says, hasTwoAnswers } of FORMS) {
  const mark = `action="${to}"`;
  const open = async (visitor: TestVisitor) =>
    formOn(await (await visitor.send(at)).text(), mark).fields;
  const shownOf = (fields: Fields, wanted: Fields): Fields =>
    Object.fromEntries(
      Object.keys(wanted)
        .filter((field) => !SECRETS.includes(field))
        .map((field) => [field, fields[field] ?? '']),
    );
  const visible = (wanted: Fields): Fields => shownOf(wanted, wanted);

  if (hasTwoAnswers !== true)
    test(`${name}: of two who save at once one is asked`, async () => {
      const [one, two] = await twoSessions(as);
      const [openedByOne, openedByTwo] = [await open(one), await open(two)];
      const answers = await Promise.all([
        one.send(to, { ...openedByOne, ...first }),
        two.send(to, { ...openedByTwo, ...second }),
      ]);
      assert.equal(answers.map(({ status }) => status).sort(), [303, 409]);
    });

  test(`${name}: the second save is asked about, and then counts`, async () => {
    const [one, two] = await twoSessions(as);
    await one.send(to, { ...(await open(one)), ...second });
    const [openedByOne, openedByTwo] = [await open(one), await open(two)];
    assert.is((await one.send(to, { ...openedByOne, ...first })).status, 303);

    const asked = await two.send(to, { ...openedByTwo, ...second });
    assert.is(asked.status, 409);
    const html = await asked.text();
    for (const text of ['"changed-after-opening"', '"keep-saved"', says])
      assert.ok(html.includes(text), text);
    const again = formOn(html, mark).fields;
    assert.equal(shownOf(again, second), visible(second));
    assert.equal(shownOf(await open(one), first), visible(first));

    assert.is((await two.send(to, again)).status, 303);
    assert.equal(shownOf(await open(one), second), visible(second));
  });

  test(`${name}: two people who save the same agree`, async () => {
    const [one, two] = await twoSessions(as);
    const [openedByOne, openedByTwo] = [await open(one), await open(two)];
    for (const [visitor, opened] of [
      [one, openedByOne],
      [two, openedByTwo],
    ] as const)
      assert.is((await visitor.send(to, { ...opened, ...first })).status, 303);
  });
}

test('a form of a page of 0.2 replaces what is saved', async () => {
  const [one, two] = await twoSessions(members.Viewer);
  const at = '/account/name';
  const open = async (visitor: TestVisitor) =>
    formOn(await (await visitor.send(at)).text(), `action="${at}"`).fields;
  const { [OPENED_FIELD]: fingerprint, ...opened } = await open(two);
  assert.ok(fingerprint);
  await one.send(at, { ...(await open(one)), name: 'Ana Roble' });
  assert.is((await two.send(at, { ...opened, name: 'Ana Olmo' })).status, 303);
  assert.is((await open(one))['name'], 'Ana Olmo');
});

test('every form that shows stored values is one of these', () => {
  const pagesFolder = new URL('../../api/pages/', import.meta.url).pathname;
  const files = readdirSync(pagesFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.startsWith('layout/'))
    .filter((file) =>
      /^ {2,8}replaces: [{A-Z]/m.test(readFileSync(join(pagesFolder, file), 'utf8')),
    )
    .map((file) => file.split('/').at(-1) ?? '');
  assert.equal(new Set(files.sort()), new Set(FORMS.map((one) => one.in).sort()));
});

test('of the items that a record needs, only those that the other person changed are named', async () => {
  const at = `${SETTINGS}/completeness`;
  const [one, two] = await twoSessions(members.Admin);
  await submit(one, at, { needed: 'residence', days: '' }, `action="${at}"`);
  const opened = formOn(await (await two.send(at)).text(), `action="${at}"`).fields;
  await submit(one, at, { needed: 'residence-county' }, `action="${at}"`);
  const html = await (
    await two.send(at, { ...opened, needed: 'mother-birth-date', days: '5' })
  ).text();
  const errors = [...html.matchAll(/href="#(field-[^"]+)" data-error="changed-since-opened"/g)];
  assert.equal(
    errors.map(([, field]) => field),
    ['field-needed-residence-county'],
  );
  assert.ok(html.includes('id="field-needed-residence-county"'));
});

test('a typed secret is asked for again, and is not in the page', async () => {
  const [one, two] = await twoSessions(members.Admin);
  const open = async () => formOn(await (await two.send(SIGN_ON)).text(), `action="${SIGN_ON}"`);
  const { fields } = await open();
  await submit(one, SIGN_ON, { domains: 'alder.example' }, `action="${SIGN_ON}"`);
  const clientSecret = 'typed and not repeated';
  const asked = await two.send(SIGN_ON, { ...fields, domains: 'elm.example', clientSecret });
  assert.is(asked.status, 409);
  const html = await asked.text();
  assert.match(html, /href="#field-clientSecret" data-error="secret-again"/);
  assert.not.match(html, clientSecret);
});

/** Question that another answer can make untrue. */
const QUESTIONS: readonly {
  readonly name: string;
  readonly as: TestAccount;
  readonly at: string;
  /** What another person does meanwhile. */
  readonly meanwhile: (other: TestVisitor) => Promise<unknown>;
}[] = [
  {
    name: 'the contract of a partner',
    as: staff,
    at: `/staff/partners/${partnerId}/contract?to=Suspended`,
    meanwhile: (other) =>
      submit(
        other,
        `/staff/partners/${partnerId}/contract?to=Pending`,
        {},
        `action="/staff/partners/${partnerId}/contract"`,
      ),
  },
  {
    name: 'turning off single sign-on',
    as: members.Admin,
    at: `${SIGN_ON}/off`,
    meanwhile: async () =>
      commands.practices.setSingleSignOn(
        {
          practiceId,
          issuer: 'https://other.example',
          clientId: 'x',
          allowedDomains: ['a.example'],
        },
        false,
      ),
  },
];

for (const { name, as, at, meanwhile } of QUESTIONS)
  test(`${name}: who was asked about something else is asked again`, async () => {
    const [one, two] = await twoSessions(as);
    const mark = `action="${at.split('?')[0]}"`;
    const { action, fields } = formOn(await (await two.send(at)).text(), mark);
    await meanwhile(one);
    const asked = await two.send(action, fields);
    assert.is(asked.status, 409);
    const html = await asked.text();
    assert.ok(html.includes('data-message="question-outdated"'));
    assert.is((await two.send(action, formOn(html, mark).fields)).status, 303);
  });

test('a heading that two files share: the second choice is asked about, and then counts', async () => {
  const [one, two] = await twoSessions(members.Admin);
  const file = (chart: string) =>
    csvOf([...BIRTH_COLUMNS, 'Nickname'], [[...birthRow(chart, `Mother ${chart}`), 'abc']]);
  const at = {
    one: await bringWithoutPage(url, one, file('SF-1')),
    two: await bringWithoutPage(url, two, file('SF-2')),
  };
  const openedByTwo = formOn(await (await two.send(at.two)).text(), '/columns"');
  const [column = ''] = Object.keys(openedByTwo.fields).filter((field) =>
    field.startsWith('column_'),
  );
  const chosen = await submit(one, at.one, { [column]: 'mother.birth_surname' }, '/columns"');
  assert.is(chosen.status, 303);

  const typed = { ...openedByTwo.fields, [column]: 'mother.phone' };
  const asked = await two.send(openedByTwo.action, typed);
  assert.is(asked.status, 409);
  const html = await asked.text();
  assert.ok(html.includes('data-message="changed-after-opening"'));
  assert.match(html, /“Nickname” is now read as “/);
  const again = formOn(html, '/columns"').fields;
  assert.is(again[column], 'mother.phone');
  assert.is((await two.send(openedByTwo.action, again)).status, 303);
});

test.run();
