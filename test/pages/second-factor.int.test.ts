import { generateSync } from 'otplib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { WRONG_CONFIRMATION } from '../../api/pages/audit/access-text.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  ageSessions,
  newMember,
  newVisitor,
  PASSWORD,
  sharedTestPages,
  signInHere,
  signInVisitor,
  type TestAccount,
  type TestVisitor,
} from '../harness/pages.ts';
import { findMessage, readMessage } from '../harness/test-page.ts';
import { errorIdsOf } from '../support/birth-form.ts';

const STEP_MS = 30_000;

/** What a page has that asks for the second factor and then goes on with the form. */
const FACTOR_AGAIN = 'data-message="factor-again"';

const pages = await sharedTestPages();
test.after(() => pages.stop());

/** The code of the step that is so many after now. */
const codeOf = (secret: string, stepsAhead = 0): string =>
  generateSync({ secret, epoch: Math.floor((Date.now() + stepsAhead * STEP_MS) / 1_000) });

/** Sets up an app over plain HTTP. @returns its secret, and the recovery codes */
const setUpApp = async (visitor: TestVisitor) => {
  const _csrf = await visitor.csrfToken('/account/security');
  const begun = await (await visitor.send('/account/security/app', { _csrf })).text();
  const secret = (/id="app-secret">([^<]+)</.exec(begun)?.[1] ?? '').replaceAll(' ', '');
  const send = async (): Promise<readonly string[]> => {
    const code = codeOf(secret, -1);
    const done = await (await visitor.send('/account/security/app/code', { _csrf, code })).text();
    return (/id="recovery-codes">([^<]+)</.exec(done)?.[1] ?? '').trim().split('\n');
  };
  // The step of the code may end before it arrives: then it is two steps old, and refused.
  const first = await send();
  const codes = first.length > 1 ? first : await send();
  assert.is(codes.length, 10);
  return { secret, codes };
};

const member = async (name: string): Promise<{ account: TestAccount; visitor: TestVisitor }> => {
  const { service, practice } = pages;
  const email = `${name}@factor.example`;
  const account = await newMember(service, practice.practiceId, 'Viewer', email);
  const visitor = await signInVisitor(service.url, account);
  return { account, visitor };
};

/** The first step, then a code. @returns the status, and where it leads */
const signInWith = async (account: TestAccount, code: string, password = PASSWORD) => {
  const visitor = newVisitor(pages.service.url);
  const first = await visitor.signIn(account, password);
  assert.is(first.headers.get('location'), '/sign-in/code');
  // The password alone opens nothing.
  assert.is((await visitor.send('/registry')).status, 303);
  const _csrf = await visitor.csrfToken('/sign-in/code');
  const answer = await visitor.send('/sign-in/code', { _csrf, code });
  return { visitor, status: answer.status, location: answer.headers.get('location') };
};

const { account: browsing } = await member('browser');

pages.pageTest(
  'an authenticator app is set up in the browser, and asked for at the next sign-in',
  { as: browsing, newSession: true },
  async ({ page }) => {
    await page.getByRole('link', { name: 'Security' }).click();
    assert.equal(await faultsOf(page, 'security-off'), []);
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    assert.equal(await faultsOf(page, 'security-set-up'), []);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Turn it on' }).click();
    assert.equal(await errorIdsOf(page), ['wrong-code']);
    const secret = (await page.locator('#app-secret').innerText()).replaceAll(' ', '');
    await page.getByLabel('Code').fill(codeOf(secret, -1));
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.locator('#recovery-codes').waitFor();
    assert.equal(await faultsOf(page, 'security-codes'), []);
    await page.getByRole('link', { name: 'I’ve saved these codes' }).click();
    assert.match(await findMessage(page, 'codes-left').innerText(), '10 recovery codes');
    assert.equal(await faultsOf(page, 'security-on'), []);
    await page.getByRole('button', { name: 'Sign out' }).click();

    await page.goto('/sign-in?next=/registry/births');
    await signInHere(page, browsing);
    await page.waitForURL(/sign-in\/code/);
    assert.equal(await faultsOf(page, 'sign-in-code'), []);
    await page.getByLabel('Code').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/registry\/births/);
  },
);

test('a code is good for one sign-in, and so is a recovery code', async () => {
  const { account, visitor } = await member('once');
  const { secret, codes } = await setUpApp(visitor);
  const code = codeOf(secret);
  const first = await signInWith(account, code);
  assert.equal([first.status, first.location], [303, '/registry']);
  assert.is((await first.visitor.send('/registry')).status, 200);
  assert.is((await signInWith(account, code)).status, 422);
  const recovery = (codes[3] ?? '').toUpperCase();
  assert.is((await signInWith(account, recovery)).status, 303);
  assert.is((await signInWith(account, recovery)).status, 422);
  const admin = await signInVisitor(pages.service.url, pages.members.Admin);
  await eventually('the access log says by what', async () => {
    const log = await (await admin.send('/registry/access-log?kind=sign-ins')).text();
    return log.includes('Signed in (code of an authenticator app)');
  });
});

