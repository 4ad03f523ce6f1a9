import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES } from '../../domain/account/member/events.ts';
import { consoleOf, faultsOf } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { newMember, newVisitor, startTestPages } from '../harness/pages.ts';
import { post, push } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

const pages = await startTestPages();
test.after(() => pages.stop());

const staffVisitor = async () => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.staff);
  return visitor;
};

test('no member opens a page of the staff', async () => {
  for (const role of ROLES) {
    const visitor = newVisitor(pages.service.url);
    await visitor.signIn(pages.members[role]);
    const _csrf = await visitor.csrfToken('/registry');
    for (const path of ['/staff/practices', '/staff/partners', '/staff/practices/new'])
      assert.is((await visitor.send(path)).status, 403);
    const { practiceId } = pages.practice;
    const beta = `/staff/practices/${practiceId}/beta`;
    assert.is((await visitor.send(beta, { _csrf, to: 'false' })).status, 403);
  }
});

test('what is not there is not found, and what no page sends is not taken', async () => {
  const visitor = await staffVisitor();
  const _csrf = await visitor.csrfToken('/staff');
  for (const path of [
    '/staff/practices/none',
    '/staff/partners/none',
    '/staff/partners/none/keys/new',
  ])
    assert.is((await visitor.send(path)).status, 404);
  const at = `/staff/practices/${pages.practice.practiceId}`;
  assert.is((await visitor.send(`${at}/keys/none/revoke`)).status, 404);
  assert.is((await visitor.send(`${at}/beta`, { _csrf, to: 'maybe' })).status, 400);
  const beyond = await visitor.send('/staff/practices?q=cedar&page=9');
  assert.is(beyond.headers.get('location'), '/staff/practices?q=cedar');
  // What is looked for is a text: each of these stands for itself.
  for (const text of ['%', '_', '\\', 'c%r'])
    assert.not.match(
      await (await visitor.send(`/staff/practices?q=${encodeURIComponent(text)}`)).text(),
      new RegExp(pages.practice.practiceId),
    );
});

test('a practice is set up, switched, and gets its first Admin', async () => {
  const page = await pages.signIn(pages.staff);
  const messages = consoleOf(page);
  await page.getByRole('link', { name: 'Practices' }).first().click();
  await page.getByRole('link', { name: 'Set up a practice' }).click();
  await page.getByRole('button', { name: 'Set up practice' }).click();
  assert.match(await page.locator('[data-error-summary]').innerText(), /One thing to correct/);
  assert.equal(await faultsOf(page, 'staff-practice-error'), []);
  await page.getByLabel('Name').fill('Clínica de Partos “Äspen” – Ütah & Sons, at the Meadow');
  await page.getByLabel('A sandbox').check();
  await page.getByRole('button', { name: 'Set up practice' }).click();
  await page.waitForURL(/practices\/\w{21}$/);
  assert.match(await page.locator('main').innerText(), /Beta: outside/);
  assert.equal(await faultsOf(page, 'staff-practice-new'), []);

  await page.getByRole('button', { name: 'Take into the beta' }).click();
  await page.getByText('in the beta now').waitFor();
  await page.getByRole('button', { name: 'Make it a real practice' }).click();
  await page.getByText('a real practice now').waitFor();
  const text = await page.locator('main').innerText();
  assert.match(text, /Set up the practice as a sandbox, outside the beta/);
  assert.match(text, /Took the practice into the beta\s+staff@registry\.example/);
  assert.match(text, /Made the practice a real one/);

  await page.getByRole('link', { name: 'Rename the practice' }).click();
  await page.getByLabel('Name').fill(' ');
  await page.getByRole('button', { name: 'Rename practice' }).click();
  assert.match(await page.locator('[data-error-summary]').innerText(), /One thing to correct/);
  await page.getByLabel('Name').fill('Äspen – Ütah & Sons');
  await page.getByRole('button', { name: 'Rename practice' }).click();
  await page.getByText('is called Äspen – Ütah & Sons now').waitFor();

  await page.getByRole('link', { name: 'Invite the first Admin' }).click();
  await page.getByLabel('Email').fill('first@aspen');
  await page.getByRole('button', { name: 'Invite Admin' }).click();
  assert.match(await page.locator('[data-error-summary]').innerText(), /needs to be an address/);
  assert.is(await page.getByLabel('Email').inputValue(), 'first@aspen');
  await page.getByLabel('Email').fill('first@aspen.example');
  await page.getByRole('button', { name: 'Invite Admin' }).click();
  await page.waitForSelector('#one-time-password');
  const password = await page.locator('#one-time-password').innerText();
  assert.ok(password.length >= 16);
  assert.equal(await faultsOf(page, 'staff-admin-invited'), []);
  await page.reload();
  assert.is(await page.locator('h1').innerText(), 'Already done');
  assert.not.match(await page.content(), new RegExp(password));

  await page.goto('/staff/practices?q=ütah');
  assert.is(await page.locator('tbody tr').count(), 1);
  // Who was invited is no member yet.
  assert.match(await page.locator('tbody').innerText(), /\b0\b/);
  assert.equal(await faultsOf(page, 'staff-practices'), []);
  await page.goto('/staff/practices?q=%25');
  assert.match(await page.locator('main').innerText(), /No practice has this in its name/);
  assert.equal(messages, []);
  await page.context().close();
});

