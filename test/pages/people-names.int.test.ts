import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { faultsOf } from '../harness/browser.ts';
import {
  newMember,
  newVisitor,
  PASSWORD,
  sharedTestPages,
  type TestAccount,
  type TestVisitor,
} from '../harness/pages.ts';
import { birthBundle } from '../support/bundles.ts';
import { bring, importEnded, mainOf } from '../support/import-pages.ts';
import { BIRTH_COLUMNS, birthRow, csvOf } from '../support/imports.ts';
import { sendBirth } from '../support/sent-births.ts';

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
): Promise<TestAccount> => {
  const account = await newMember(pages.service, practiceId, role, email);
  await seats.rename(practiceId, account.id, name);
  return account;
};

const signedIn = async (account: TestAccount): Promise<TestVisitor> => {
  const visitor = newVisitor(pages.service.url);
  assert.is((await visitor.signIn(account)).status, 303);
  return visitor;
};

/** What a page says, without its tags. */
const textOf = async (visitor: TestVisitor, path: string): Promise<string> =>
  (await (await visitor.send(path)).text()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

const voided = async (visitor: TestVisitor, record: string): Promise<void> => {
  const at = `/registry/records/${record}/void`;
  const fields = { ...(await visitor.birthFormFields(at)), version: '1', reason: 'Entered twice' };
  assert.is((await visitor.send(at, fields)).status, 303);
};

pages.browserTest(
  'a person says what they are called, and every page says it at once',
  async ({ open }) => {
    const account = await newMember(
      pages.service,
      practiceId,
      'Provider',
      'own.name@cedar.example',
    );
    const page = await open(account);
    const own = page.locator('.bar__seat');
    assert.match(await own.innerText(), /own\.name@cedar\.example · Provider/);
    await own.click();
    assert.is(await page.locator('h1').innerText(), 'Your name');
    const save = () => page.getByRole('button', { name: 'Save name' }).click();
    await save();
    assert.match(await page.locator('[data-error-summary]').innerText(), /Enter a name/);
    await page.getByLabel('Name').fill('admin@cedar.example');
    await save();
    assert.match(await page.locator('[data-error-summary]').innerText(), /no @/);
    assert.is(await page.getByLabel('Name').inputValue(), 'admin@cedar.example');
    assert.equal(await faultsOf(page, 'own-name-error'), []);
    await page.getByLabel('Name').fill(`  ${LONG} `);
    await save();
    await page.getByText('Your name was saved.').waitFor();
    assert.is(new URL(page.url()).search, '');
    assert.is(await page.getByLabel('Name').inputValue(), LONG);
    assert.match(await own.innerText(), new RegExp(`${LONG} · Provider`));
    assert.is(await own.getAttribute('title'), account.email);
    assert.equal(await faultsOf(page, 'own-name'), []);
    await page.goto('/registry/records');
    assert.match(await own.innerText(), new RegExp(LONG));
  },
);

pages.browserTest('a name that looks like a part of a page is only text', async ({ open }) => {
  const account = await named('Viewer', 'script@cedar.example', 'Ana');
  const admin = await open('Admin', { at: `/registry/members/${account.id}` });
  await admin.getByRole('button', { name: 'Change name' }).click();
  assert.is(await admin.getByLabel('Name').inputValue(), 'Ana');
  assert.equal(await faultsOf(admin, 'member-name'), []);
  await admin.getByLabel('Name').fill(SCRIPT);
  await admin.getByRole('button', { name: 'Save name' }).click();
  await admin.getByText('The name of script@cedar.example was saved.').waitFor();
  assert.is(await admin.locator('h1').innerText(), SCRIPT);
  await admin.goto('/registry/members');
  assert.is(
    await admin
      .getByRole('row', { name: /script@cedar/ })
      .getByRole('link')
      .innerText(),
    SCRIPT,
  );
  await admin.goto('/registry/integrations');
  const trail = await mainOf(admin);
  assert.ok(trail.includes(`Named script@cedar.example “${SCRIPT}”`), trail);
  await admin.goto('/registry/access-log');
  assert.match(await admin.title(), /^Access log/);

  const theirs = await open(account);
  assert.ok((await theirs.locator('.bar__seat').innerText()).endsWith(`${SCRIPT} · Viewer`));
  assert.not.match(await theirs.title(), /taken/);
});

pages.browserTest(
  'what a person did says their name of now: record, Home, duplicates, imports, rights, access',
  async ({ open }) => {
    const dana = await named('Provider', 'dana@cedar.example', 'Dana Lindqvist');
    const admin = await signedIn(pages.members.Admin);
    const provider = await signedIn(dana);
    const mother = { family: 'Quist', given: ['Ebba'] };
    const sent = birthBundle({ chartNumber: 'NAME-1', mother });
    const record = await sendBirth(pages, sent);
    await voided(provider, record);
    const history = await (await provider.send(`/registry/records/${record}`)).text();
    assert.match(history, /<strong title="dana@cedar\.example">Voided by Dana Lindqvist<\/strong>/);
    assert.match(await textOf(admin, `/registry/records/${record}`), /Voided by Dana Lindqvist/);

    await sendBirth(pages, { ...sent, timestamp: '2026-10-02T10:00:00Z' });
    assert.match(await textOf(admin, '/registry'), /voided by Dana Lindqvist/);
    const like = await sendBirth(pages, birthBundle({ chartNumber: 'NAME-2', mother }));
    const decided = await provider.send('/registry/duplicates/different', {
      ...(await provider.birthFormFields('/registry/duplicates')),
      newer: like,
      older: record,
    });
    assert.is(decided.status, 303);
    assert.match(await textOf(admin, '/registry/duplicates'), /Decided.* Dana Lindqvist .*Undo/);

    const page = await open(dana, { at: '/registry/import' });
    await bring(page, 'births.csv', csvOf(BIRTH_COLUMNS, [birthRow('NAME-3', 'Holm')]));
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await importEnded(page);
    assert.match(await mainOf(page), /Imported by Dana Lindqvist on/);
    assert.match(await textOf(admin, '/registry/import'), /Dana Lindqvist/);

    await seats.changeSeat(practiceId, dana.id, 'Viewer');
    const trail = await textOf(admin, '/registry/integrations');
    assert.match(trail, /Changed the seat of Dana Lindqvist \(dana@cedar\.example\) to Viewer/);
    await pages.service.commands.accessLog(practiceId, { person: null, record: null, kind: null });
    const access = await textOf(admin, '/registry/access-log');
    assert.match(access, /Dana Lindqvist \(dana@cedar\.example\) Signed in/);
    // Also in the list of whom one can ask for.
    assert.ok(access.split('Dana Lindqvist (dana@cedar.example)').length > 3);

    // Another name, and no seat any more: everything says the name, none the email alone.
    await seats.rename(practiceId, dana.id, 'Dana Berg');
    await seats.remove(practiceId, dana.id);
    for (const [path, says] of [
      [`/registry/records/${record}`, /Voided by Dana Berg/],
      ['/registry/duplicates', / Dana Berg /],
      ['/registry/integrations', /Dana Berg \(dana@cedar\.example\) was removed/],
      ['/registry/access-log', /Dana Berg \(dana@cedar\.example\) Signed in/],
    ] as const) {
      const text = await textOf(admin, path);
      assert.match(text, says, path);
      assert.not.match(text, /by Dana Lindqvist|Dana Lindqvist \(/, path);
    }
  },
);

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
  const admin = await signedIn(pages.members.Admin);
  assert.match(await textOf(admin, `/registry/records/${record}`), /Voided by Ida Falk/);
  const trail = await textOf(admin, '/registry/integrations');
  assert.match(trail, /Ida Falk \(went\.away@cedar\.example\) was removed/);
  assert.not.match(trail, /Mickey/);
  await commands.accessLog(practiceId, { person: null, record: null, kind: null });
  const access = await textOf(admin, '/registry/access-log');
  assert.match(access, /Ida Falk \(went\.away@cedar\.example\) Signed in/);
  assert.not.match(access, /Mickey/);
  assert.match(await textOf(await signedIn(away), '/registry/members'), /Mickey/);
});