test('after five wrong codes none is looked at for a while', async () => {
  const { account, visitor } = await member('guessed');
  const { secret } = await setUpApp(visitor);
  for (let guess = 0; guess < 5; guess += 1)
    assert.is((await signInWith(account, '000000')).status, 422);
  assert.is((await signInWith(account, codeOf(secret))).status, 429);
});

test('a password that an Admin gives takes the second factor off', async () => {
  const { account, visitor } = await member('lost');
  await setUpApp(visitor);
  const { commands } = pages.service;
  const { practiceId } = pages.practice;
  const { oneTimePassword } = await commands.members.givePassword(practiceId, account.id);
  const again = newVisitor(pages.service.url);
  assert.is(
    (await again.signIn(account, oneTimePassword)).headers.get('location'),
    '/account/password',
  );
});

test('the second step is worth nothing without the first, or after another password', async () => {
  const { account, visitor } = await member('half');
  const { secret } = await setUpApp(visitor);
  const stranger = newVisitor(pages.service.url);
  assert.is((await stranger.send('/sign-in/code')).headers.get('location'), '/sign-in');
  const half = await signInVisitor(pages.service.url, account);
  const _csrf = await half.csrfToken('/sign-in/code');
  const changed = 'another long synthetic passphrase';
  const token = await visitor.csrfToken('/account/password');
  const fields = { _csrf: token, old: PASSWORD, new: changed, repeated: changed };
  assert.is((await visitor.send('/account/password', fields)).status, 303);
  assert.is((await half.send('/sign-in/code', { _csrf, code: codeOf(secret) })).status, 422);
  assert.is((await half.send('/registry')).status, 303);
});

test('who only has a browser that is signed in removes nothing', async () => {
  const { account, visitor } = await member('kept');
  // Signed in before: no second factor was shown in it.
  const early = await signInVisitor(pages.service.url, account);
  const { secret } = await setUpApp(visitor);
  const factorsOf = async () => {
    const members = await pages.service.commands.lists.members(pages.practice.practiceId);
    return members.find(({ email }) => email === account.email)?.secondFactor;
  };
  assert.equal(await factorsOf(), ['totp']);
  const remove = async (): Promise<string> => {
    const _csrf = await early.csrfToken('/account/security');
    return (await early.send('/account/security/app/remove', { _csrf })).text();
  };
  assert.ok((await remove()).includes(FACTOR_AGAIN));
  assert.equal(await factorsOf(), ['totp']);
  const _csrf = await early.csrfToken('/account/security/confirm');
  const confirmed = { _csrf, code: codeOf(secret) };
  assert.is((await early.send('/account/security/confirm', confirmed)).status, 303);
  await remove();
  assert.equal(await factorsOf(), []);
});

test('a key is minted, a password given and a file taken away once the second factor was shown lately', async () => {
  const { service, practice } = pages;
  const account = await newMember(service, practice.practiceId, 'Admin', 'admin@factor.example');
  const early = await signInVisitor(service.url, account);
  const other = await signInVisitor(service.url, account);
  const { secret } = await setUpApp(other);
  const HOME = '/registry/integrations';
  const html = await (await early.send(HOME)).text();
  const [, form_id = ''] = /name="form_id" value="([^"]+)"/.exec(html) ?? [];
  const _csrf = await early.csrfToken(HOME);
  const mint = async (): Promise<string> => {
    const fields = { _csrf, form_id, name: 'Stepped up', scopes: 'ingest:read' };
    return (await early.send(`${HOME}/keys`, fields, { Referer: `${service.url}${HOME}` })).text();
  };
  const asked = await mint();
  assert.match(readMessage(asked, 'factor-again'), /Use your second factor again to continue\.$/);
  assert.ok(asked.includes('name="next" value="/registry/integrations"'));
  const password = `/registry/members/${pages.members.Viewer.id}/password`;
  const given = await (await early.send(password, { _csrf })).text();
  assert.ok(given.includes(FACTOR_AGAIN));
  const file = () => early.send('/registry/import/none/result.csv');
  assert.match(
    readMessage(await (await file()).text(), 'factor-then-repeat'),
    /Use your second factor again, then repeat what you were doing\.$/,
  );
  const confirmed = { _csrf, code: codeOf(secret), next: HOME };
  const answer = await early.send('/account/security/confirm', confirmed);
  assert.equal([answer.status, answer.headers.get('location')], [303, HOME]);
  assert.match(await mint(), /rgk_/);
  assert.is((await file()).status, 404);
});