test('a practice that holds births stays a sandbox; the trail tells how it began, and of the attempt', async () => {
  const { service, practice } = pages;
  await push(service.url, practice.token, birthBundle({ chartNumber: 'SANDBOX-1' }));
  const at = `/staff/practices/${practice.practiceId}`;
  const page = await pages.signIn(pages.staff);
  await page.goto(at);
  await page.getByRole('button', { name: 'Make it a real practice' }).click();
  await page.getByText('has active records, so it stays a sandbox').waitFor();
  assert.equal(await faultsOf(page, 'staff-sandbox-refused'), []);
  const text = await page.locator('main').innerText();
  assert.match(text, /Kind: sandbox/);
  assert.match(
    text,
    /Tried to make the practice a real one; it has active records\s+staff@registry/,
  );
  assert.match(text, /Set up the practice as a sandbox, in the beta\s+The operator of the service/);
  await page.context().close();
});

test('a partner is set up, gets its key, and its contract decides over it', async () => {
  const { service, practice } = pages;
  const page = await pages.signIn(pages.staff);
  const messages = consoleOf(page);
  await page.goto('/staff/partners');
  assert.match(await page.locator('main').innerText(), /No partners yet/);
  await page.goto('/staff/partners/new');
  await page.getByLabel('Name').fill('Maple EHR');
  await page.getByRole('button', { name: 'Set up partner' }).click();
  await page.waitForURL(/partners\/\w{21}$/);
  const at = page.url();
  assert.match(await page.locator('main').innerText(), /Contract: Pending/);
  assert.match(
    await page.locator('main').innerText(),
    /Set up the partner, contract Pending, outside the beta/,
  );

  await page.getByRole('link', { name: 'Mint a key' }).click();
  await page.getByRole('button', { name: 'Mint key' }).click();
  assert.match(await page.locator('[data-error-summary]').innerText(), /Choose the practice/);
  assert.equal(await faultsOf(page, 'staff-partner-key-error'), []);
  await page.getByLabel('Practice').selectOption({ label: 'Cedar Birth Center' });
  await page.getByLabel('Name').fill('Feed');
  await page.getByRole('button', { name: 'Mint key' }).click();
  await page.waitForSelector('#minted-token');
  const token = await page.locator('#minted-token').innerText();
  assert.match(await page.locator('main').innerText(), /Maple EHR at Cedar Birth Center/);
  assert.equal(await faultsOf(page, 'staff-partner-minted'), []);
  assert.is((await post(service.url, token, birthBundle())).status, 403);

  await page.goto(at);
  await page.getByRole('button', { name: 'Take into the beta' }).click();
  await page.getByText('in the beta now').waitFor();
  assert.is((await post(service.url, token, birthBundle())).status, 403);
  await page.getByRole('button', { name: 'Change to Active' }).click();
  assert.match(await page.locator('main').innerText(), /will be let in at once/);
  assert.equal(await faultsOf(page, 'staff-contract'), []);
  await page.getByRole('button', { name: 'Change to Active' }).click();
  await page.getByText('is Active now').waitFor();
  assert.is((await post(service.url, token, birthBundle())).status, 202);
  for (const [addresses, status] of [
    ['203.0.113.0/24', 403],
    ['', 202],
  ] as const) {
    await page.getByRole('button', { name: 'Addresses' }).click();
    await page.getByLabel('Works only from').fill(addresses);
    await page.getByRole('button', { name: 'Save addresses' }).click();
    await page
      .getByText(addresses === '' ? 'now works from any address' : 'Feed now works only')
      .waitFor();
    assert.is((await post(service.url, token, birthBundle())).status, status);
  }
  await page.getByRole('button', { name: 'Change to Suspended' }).click();
  assert.match(await page.locator('main').innerText(), /one live key, which stays valid/);
  await page.getByRole('button', { name: 'Change to Suspended' }).click();
  await page.getByText('is Suspended now').waitFor();
  assert.is((await post(service.url, token, birthBundle())).status, 403);
  assert.equal(await faultsOf(page, 'staff-partner'), []);
  assert.not.match(await page.content(), new RegExp(token));
  const text = await page.locator('main').innerText();
  assert.match(text, /Minted the key “Feed” of Maple EHR for Cedar Birth Center/);
  assert.match(text, /Changed the contract to Suspended\s+staff@registry\.example/);

  await page.goto(`${at}/keys/new`);
  assert.is(await page.getByLabel('Practice').locator('option', { hasText: 'Cedar' }).count(), 0);
  await page.goto(at);
  await page.getByRole('button', { name: 'Revoke' }).click();
  assert.match(
    await page.locator('main').innerText(),
    /the key of Maple EHR for Cedar Birth Center/,
  );
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('nothing works with it any more').waitFor();
  assert.is((await post(service.url, token, birthBundle())).status, 401);

  await page.goto('/staff/partners');
  assert.equal(await faultsOf(page, 'staff-partners'), []);
  await page.goto(`/staff/practices/${practice.practiceId}`);
  assert.match(await page.locator('main').innerText(), /Revoked the key “Feed”/);
  assert.equal(await faultsOf(page, 'staff-practice'), []);
  assert.equal(messages, []);
  await page.context().close();
});

