import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { INVITED } from '../../api/pages/accounts/members/member-list.tsx';
import { ACCOUNT_TEXT } from '../../api/pages/accounts/staff/people-list.tsx';
import { describeSignIn } from '../../api/pages/audit/access-text.ts';
import { describeImporter } from '../../api/pages/import/result-page.tsx';
import { checkName, checkNewName } from '../../api/pages/parts/name-form.tsx';
import { actorNameCapitalized } from '../../api/pages/text/actor-name.ts';
import { displayNameWithEmail } from '../../projections/lists/people-names.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  newMember,
  newVisitor,
  PASSWORD,
  sharedTestPages,
  signInHere,
  signInVisitor,
  type TestAccount,
  type TestVisitor,
} from '../harness/pages.ts';
import { sendBirth } from '../harness/service.ts';
import { findMessage } from '../harness/test-page.ts';
import { changeOf, errorsOf, messageOf } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';
import {
  BIRTH_COLUMNS,
  birthRow,
  bringWithoutPage,
  csvOf,
  importWithoutPage,
  mainOf,
} from '../support/imports.ts';

const LONG = 'María de la Concepción Villanueva-Ångström y Fernández-Żółkiewska de Guðmundsdóttir';
const SCRIPT = '<script>document.title="taken"</script> & "Ana"';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const { practiceId } = pages.practice;
const { members: seats, staff: staffCommands } = pages.service.commands;

/** Somebody with a seat and a name. */
const named = async (
  role: 'Admin' | 'Provider' | 'Viewer',
  email: string,
  name: string,
): Promise<TestAccount & { readonly name: string }> => {
  const account = await newMember(pages.service, practiceId, role, email);
  await seats.rename(practiceId, account.id, name);
  return { ...account, name };
};

const signedIn = async (account: TestAccount): Promise<TestVisitor> => {
  const visitor = newVisitor(pages.service.url);
  assert.is((await visitor.signIn(account)).status, 303);
  return visitor;
};

const admin = await signedIn(pages.members.Admin);