/** The hidden fields but the token, which is new on each page. */
const carried = (html: string): Readonly<Record<string, string>> => {
  const { _csrf: _token, ...fields } = hidden(html);
  return fields;
};

/** The hidden fields of the one form in a page's main part. */
const hidden = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')],
    ),
  );

test('who has no second factor types their password, and what was typed goes on', async () => {
  const { service, practice } = pages;
  const email = 'no.factor@factor.example';
  const account = await newMember(service, practice.practiceId, 'Admin', email);
  const visitor = await signInVisitor(service.url, account);
  const HOME = '/registry/members';
  const CONFIRM = '/account/security/confirm';
  const form_id =
    /name="form_id" value="([^"]+)"/.exec(
      await (await visitor.send(`${HOME}/invite`)).text(),
    )?.[1] ?? '';
  const invited = {
    name: 'Zoë Diaz',
    email: 'by.password@factor.example',
    seat: 'Viewer',
    form_id,
  };
  const isInvited = async () =>
    (await service.commands.lists.members(practice.practiceId)).some(
      (member) => member.email === invited.email,
    );
  await ageSessions(service, account);
  const _csrf = await visitor.csrfToken(HOME);
  const asked = await (await visitor.send(HOME, { _csrf, ...invited })).text();
  assert.match(readMessage(asked, 'password-again'), /Enter your password again to continue\.$/);
  for (const [password, error] of [
    ['', 'no-password'],
    ['a guess at the password', 'wrong-password'],
  ] as const) {
    const wrong = await visitor.send(CONFIRM, { ...hidden(asked), password });
    assert.is(wrong.status, 422);
    const html = await wrong.text();
    assert.match(html, `data-error="${error}"`);
    assert.equal(carried(html), carried(asked));
    assert.not(html.includes('a guess at'));
    assert.not.ok(await isInvited());
  }
  await eventually('the access log tells of the wrong one', async () =>
    (await (await visitor.send('/registry/access-log')).text()).includes(WRONG_CONFIRMATION),
  );
  const right = await visitor.send(CONFIRM, { ...hidden(asked), password: PASSWORD });
  assert.equal([right.status, right.headers.get('location')], [307, HOME]);
  await visitor.send(HOME, hidden(asked));
  assert.ok(await isInvited());
});

test('guesses at a password to confirm with are counted as those at the sign-in', async () => {
  const { account, visitor } = await member('confirm.guesses');
  await ageSessions(pages.service, account);
  const _csrf = await visitor.csrfToken('/account/security/confirm');
  const guess = async (password: string) =>
    (await visitor.send('/account/security/confirm', { _csrf, password })).status;
  for (let tried = 0; tried < 10; tried += 1) assert.is(await guess(`guess ${tried}`), 422);
  assert.is(await guess(PASSWORD), 429);
});

test('what was typed goes on once the factor was shown, also after a wrong code', async () => {
  const { service, practice } = pages;
  const account = await newMember(service, practice.practiceId, 'Admin', 'goes.on@factor.example');
  const early = await signInVisitor(service.url, account);
  const other = await signInVisitor(service.url, account);
  const { secret } = await setUpApp(other);
  const HOME = '/registry/members';
  const _csrf = await early.csrfToken(HOME);
  const invited = { name: 'Zoë “Z” Diaz', email: 'invited@factor.example', role: 'Viewer' };
  const asked = await (await early.send(HOME, { _csrf, ...invited })).text();
  assert.ok(asked.includes(FACTOR_AGAIN));
  const { _csrf: _, ...kept } = hidden(asked);
  assert.equal({ again: kept['again'], name: kept['name'] }, { again: HOME, name: invited.name });
  const CONFIRM = '/account/security/confirm';
  const wrong = await early.send(CONFIRM, { ...hidden(asked), code: '000000' });
  assert.is(wrong.status, 422);
  assert.equal(carried(await wrong.text()), carried(asked));
  const right = await early.send(CONFIRM, { ...hidden(asked), code: codeOf(secret) });
  assert.equal([right.status, right.headers.get('location')], [307, HOME]);
  assert.ok((await (await early.send(HOME, hidden(asked))).text()).includes(invited.email));
  const elsewhere = { _csrf, code: codeOf(secret, 1), again: 'https://elsewhere.example/registry' };
  const led = await early.send(CONFIRM, elsewhere);
  assert.equal([led.status, led.headers.get('location')], [303, '/account/security']);
});