test('no key is minted outside the beta, or while one is live', async () => {
  const { commands } = pages.service;
  const partnerId = await commands.partners.create({
    name: 'Oak EHR',
    beta: true,
    status: 'Active',
  });
  const outside = await commands.practices.create({ name: 'Outside', sandbox: true, beta: false });
  const { practiceId } = pages.practice;
  await commands.keys.mintPartner({ partnerId, practiceId, name: null, scopes: ['ingest:write'] });
  const visitor = await staffVisitor();
  const at = `/staff/partners/${partnerId}/keys`;
  const _csrf = await visitor.csrfToken('/staff');
  await eventually(
    'the pages know both practice and partner',
    async () =>
      (await visitor.send(`/staff/partners/${partnerId}`)).status === 200 &&
      (await visitor.send(`/staff/practices/${outside}`)).status === 200,
  );
  const mint = async (practice: string) => {
    const form_id = crypto.randomUUID();
    const fields = { _csrf, form_id, practice, name: 'Feed', scopes: 'ingest:write' };
    const answer = await visitor.send(at, fields);
    assert.is(answer.status, 422);
    return answer.text();
  };
  assert.match(await mint(outside), /outside the partner-EHR beta/);
  assert.match(await mint(practiceId), /Revoke it before another is minted/);
});

test('the staff add, reset, sign out and remove one another; nobody themselves', async () => {
  const page = await pages.signIn(pages.staff);
  const messages = consoleOf(page);
  await page.goto('/staff/people');
  await page.getByRole('link', { name: 'Add a person' }).click();
  await page.getByRole('button', { name: 'Add person' }).click();
  assert.match(await page.locator('[data-error-summary]').innerText(), /One thing to correct/);
  assert.equal(await faultsOf(page, 'staff-person-error'), []);
  const email = 'second.person@registry.example';
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Add person' }).click();
  const first = await page.locator('#one-time-password').innerText();
  assert.equal(await faultsOf(page, 'staff-person-added'), []);

  const theirs = newVisitor(pages.service.url);
  const account = { id: '', email };
  const chooses = async (given: string) => {
    assert.is((await theirs.signIn(account, given)).headers.get('location'), '/account/password');
    const chosen = `a long passphrase of ${given}`;
    const _csrf = await theirs.csrfToken('/account/password');
    const fields = { _csrf, old: given, new: chosen, repeated: chosen };
    assert.is((await theirs.send('/account/password', fields)).status, 303);
    assert.is((await theirs.send('/staff')).status, 200);
    return chosen;
  };
  const chosen = await chooses(first);

  const row = page.getByRole('row', { name: /second\.person/ });
  const buttons = page.locator('main').getByRole('button');
  const openPerson = async (named: RegExp): Promise<void> => {
    await page.goto('/staff/people');
    await page.getByRole('row', { name: named }).getByRole('link').click();
    await page.waitForURL(/\/staff\/people\/[^/]+$/);
  };
  await openPerson(/\(you\)/);
  assert.equal(await buttons.allInnerTexts(), ['Change name']);
  await page.goto('/staff/people');
  assert.is(await buttons.count(), 0);
  assert.equal(await faultsOf(page, 'staff-people'), []);
  await openPerson(/second\.person/);
  assert.equal(await faultsOf(page, 'staff-person'), []);
  await buttons.getByText('Sign out everywhere').click();
  assert.equal(await faultsOf(page, 'staff-person-sign-out'), []);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('signed out of').waitFor();
  assert.is((await theirs.send('/staff')).status, 303);
  assert.is((await theirs.signIn(account, chosen)).headers.get('location'), '/staff');

  await openPerson(/second\.person/);
  await buttons.getByText('New password').click();
  await page.getByRole('button', { name: 'Give a new password' }).click();
  const second = await page.locator('#one-time-password').innerText();
  assert.is((await theirs.send('/staff')).status, 303);
  assert.is((await newVisitor(pages.service.url).signIn(account, chosen)).status, 401);
  await chooses(second);

  await openPerson(/second\.person/);
  await buttons.getByText('Remove').click();
  assert.equal(await faultsOf(page, 'staff-person-remove'), []);
  await page.getByRole('button', { name: 'Remove person' }).click();
  await page.getByText('is no longer on the service staff').waitFor();
  assert.is((await theirs.send('/staff')).status, 303);
  assert.match(await row.innerText(), /Removed/);
  await openPerson(/second\.person/);
  assert.match(await page.locator('main').innerText(), /Removed/);
  assert.is(await buttons.count(), 0);
  assert.equal(messages, []);
  await page.context().close();

  const visitor = await staffVisitor();
  const _csrf = await visitor.csrfToken('/staff');
  for (const action of ['password', 'sign-out', 'remove'])
    assert.is(
      (await visitor.send(`/staff/people/${pages.staff.id}/${action}`, { _csrf })).status,
      409,
    );
});