test('two people of one name are told apart by their emails', async () => {
  const [one, other] = [
    await named('Provider', 'ana.one@cedar.example', 'Ana Ruiz'),
    await named('Provider', 'ana.two@cedar.example', 'ana ruiz'),
  ];
  const records = [];
  for (const [account, chartNumber] of [
    [one, 'ANA-1'],
    [other, 'ANA-2'],
  ] as const) {
    const record = await sendBirth(pages, birthBundle({ chartNumber }));
    await voided(await signedIn(account), record);
    records.push(record);
  }
  const admin = await signedIn(pages.members.Admin);
  const voids = await Promise.all(
    records.map(async (record) => textOf(admin, `/registry/records/${record}`)),
  );
  assert.match(voids[0] ?? '', /Voided by Ana Ruiz \(ana\.one@cedar\.example\)/);
  assert.match(voids[1] ?? '', /Voided by ana ruiz \(ana\.two@cedar\.example\)/);
});

pages.pageTest(
  'an Admin writes a name into an invitation; its owner corrects it when they accept',
  { as: 'Admin', at: '/registry/members/invite' },
  async ({ page, open }) => {
    await page.getByLabel('Email').fill('ana.mistyped@cedar.example');
    await page.getByLabel('Name').fill('Ana\u200bRuiz');
    await page.getByLabel(/^Viewer/).check();
    const invite = () => page.getByRole('button', { name: 'Invite member' }).click();
    await invite();
    assert.match(await page.locator('[data-error-summary]').innerText(), /cannot be shown/);
    assert.equal(await faultsOf(page, 'invite-with-name-error'), []);
    await page.getByLabel('Name').fill('Anna Ruis');
    await invite();
    const given = await page.locator('#one-time-password').innerText();
    await page.goto('/registry/members');
    assert.match(
      await page.getByRole('row', { name: /ana\.mistyped/ }).innerText(),
      /Anna Ruis\s+ana\.mistyped@cedar\.example.*Invited/s,
    );
    await page.goto('/registry/integrations');
    assert.match(
      await mainOf(page),
      /Invited Anna Ruis \(ana\.mistyped@cedar\.example\) to a seat/,
    );

    const theirs = await open('visitor', { at: '/sign-in' });
    await theirs.getByLabel('Email').fill('ana.mistyped@cedar.example');
    await theirs.getByLabel('Password').fill(given);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    assert.is(await theirs.getByLabel('Your name').inputValue(), 'Anna Ruis');
    await theirs.getByLabel('Your name').fill('ana@ruiz.example');
    const choose = async (chosen: string) => {
      await theirs.getByLabel('Password that you were given').fill(given);
      await theirs.getByLabel('New password', { exact: true }).fill(chosen);
      await theirs.getByLabel('New password once more').fill(chosen);
      await theirs.getByRole('button', { name: 'Change password' }).click();
    };
    await choose(PASSWORD);
    assert.match(await theirs.locator('[data-error-summary]').innerText(), /no @/);
    assert.is(await theirs.getByLabel('Your name').inputValue(), 'ana@ruiz.example');
    assert.equal(await faultsOf(theirs, 'invitation-with-name'), []);
    await theirs.getByLabel('Your name').fill('Ana Ruíz');
    await choose(PASSWORD);
    await theirs.getByText('Your password is set').waitFor();
    assert.match(await theirs.locator('.bar__seat').innerText(), /Ana Ruíz · Viewer/);
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
  const theirs = newVisitor(pages.service.url);
  await theirs.signIn({ id: '', email }, oneTimePassword);
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
  assert.match(await textOf(staff, '/staff'), /Sam Reyes/);
  const email = 'jo@registry-names.example';
  const { oneTimePassword } = await staffCommands.invite(email, 'Jo Park');
  assert.ok(oneTimePassword);
  const people = await pages.service.commands.lists.staff();
  const jo = people.find((person) => person.email === email);
  assert.is(jo?.name, 'Jo Park');
  const at = `/staff/people/${jo?.staffId}`;
  assert.match(await textOf(staff, at), /Jo Park.*jo@registry-names\.example.*Open/);
  assert.is((await staff.send(`${at}/name`, { _csrf, name: ' ' })).status, 422);
  assert.is((await staff.send(`${at}/name`, { _csrf, name: 'Jo Parker' })).status, 303);
  assert.match(await textOf(staff, '/staff/people'), /Jo Parker/);
  assert.is((await staff.send('/staff/people/none')).status, 404);
  assert.is((await staff.send('/staff/people/none/name', { _csrf, name: 'No One' })).status, 404);

  const rename = { _csrf, name: 'Cedar Birth Center and Friends' };
  assert.is((await staff.send(`/staff/practices/${practiceId}/name`, rename)).status, 303);
  assert.match(
    await textOf(staff, `/staff/practices/${practiceId}`),
    new RegExp(`Renamed the practice to .* Sam Reyes \\(${pages.staff.email}\\)`),
  );
  const admin = await signedIn(pages.members.Admin);
  const trail = await textOf(admin, '/registry/integrations');
  assert.match(trail, /Renamed the practice to .* The service staff/);
  assert.not.match(trail, /Sam Reyes/);
});

pages.browserTest('the person page is for the Admins of the practice', async ({ open }) => {
  const { id } = pages.members.Viewer;
  const at = `/registry/members/${id}`;
  const visitor = await signedIn(pages.members.Provider);
  const _csrf = await visitor.csrfToken('/registry');
  assert.is((await visitor.send(at)).status, 403);
  assert.is((await visitor.send(`${at}/name`, { _csrf, name: 'Mickey' })).status, 403);
  await seats.rename(practiceId, id, LONG);
  const admin = await open('Admin', { at: '/registry/members' });
  await admin.getByRole('row', { name: pages.members.Viewer.email }).getByRole('link').click();
  assert.is(await admin.locator('h1').innerText(), LONG);
  assert.equal(await faultsOf(admin, 'member-long-name'), []);
  await admin.goto('/registry/members');
  assert.equal(await faultsOf(admin, 'members-named'), []);
  await admin.goto('/registry/members/review');
  assert.match(await mainOf(admin), new RegExp(`${LONG}\\s+${pages.members.Viewer.email}`));
  assert.equal(await faultsOf(admin, 'members-review-named'), []);
  await admin.goto('/registry/access-log');
  assert.equal(await faultsOf(admin, 'access-log-named'), []);
});

test.run();