/** What a page says, without its tags. */
const textOf = async (visitor: TestVisitor, path: string): Promise<string> =>
  (await (await visitor.send(path)).text()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

/** The table of the pairs that were told apart lately. */
const decidedIn = async (visitor: TestVisitor): Promise<string> => {
  const html = await (await visitor.send('/registry/duplicates')).text();
  return /<section aria-labelledby="dismissed-pairs">.*?<\/section>/s.exec(html)?.[0] ?? '';
};

const voided = async (visitor: TestVisitor, record: string): Promise<void> => {
  const at = `/registry/records/${record}/void`;
  const fields = { _csrf: await visitor.csrfToken(at), version: '1', reason: 'Entered twice' };
  assert.is((await visitor.send(at, fields)).status, 303);
};

test('a person says what they are called, and every page says it at once', async () => {
  const account = await newMember(pages.service, practiceId, 'Provider', 'own.name@cedar.example');
  const page = await pages.visit(account);
  const own = page.locator('.bar__seat');
  assert.match(await own.innerText(), `${account.email} · Provider`);
  await own.click();
  assert.is(await page.locator('h1').innerText(), 'Your name');
  const save = () => page.getByRole('button', { name: 'Save name' }).click();
  await save();
  assert.equal(await errorsOf(page), [messageOf(checkNewName(''))]);
  await page.getByLabel('Name').fill('admin@cedar.example');
  await save();
  await page
    .getByText(messageOf(checkNewName('admin@cedar.example')))
    .first()
    .waitFor();
  assert.is(await page.getByLabel('Name').inputValue(), 'admin@cedar.example');
  assert.equal(await faultsOf(page, 'own-name-error'), []);
  await page.getByLabel('Name').fill(`  ${LONG} `);
  await save();
  await findMessage(page, 'own-name-saved').waitFor();
  assert.is(new URL(page.url()).search, '');
  assert.is(await page.getByLabel('Name').inputValue(), LONG);
  assert.match(await own.innerText(), `${LONG} · Provider`);
  assert.is(await own.getAttribute('title'), account.email);
  assert.equal(await faultsOf(page, 'own-name'), []);
  await page.goto('/registry/records');
  assert.match(await own.innerText(), LONG);
});

test('a name that looks like a part of a page is only text', async () => {
  const account = await named('Viewer', 'script@cedar.example', 'Ana');
  const page = await pages.visit('Admin', { at: `/registry/members/${account.id}` });
  await page.getByRole('button', { name: 'Change name' }).click();
  assert.is(await page.getByLabel('Name').inputValue(), account.name);
  assert.equal(await faultsOf(page, 'member-name'), []);
  await page.getByLabel('Name').fill(SCRIPT);
  await page.getByRole('button', { name: 'Save name' }).click();
  assert.match(await findMessage(page, 'name-saved').innerText(), account.email);
  assert.is(await page.locator('h1').innerText(), SCRIPT);
  await page.goto('/registry/members');
  const row = page.getByRole('row', { name: account.email });
  assert.is(await row.getByRole('link').innerText(), SCRIPT);
  await page.goto('/registry/integrations');
  assert.match(await mainOf(page), changeOf('MemberNamed', SCRIPT, account));
  await page.goto('/registry/access-log');
  assert.match(await page.title(), /^Access log/);

  const theirs = await pages.visit(account);
  assert.ok((await theirs.locator('.bar__seat').innerText()).endsWith(`${SCRIPT} · Viewer`));
  assert.not.match(await theirs.title(), 'taken');
});

test('what a person did says their name of now: record, Home, duplicates, imports, rights, access', async () => {
  const dana = await named('Provider', 'dana@cedar.example', 'Dana Lindqvist');
  const provider = await signedIn(dana);
  const mother = { family: 'Quist', given: ['Ebba'] };
  const sent = birthBundle({ chartNumber: 'NAME-1', mother });
  const record = await sendBirth(pages, sent);
  await voided(provider, record);
  const history = await (await provider.send(`/registry/records/${record}`)).text();
  assert.match(history, `<strong title="${dana.email}">Voided by ${dana.name}</strong>`);
  assert.match(await textOf(admin, `/registry/records/${record}`), `Voided by ${dana.name}`);

  await sendBirth(pages, { ...sent, timestamp: '2026-10-02T10:00:00Z' });
  assert.match(await textOf(admin, '/registry'), `voided by ${dana.name}`);
  const like = await sendBirth(pages, birthBundle({ chartNumber: 'NAME-2', mother }));
  const decided = await provider.send('/registry/duplicates/different', {
    _csrf: await provider.csrfToken('/registry/duplicates'),
    newer: like,
    older: record,
  });
  assert.is(decided.status, 303);
  assert.match(await decidedIn(admin), `>${dana.name}</td>`);

  const file = csvOf(BIRTH_COLUMNS, [birthRow('NAME-3', 'Holm')]);
  const check = await bringWithoutPage(pages.service.url, provider, file);
  const result = await importWithoutPage(provider, check);
  assert.match(await textOf(provider, result), describeImporter(dana.name));
  assert.match(await textOf(admin, '/registry/import'), dana.name);

  await seats.changeSeat(practiceId, dana.id, 'Viewer');
  const trail = await textOf(admin, '/registry/integrations');
  assert.match(trail, changeOf('SeatChanged', 'Viewer', dana));
  await pages.service.commands.accessLog(practiceId, { person: null, record: null, kind: null });
  const access = await textOf(admin, '/registry/access-log');
  assert.match(access, `${displayNameWithEmail(dana)} ${describeSignIn([])}`);
  // Also in the list of whom one can ask for.
  assert.ok(access.split(displayNameWithEmail(dana)).length > 3);

  // Another name, and no seat any more: everything says the name, none the email alone.
  const now = { ...dana, name: 'Dana Berg' };
  await seats.rename(practiceId, dana.id, now.name);
  await seats.remove(practiceId, dana.id);
  for (const [path, says] of [
    [`/registry/records/${record}`, `Voided by ${now.name}`],
    ['/registry/duplicates', ` ${now.name} `],
    ['/registry/integrations', changeOf('MemberRemoved', null, now)],
    ['/registry/access-log', `${displayNameWithEmail(now)} ${describeSignIn([])}`],
  ] as const) {
    const text = await textOf(admin, path);
    assert.match(text, says, path);
    assert.not.match(text, `by ${dana.name}`, path);
    assert.not.match(text, `${dana.name} (`, path);
  }
});

test('a person who gets a seat elsewhere, or whoever has their email there, keeps their name here', async () => {
  const record = await sendBirth(pages, birthBundle({ chartNumber: 'ELSE-1' }));
  const away = await named('Provider', 'went.away@cedar.example', 'Ida Falk');
  await voided(await signedIn(away), record);
  await seats.remove(practiceId, away.id);
  const { commands } = pages.service;
  const elsewhere = await commands.practices.create({ name: 'Fir', sandbox: true, beta: false });
  await commands.accounts.addMember({
    practiceId: elsewhere,
    email: away.email,
    password: PASSWORD,
    role: 'Admin',
    name: 'Mickey',
  });
  assert.match(await textOf(admin, `/registry/records/${record}`), `Voided by ${away.name}`);
  const trail = await textOf(admin, '/registry/integrations');
  assert.match(trail, changeOf('MemberRemoved', null, away));
  assert.not.match(trail, 'Mickey');
  await commands.accessLog(practiceId, { person: null, record: null, kind: null });
  const access = await textOf(admin, '/registry/access-log');
  assert.match(access, `${displayNameWithEmail(away)} ${describeSignIn([])}`);
  assert.not.match(access, 'Mickey');
  assert.match(await textOf(await signedIn(away), '/registry/members'), 'Mickey');
});

test('two people of one name are told apart by their emails', async () => {
  const [one, other] = [
    await named('Provider', 'ana.one@cedar.example', 'Ana Ruiz'),
    await named('Provider', 'ana.two@cedar.example', 'ana ruiz'),
  ];
  for (const [account, chartNumber] of [
    [one, 'ANA-1'],
    [other, 'ANA-2'],
  ] as const) {
    const record = await sendBirth(pages, birthBundle({ chartNumber }));
    await voided(await signedIn(account), record);
    const text = await textOf(admin, `/registry/records/${record}`);
    assert.match(text, `Voided by ${displayNameWithEmail(account)}`);
  }
});

pages.pageTest(
  'an Admin writes a name into an invitation; its owner corrects it when they accept',
  { as: 'Admin', at: '/registry/members/invite' },
  async ({ page }) => {
    const email = 'ana.mistyped@cedar.example';
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Name').fill('Ana\u200bRuiz');
    await page.getByLabel('Viewer:').check();
    const invite = () => page.getByRole('button', { name: 'Invite member' }).click();
    await invite();
    assert.equal(await errorsOf(page), [messageOf(checkName('Ana\u200bRuiz'))]);
    assert.equal(await faultsOf(page, 'invite-with-name-error'), []);
    await page.getByLabel('Name').fill('Anna Ruis');
    await invite();
    const given = await page.locator('#one-time-password').innerText();
    await page.goto('/registry/members');
    const row = page.getByRole('row', { name: `Anna Ruis ${email}` });
    assert.match(await row.innerText(), INVITED);
    assert.match(
      await textOf(admin, '/registry/integrations'),
      changeOf('MemberInvited', 'Viewer', { email, name: 'Anna Ruis' }),
    );

    const theirs = await pages.visit('visitor', { at: '/sign-in' });
    await signInHere(theirs, { email }, given);
    assert.is(await theirs.getByLabel('Your name').inputValue(), 'Anna Ruis');
    await theirs.getByLabel('Your name').fill('ana@ruiz.example');
    const choose = async (chosen: string) => {
      await theirs.getByLabel('One-time password').fill(given);
      await theirs.getByLabel('New password', { exact: true }).fill(chosen);
      await theirs.getByLabel('Confirm new password').fill(chosen);
      await theirs.getByRole('button', { name: 'Set password' }).click();
    };
    await choose(PASSWORD);
    assert.equal(await errorsOf(theirs), [messageOf(checkName('ana@ruiz.example'))]);
    assert.is(await theirs.getByLabel('Your name').inputValue(), 'ana@ruiz.example');
    assert.equal(await faultsOf(theirs, 'invitation-with-name'), []);
    await theirs.getByLabel('Your name').fill('Ana Ruíz');
    await choose(PASSWORD);
    const begun = await findMessage(theirs, 'membership-begun').innerText();
    assert.match(begun, 'Cedar Birth Center');
    assert.match(await theirs.locator('.bar__seat').innerText(), 'Ana Ruíz · Viewer');
  },
);

test('a form that was opened before names were asked for takes the name of the invitation', async () => {
  const email = 'opened.before@cedar.example';
  const { oneTimePassword, memberId } = await seats.invite({
    practiceId,
    email,
    role: 'Viewer',
    name: 'Olga Berg',
  });
  const theirs = await signInVisitor(pages.service.url, { id: '', email }, oneTimePassword);
  const _csrf = await theirs.csrfToken('/account/password');
  const fields = { _csrf, old: oneTimePassword, new: PASSWORD, repeated: PASSWORD };
  assert.is((await theirs.send('/account/password', fields)).status, 303);
  const listed = await pages.service.commands.lists.members(practiceId);
  assert.is(listed.find((member) => member.memberId === memberId)?.name, 'Olga Berg');
});

test('the staff have names among themselves; a practice learns none of them', async () => {
  const staff = await signedIn(pages.staff);
  const _csrf = await staff.csrfToken('/staff');
  assert.is((await staff.send('/account/name', { _csrf, name: 'Sam Reyes' })).status, 303);
  assert.match(await textOf(staff, '/staff'), 'Sam Reyes');
  const email = 'jo@registry-names.example';
  const { oneTimePassword } = await staffCommands.invite(email, 'Jo Park');
  assert.ok(oneTimePassword);
  const people = await pages.service.commands.lists.staff();
  const jo = people.find((person) => person.email === email);
  assert.is(jo?.name, 'Jo Park');
  const at = `/staff/people/${jo?.staffId}`;
  assert.match(
    await textOf(staff, at),
    `Name Jo Park Email ${email} Account ${ACCOUNT_TEXT.active} `,
  );
  assert.is((await staff.send(`${at}/name`, { _csrf, name: ' ' })).status, 422);
  assert.is((await staff.send(`${at}/name`, { _csrf, name: 'Jo Parker' })).status, 303);
  assert.match(await textOf(staff, '/staff/people'), 'Jo Parker');
  assert.is((await staff.send('/staff/people/none')).status, 404);
  assert.is((await staff.send('/staff/people/none/name', { _csrf, name: 'No One' })).status, 404);

  const rename = { _csrf, name: 'Cedar Birth Center and Friends' };
  assert.is((await staff.send(`/staff/practices/${practiceId}/name`, rename)).status, 303);
  const renamed = changeOf('PracticeRenamed', rename.name);
  const sam = { kind: 'staff', email: pages.staff.email, name: 'Sam Reyes' } as const;
  assert.match(
    await textOf(staff, `/staff/practices/${practiceId}`),
    `${renamed} ${actorNameCapitalized(sam, 'staff')}`,
  );
  const trail = await textOf(admin, '/registry/integrations');
  assert.match(trail, `${renamed} ${actorNameCapitalized(sam, 'practice')}`);
  assert.not.match(trail, 'Sam Reyes');
});

test('the person page is for the Admins of the practice', async () => {
  const { id } = pages.members.Viewer;
  const at = `/registry/members/${id}`;
  const visitor = await signedIn(pages.members.Provider);
  const _csrf = await visitor.csrfToken('/registry');
  assert.is((await visitor.send(at)).status, 403);
  assert.is((await visitor.send(`${at}/name`, { _csrf, name: 'Mickey' })).status, 403);
  await seats.rename(practiceId, id, LONG);
  const page = await pages.visit('Admin', { at: '/registry/members' });
  assert.equal(await faultsOf(page, 'members-named'), []);
  await page.getByRole('row', { name: pages.members.Viewer.email }).getByRole('link').click();
  await page.waitForURL(`**${at}`);
  assert.is(await page.locator('h1').innerText(), LONG);
  assert.equal(await faultsOf(page, 'member-long-name'), []);
  await page.goto('/registry/members/review');
  const reviewed = page.getByRole('row', { name: `${LONG} ${pages.members.Viewer.email}` });
  assert.is(await reviewed.count(), 1);
  assert.equal(await faultsOf(page, 'members-review-named'), []);
  await page.goto('/registry/access-log');
  assert.equal(await faultsOf(page, 'access-log-named'), []);
});

test.run();