test('the staff let an Admin into a practice without one, and its Admins read why', async () => {
  const { commands } = pages.service;
  const practiceId = await commands.practices.create({ name: 'Larch', sandbox: true, beta: true });
  const last = await newMember(pages.service, practiceId, 'Admin', 'last@larch.example');
  const at = `/staff/practices/${practiceId}`;
  const page = await pages.signIn(pages.staff);
  await page.goto(at);
  assert.is(await page.getByRole('link', { name: /Admin/ }).count(), 0);
  await page.goto(`${at}/admin`);
  await page.getByLabel('Email').fill('new@larch.example');
  await page.getByRole('button', { name: 'Invite Admin' }).click();
  assert.match(await page.locator('[data-error-summary]').innerText(), /The practice has an Admin/);

  await commands.members.remove(practiceId, last.id, 'goes');
  await page.goto(at);
  await page.getByRole('link', { name: 'No Admin is left: let one in' }).click();
  await page.getByLabel('Email').fill('new@larch.example');
  await page.getByRole('button', { name: 'Invite Admin' }).click();
  assert.match(await page.locator('[data-error-summary]').innerText(), /Say why/);
  assert.equal(await faultsOf(page, 'staff-break-glass-error'), []);
  const reason = 'The only Admin has left; the manager asked for this by phone, ticket 4711.';
  await page.getByLabel('Why is an Admin let in?').fill(reason);
  await page.getByRole('button', { name: 'Invite Admin' }).click();
  const given = await page.locator('#one-time-password').innerText();
  await page.context().close();

  const context = await pages.browser.newContext(pages.service.url);
  const theirs = await context.newPage();
  await theirs.goto('/sign-in');
  await theirs.getByLabel('Email').fill('new@larch.example');
  await theirs.getByLabel('Password').fill(given);
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  await theirs.getByLabel('Password that you were given').fill(given);
  await theirs.getByLabel('New password', { exact: true }).fill('a passphrase of my own');
  await theirs.getByLabel('New password once more').fill('a passphrase of my own');
  assert.match(await theirs.locator('main').innerText(), /You are invited to Larch/);
  assert.equal(await faultsOf(theirs, 'invitation'), []);
  await theirs.getByRole('button', { name: 'Change password' }).click();
  await theirs.getByText('you are a member of Larch').waitFor();
  const banner = await theirs.locator('.break-glass-banner').innerText();
  assert.match(banner, /The service staff let an Admin in/);
  assert.ok(banner.includes(reason));
  assert.equal(await faultsOf(theirs, 'break-glass-banner'), []);
  await context.close();
});

test('the staff review who is one of them', async () => {
  const page = await pages.signIn(pages.staff);
  await page.goto('/staff/people');
  await page.getByRole('link', { name: 'Access review' }).click();
  assert.equal(await faultsOf(page, 'staff-review'), []);
  assert.is(
    await page.getByRole('row', { name: pages.staff.email }).getByRole('button').count(),
    0,
  );
  await page.getByRole('button', { name: 'Confirm all accounts' }).click();
  await page.getByText('The access review was recorded.').waitFor();
  await page.goto('/staff/people/review');
  assert.match(
    await page.locator('main').innerText(),
    new RegExp(`Last reviewed on .* by ${pages.staff.email}`),
  );
  await page.context().close();
});

test.run();