test('nor does a browser that is signed in make accounts, which could then do all of that', async () => {
  const { service, practice } = pages;
  const { commands } = service;
  const isListed = async (email: string): Promise<boolean> =>
    [
      ...(await commands.lists.members(practice.practiceId)),
      ...(await commands.lists.staff()),
    ].some((person) => person.email === email);
  /** A browser in which no second factor was shown, of somebody who has one. */
  const unshown = async (account: TestAccount) => {
    const early = await signInVisitor(service.url, account);
    const other = await signInVisitor(service.url, account);
    const { secret } = await setUpApp(other);
    const _csrf = await early.csrfToken('/account/security/confirm');
    const post = async (path: string, fields: Readonly<Record<string, string>>) =>
      (await early.send(path, { _csrf, ...fields })).text();
    return {
      post,
      formId: async (page: string) =>
        /name="form_id" value="([^"]+)"/.exec(await (await early.send(page)).text())?.[1] ?? '',
      confirm: () => post('/account/security/confirm', { code: codeOf(secret) }),
    };
  };

  const inviter = 'inviter@factor.example';
  const admin = await unshown(await newMember(service, practice.practiceId, 'Admin', inviter));
  const { account: promoted } = await member('promoted');
  const email = 'planted@factor.example';
  const form_id = await admin.formId('/registry/members/invite');
  const invite = () => admin.post('/registry/members', { form_id, email, name: '', seat: 'Admin' });
  const promote = () => admin.post(`/registry/members/${promoted.id}/seat`, { seat: 'Admin' });
  assert.ok((await invite()).includes(FACTOR_AGAIN));
  assert.ok((await promote()).includes(FACTOR_AGAIN));
  assert.not.ok(await isListed(email));
  const roleOf = async () =>
    (await commands.lists.members(practice.practiceId)).find((one) => one.email === promoted.email)
      ?.role;
  assert.is(await roleOf(), 'Viewer');
  await admin.confirm();
  assert.ok((await invite()).includes('<h1>Member invited</h1>'));
  await promote();
  assert.is(await roleOf(), 'Admin');

  const adder = 'adder@factor.example';
  const staff = await unshown({
    id: await commands.accounts.addStaff({ email: adder, password: PASSWORD }),
    email: adder,
  });
  const colleague = 'colleague@factor.example';
  const first = 'first@factor.example';
  const practiceId = await commands.practices.create({ name: 'Alder', sandbox: true, beta: false });
  const at = `/staff/practices/${practiceId}/admin`;
  await eventually('the pages know the practice', async () => (await staff.formId(at)) !== '');
  const ids = [await staff.formId('/staff/people/new'), await staff.formId(at)] as const;
  const add = () => staff.post('/staff/people', { form_id: ids[0], email: colleague, name: '' });
  const letIn = () => staff.post(at, { form_id: ids[1], email: first, name: '', reason: '' });
  assert.ok((await add()).includes(FACTOR_AGAIN));
  assert.ok((await letIn()).includes(FACTOR_AGAIN));
  assert.not.ok(await isListed(colleague));
  await staff.confirm();
  assert.ok((await add()).includes('<h1>Person added</h1>'));
  assert.ok((await letIn()).includes('<h1>Admin invited</h1>'));
});

test('so is a key of a partner, by the service staff', async () => {
  const { service, practice } = pages;
  const email = 'staff@factor.example';
  const account = {
    id: await service.commands.accounts.addStaff({ email, password: PASSWORD }),
    email,
  };
  const partnerId = await service.commands.partners.create({
    name: 'Stepped EHR',
    beta: true,
    status: 'Active',
  });
  const early = await signInVisitor(service.url, account);
  const other = await signInVisitor(service.url, account);
  const { secret } = await setUpApp(other);
  const _csrf = await early.csrfToken('/account/security/confirm');
  const confirm = async () => {
    const answer = await early.send('/account/security/confirm', { _csrf, code: codeOf(secret) });
    assert.is(answer.status, 303);
  };
  const PARTNER = `/staff/partners/${partnerId}`;
  const mint = async (): Promise<string> => {
    const html = await (await early.send(`${PARTNER}/keys/new`)).text();
    const [, form_id = ''] = /name="form_id" value="([^"]+)"/.exec(html) ?? [];
    const practiceId = practice.practiceId;
    const fields = { _csrf, form_id, practice: practiceId, name: 'Feed', scopes: 'ingest:write' };
    return (await early.send(`${PARTNER}/keys`, fields)).text();
  };
  assert.ok((await mint()).includes(FACTOR_AGAIN));
  assert.equal(await service.commands.lists.keysOfPartner(partnerId), []);
  await confirm();
  assert.match(await mint(), /rgk_/);
});

test.run();
