import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatRefusal } from '../../api/commands/refusal-messages.ts';
import { describeRemoval } from '../../api/pages/accounts/staff/people-router.tsx';
import { NEW_KEY } from '../../api/pages/parts/keys/key-fields.tsx';
import { formatScopes } from '../../api/pages/text/scope-text.ts';
import { ROLES } from '../../domain/roles.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  newMember,
  newVisitor,
  signInHere,
  signInVisitor,
  startTestPages,
} from '../harness/pages.ts';
import { post, push } from '../harness/service.ts';
import { findMessage, type TestPage } from '../harness/test-page.ts';
import { birthBundle } from '../support/bundles.ts';

const pages = await startTestPages();
test.after(() => pages.stop());

const staffVisitor = await signInVisitor(pages.service.url, pages.staff);

/** The heading over the one thing that keeps a form from being saved. */
const oneError = (page: TestPage) =>
  page.getByRole('alert').getByRole('heading', { name: 'One thing to correct', exact: true });

/** An entry of an audit trail that says this, by this person. */
const auditEntry = (page: TestPage, what: string, who: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: what, exact: true }) })
    .filter({ has: page.getByRole('cell', { name: who, exact: true }) });

/** A question follows the button, with a button of the same name. */
const askedAndDone = async (page: TestPage, name: string): Promise<void> => {
  await page.getByRole('button', { name }).click();
  await page.locator('form.confirm').getByRole('button', { name }).click();
};

test('no member opens a page of the staff', async () => {
  for (const role of ROLES) {
    const visitor = await signInVisitor(pages.service.url, pages.members[role]);
    const _csrf = await visitor.csrfToken('/registry');
    for (const path of ['/staff/practices', '/staff/partners', '/staff/practices/new'])
      assert.is((await visitor.send(path)).status, 403);
    const { practiceId } = pages.practice;
    const beta = `/staff/practices/${practiceId}/beta`;
    assert.is((await visitor.send(beta, { _csrf, to: 'false' })).status, 403);
  }
});

test('what is not there is not found, and what no page sends is not taken', async () => {
  const visitor = staffVisitor;
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

pages.pageTest(
  'a practice is set up, switched, and gets its first Admin',
  { as: 'staff' },
  async ({ page }) => {
    await page.getByRole('link', { name: 'Practices' }).first().click();
    await page.getByRole('link', { name: 'Set up a practice' }).click();
    await page.getByRole('button', { name: 'Set up practice' }).click();
    await oneError(page).waitFor();
    assert.equal(await faultsOf(page, 'staff-practice-error'), []);
    const name = 'Clínica de Partos “Äspen” – Ütah & Sons, at the Meadow';
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('A sandbox').check();
    await page.getByRole('button', { name: 'Set up practice' }).click();
    await page.waitForURL(/practices\/\w{21}$/);
    await page.getByRole('heading', { name: 'Beta: Not in beta', exact: true }).waitFor();
    assert.equal(await faultsOf(page, 'staff-practice-new'), []);

    await askedAndDone(page, 'Add to beta');
    await findMessage(page, 'added-to-beta')
      .filter({ hasText: `${name} is now in the beta.` })
      .waitFor();
    await askedAndDone(page, 'Make it a real practice');
    await findMessage(page, 'made-real')
      .filter({ hasText: `${name} is a real practice now.` })
      .waitFor();
    for (const what of [
      'Created the practice as a sandbox, not in the beta',
      'Added the practice to the beta',
      'Made the practice a real one; it is no longer a sandbox',
    ])
      assert.is(await auditEntry(page, what, pages.staff.email).count(), 1, what);

    await page.getByRole('link', { name: 'Rename the practice' }).click();
    await page.getByLabel('Name').fill(' ');
    await page.getByRole('button', { name: 'Rename practice' }).click();
    await oneError(page).waitFor();
    await page.getByLabel('Name').fill('Äspen – Ütah & Sons');
    await page.getByRole('button', { name: 'Rename practice' }).click();
    await findMessage(page, 'practice-renamed')
      .filter({ hasText: 'Äspen – Ütah & Sons' })
      .waitFor();

    await page.getByRole('link', { name: 'Invite the first Admin' }).click();
    await page.getByLabel('Email').fill('first@aspen');
    await page.getByRole('button', { name: 'Invite Admin' }).click();
    await page.getByRole('link', { name: formatRefusal({ code: 'no-email-address' }) }).waitFor();
    assert.is(await page.getByLabel('Email').inputValue(), 'first@aspen');
    await page.getByLabel('Email').fill('first@aspen.example');
    await page.getByRole('button', { name: 'Invite Admin' }).click();
    await page.locator('#one-time-password').waitFor();
    const password = await page.locator('#one-time-password').innerText();
    assert.ok(password.length >= 16);
    assert.equal(await faultsOf(page, 'staff-admin-invited'), []);
    await page.reload();
    assert.is(await page.locator('h1').innerText(), 'Already done');
    assert.not((await page.content()).includes(password));

    await page.goto('/staff/practices?q=ütah');
    assert.is(await page.locator('tbody tr').count(), 1);
    // Who was invited is no member yet.
    assert.is(await page.locator('tbody tr').getByRole('cell').nth(2).innerText(), '0');
    assert.equal(await faultsOf(page, 'staff-practices'), []);
    const none = await staffVisitor.send('/staff/practices?q=%25');
    assert.match(await none.text(), 'data-message="no-practice-found"');
  },
);

pages.pageTest(
  'a practice that holds births stays a sandbox; the trail tells how it began, and of the attempt',
  { as: 'staff', at: `/staff/practices/${pages.practice.practiceId}` },
  async ({ page }) => {
    const { service, practice, staff } = pages;
    await push(service.url, practice.token, birthBundle({ chartNumber: 'SANDBOX-1' }));
    await askedAndDone(page, 'Make it a real practice');
    await page.getByText(formatRefusal({ code: 'practice-stays-sandbox' })).waitFor();
    assert.equal(await faultsOf(page, 'staff-sandbox-refused'), []);
    assert.ok(await page.getByRole('heading', { name: 'Kind: sandbox', exact: true }).isVisible());
    for (const [what, who] of [
      ['Tried to make the practice a real one; it has active records', staff.email],
      ['Created the practice as a sandbox, in the beta', 'The operator of the service'],
    ] as const)
      assert.is(await auditEntry(page, what, who).count(), 1, what);
  },
);

pages.pageTest(
  'a partner is set up, gets its key, and its contract decides over it',
  { as: 'staff', at: '/staff/partners' },
  async ({ page }) => {
    const { service, practice } = pages;
    await findMessage(page, 'no-partners').waitFor();
    await page.getByRole('link', { name: 'Set up a partner' }).first().click();
    const name = 'Maple EHR';
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Set up partner' }).click();
    await page.waitForURL(/partners\/\w{21}$/);
    const at = page.url();
    await page.getByRole('heading', { name: 'Contract: Pending', exact: true }).waitFor();
    const setUp = 'Created the partner, contract Pending, not in the beta';
    assert.is(await auditEntry(page, setUp, pages.staff.email).count(), 1);

    await page.getByRole('link', { name: 'Mint a key' }).click();
    await page.getByRole('button', { name: 'Mint key' }).click();
    await page.getByRole('link').and(page.locator('[data-error="no-practice-chosen"]')).waitFor();
    assert.equal(await faultsOf(page, 'staff-partner-key-error'), []);
    await page.getByLabel('Practice').selectOption({ label: 'Cedar Birth Center' });
    await page.getByLabel('Name').fill('Feed');
    await page.getByRole('button', { name: 'Mint key' }).click();
    await page.locator('#minted-token').waitFor();
    const token = await page.locator('#minted-token').innerText();
    assert.is(await page.getByText('Maple EHR at Cedar Birth Center').count(), 1);
    assert.equal(await faultsOf(page, 'staff-partner-minted'), []);
    assert.is((await post(service.url, token, birthBundle())).status, 403);

    await page.goto(at);
    await page.getByRole('button', { name: 'Add to beta' }).click();
    assert.equal(await faultsOf(page, 'staff-beta'), []);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Beta: Not in beta', exact: true }).waitFor();
    await askedAndDone(page, 'Add to beta');
    await findMessage(page, 'added-to-beta')
      .filter({ hasText: `${name} is now in the beta.` })
      .waitFor();
    assert.is((await post(service.url, token, birthBundle())).status, 403);
    await page.getByRole('button', { name: 'Change to Active' }).click();
    const contractChanged = (status: string) =>
      findMessage(page, 'contract-changed').filter({ hasText: `${name} is now ${status}` });
    const liveKeys = findMessage(page, 'live-keys');
    assert.match(await liveKeys.innerText(), /one active key, .+ accepted immediately/);
    assert.equal(await faultsOf(page, 'staff-contract'), []);
    await page.getByRole('button', { name: 'Change to Active' }).click();
    await contractChanged('Active').waitFor();
    assert.is((await post(service.url, token, birthBundle())).status, 202);
    for (const [addresses, status] of [
      ['203.0.113.0/24', 403],
      ['', 202],
    ] as const) {
      await page.getByRole('button', { name: 'Addresses' }).click();
      await page.getByLabel('Allowed IP addresses').fill(addresses);
      await page.getByRole('button', { name: 'Save addresses' }).click();
      assert.match(
        await findMessage(page, 'addresses-saved').innerText(),
        new RegExp(`Feed .+ from ${addresses === '' ? 'any address' : addresses}\\.$`),
      );
      assert.is((await post(service.url, token, birthBundle())).status, status);
    }
    await page.getByRole('button', { name: 'Change to Suspended' }).click();
    assert.match(await liveKeys.innerText(), /one active key, .+ refused \(403\)/);
    await page.getByRole('button', { name: 'Change to Suspended' }).click();
    await contractChanged('Suspended').waitFor();
    assert.is((await post(service.url, token, birthBundle())).status, 403);
    assert.equal(await faultsOf(page, 'staff-partner'), []);
    assert.not((await page.content()).includes(token));
    for (const what of [
      `Minted the key “Feed” of Maple EHR for Cedar Birth Center, ${formatScopes(NEW_KEY.scopes)}`,
      'Changed the contract to Suspended',
    ])
      assert.is(await auditEntry(page, what, pages.staff.email).count(), 1, what);

    await page.goto(`${at}/keys/new`);
    assert.is(await page.getByLabel('Practice').locator('option', { hasText: 'Cedar' }).count(), 0);
    await page.goto(at);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Maple EHR for Cedar Birth Center').waitFor();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await findMessage(page, 'key-revoked').filter({ hasText: 'Feed' }).waitFor();
    assert.is((await post(service.url, token, birthBundle())).status, 401);

    await page.goto('/staff/partners');
    assert.equal(await faultsOf(page, 'staff-partners'), []);
    await page.goto(`/staff/practices/${practice.practiceId}`);
    const revoked = 'Revoked the key “Feed” of Maple EHR for Cedar Birth Center';
    assert.is(await auditEntry(page, revoked, pages.staff.email).count(), 1);
    assert.equal(await faultsOf(page, 'staff-practice'), []);
  },
);

test('no key is minted outside the beta, or while one is live', async () => {
  const { commands } = pages.service;
  const partnerId = await commands.partners.create({
    name: 'Oak EHR',
    beta: true,
    status: 'Active',
  });
  const outside = await commands.practices.create({ name: 'Outside', sandbox: true, beta: false });
  const { practiceId } = pages.practice;
  const { keyId } = await commands.keys.mintPartner({
    partnerId,
    practiceId,
    name: null,
    scopes: ['ingest:write'],
  });
  const visitor = staffVisitor;
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
  const isOutside = formatRefusal({ code: 'practice-outside-beta' });
  assert.ok((await mint(outside)).includes(isOutside));
  const hasKey = formatRefusal({ code: 'partner-has-key', keyId });
  assert.ok((await mint(practiceId)).includes(hasKey));
});

pages.pageTest(
  'the staff add, reset, sign out and remove one another; nobody themselves',
  { as: 'staff', at: '/staff/people' },
  async ({ page }) => {
    await page.getByRole('link', { name: 'Add a person' }).click();
    await page.getByRole('button', { name: 'Add person' }).click();
    await oneError(page).waitFor();
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

    const row = page.getByRole('row').filter({ hasText: email });
    const buttons = page.locator('main').getByRole('button');
    await page.goto('/staff/people');
    assert.is(await buttons.count(), 0);
    assert.equal(await faultsOf(page, 'staff-people'), []);
    const own = page.getByRole('row').filter({ hasText: '(you)' });
    await own.getByRole('link', { name: pages.staff.email, exact: true }).click();
    await page.waitForURL(`**/staff/people/${pages.staff.id}`);
    assert.equal(await buttons.allInnerTexts(), ['Change name']);
    await page.goto('/staff/people');
    await row.getByRole('link').click();
    await page.waitForURL(/\/staff\/people\/[^/]+$/);
    const theirPage = page.url();
    assert.equal(await faultsOf(page, 'staff-person'), []);
    await buttons.getByText('Sign out everywhere').click();
    assert.equal(await faultsOf(page, 'staff-person-sign-out'), []);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    const ended = await findMessage(page, 'sessions-ended').innerText();
    assert.match(ended, `${email} was signed out of 1 browser.`);
    assert.is((await theirs.send('/staff')).status, 303);
    assert.is((await theirs.signIn(account, chosen)).headers.get('location'), '/staff');

    await buttons.getByText('New password').click();
    await page.getByRole('button', { name: 'Create a new password' }).click();
    const second = await page.locator('#one-time-password').innerText();
    assert.is((await theirs.send('/staff')).status, 303);
    assert.is((await newVisitor(pages.service.url).signIn(account, chosen)).status, 401);
    await chooses(second);

    await page.goto(theirPage);
    await buttons.getByText('Remove').click();
    assert.equal(await faultsOf(page, 'staff-person-remove'), []);
    await page.getByRole('button', { name: 'Remove person' }).click();
    await page.getByText(describeRemoval({ email, name: null })).waitFor();
    assert.is((await theirs.send('/staff')).status, 303);
    assert.is(await row.getByRole('cell', { name: 'Removed', exact: true }).count(), 1);
    await row.getByRole('link').click();
    await page.waitForURL(theirPage);
    assert.is(await page.getByRole('definition').filter({ hasText: 'Removed' }).count(), 1);
    assert.is(await buttons.count(), 0);

    const visitor = staffVisitor;
    const _csrf = await visitor.csrfToken('/staff');
    for (const action of ['password', 'sign-out', 'remove'])
      assert.is(
        (await visitor.send(`/staff/people/${pages.staff.id}/${action}`, { _csrf })).status,
        409,
      );
  },
);

pages.pageTest(
  'the staff let an Admin into a practice without one, and its Admins read why',
  { as: 'staff' },
  async ({ page }) => {
    const { commands } = pages.service;
    const practiceId = await commands.practices.create({
      name: 'Larch',
      sandbox: true,
      beta: true,
    });
    const last = await newMember(pages.service, practiceId, 'Admin', 'last@larch.example');
    const at = `/staff/practices/${practiceId}`;
    await eventually('the page knows the practice and its Admin', async () => {
      await page.goto(at);
      const heading = page.getByRole('heading', { name: 'Larch', exact: true });
      const invite = page.getByRole('link', { name: /Admin/ });
      return (await heading.count()) === 1 && (await invite.count()) === 0;
    });
    await page.goto(`${at}/admin`);
    await page.getByLabel('Email').fill('new@larch.example');
    await page.getByRole('button', { name: 'Invite Admin' }).click();
    await page.getByRole('link', { name: formatRefusal({ code: 'practice-has-admin' }) }).waitFor();

    await commands.members.remove(practiceId, last.id, 'removable');
    const invite = page.getByRole('link', { name: 'No Admin: invite one (emergency access)' });
    await eventually('the page knows that the Admin has left', async () => {
      await page.goto(at);
      return (await invite.count()) === 1;
    });
    await invite.click();
    await page.getByLabel('Email').fill('new@larch.example');
    await page.getByRole('button', { name: 'Invite Admin' }).click();
    await page.getByRole('link', { name: formatRefusal({ code: 'reason-too-short' }) }).waitFor();
    assert.equal(await faultsOf(page, 'staff-break-glass-error'), []);
    const reason = 'The only Admin has left; the manager asked for this by phone, ticket 4711.';
    await page.getByLabel('Why are you inviting an Admin?').fill(reason);
    await page.getByRole('button', { name: 'Invite Admin' }).click();
    const given = await page.locator('#one-time-password').innerText();

    const theirs = await pages.visit('visitor', { at: '/sign-in' });
    await signInHere(theirs, { email: 'new@larch.example' }, given);
    await theirs.getByLabel('One-time password').fill(given);
    await theirs.getByLabel('New password', { exact: true }).fill('a passphrase of my own');
    await theirs.getByLabel('Confirm new password').fill('a passphrase of my own');
    assert.match(await findMessage(theirs, 'invited').innerText(), 'Larch');
    assert.equal(await faultsOf(theirs, 'invitation'), []);
    await theirs.getByRole('button', { name: 'Set password' }).click();
    assert.match(await findMessage(theirs, 'membership-begun').innerText(), 'Larch');
    const banner = await theirs.locator('.break-glass-banner').innerText();
    assert.match(banner, /^Emergency access: /);
    assert.ok(banner.includes(reason));
    assert.equal(await faultsOf(theirs, 'break-glass-banner'), []);
  },
);

pages.pageTest(
  'the staff review who is one of them',
  { as: 'staff', at: '/staff/people' },
  async ({ page }) => {
    await page.getByRole('link', { name: 'Access review' }).click();
    assert.equal(await faultsOf(page, 'staff-review'), []);
    assert.is(
      await page.getByRole('row', { name: pages.staff.email }).getByRole('button').count(),
      0,
    );
    await page.getByRole('button', { name: 'Confirm all accounts' }).click();
    await findMessage(page, 'review-recorded').waitFor();
    await page.goto('/staff/people/review');
    const last = page.getByRole('paragraph').filter({ has: page.getByRole('time') });
    await last
      .filter({ hasText: `by ${pages.staff.email}` })
      .first()
      .waitFor();
  },
);

test.run();
