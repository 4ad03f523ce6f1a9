import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createAuditReads } from '../../adapters/postgres/read-model/audit-trail.ts';
import { formatRefusal } from '../../api/commands/refusal-messages.ts';
import { INVITED } from '../../api/pages/accounts/members/member-list.tsx';
import {
  describeAuditor,
  describeLostAccess,
  describeRemoval,
  describeRole,
  describeWithdrawal,
} from '../../api/pages/accounts/members/members-router.tsx';
import { AUDITOR_TEXT } from '../../api/pages/accounts/members/role-text.ts';
import { formatFactors } from '../../api/pages/accounts/people/account-table.tsx';
import { AUDIT_PAGE } from '../../api/pages/layout/audit-trail.tsx';
import { formatAuditEntry } from '../../api/pages/text/audit-text.ts';
import { MIN_PASSWORD_LENGTH } from '../../domain/account/credentials.ts';
import type { NamedPerson } from '../../projections/lists/people-names.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  newMember,
  newVisitor,
  sharedTestPages,
  signInHere,
  signInVisitor,
  type TestAccount,
} from '../harness/pages.ts';
import { openTestConnection } from '../harness/service.ts';
import { findMessage, type TestPage } from '../harness/test-page.ts';
import { changeOf, errorIdsOf, errorsOf } from '../support/birth-form.ts';
import { mainOf } from '../support/imports.ts';

const HOME = '/registry/members';

const pages = await sharedTestPages();
test.after(() => pages.stop());

/** Somebody who has not said what they are called. */
const unnamed = ({ email }: TestAccount): NamedPerson => ({ email, name: null });

/** Opens the page of a person in the list of members. */
const openPerson = async (page: TestPage, named: string): Promise<void> => {
  await page.goto(HOME);
  await page.getByRole('row', { name: named }).getByRole('link').click();
  await page.waitForURL(/\/registry\/members\/[^/]+$/);
};

test('only an Admin opens the members', async () => {
  for (const role of ['Provider', 'Viewer', 'Scribe'] as const) {
    const visitor = await signInVisitor(pages.service.url, pages.members[role]);
    const _csrf = await visitor.csrfToken('/registry');
    assert.is((await visitor.send(HOME)).status, 403);
    assert.is(
      (await visitor.send(HOME, { _csrf, email: 'a@b.example', seat: 'Admin' })).status,
      403,
    );
  }
});

pages.pageTest(
  'an Admin makes a Viewer an auditor, who reads the logs, until a Scribe’s seat or the Admin ends it',
  { as: 'Admin' },
  async ({ page }) => {
    const { practiceId } = pages.practice;
    const email = 'auditor.of@cedar.example';
    const auditor = await newMember(pages.service, practiceId, 'Viewer', email);
    const theirs = await signInVisitor(pages.service.url, auditor);
    const statusOf = async (path: string) => (await theirs.send(path)).status;
    assert.is(await statusOf(AUDIT_PAGE), 403);
    const ask = async (button: string) => {
      await openPerson(page, email);
      await page.getByRole('button', { name: button }).click();
      await page.waitForURL(/\/auditor\??$/);
    };
    await ask('Make an auditor');
    assert.equal(await faultsOf(page, 'member-auditor'), []);
    await page.getByRole('button', { name: 'Make an auditor' }).click();
    await page.getByText(describeAuditor(unnamed(auditor), true)).waitFor();
    await page.getByText(AUDITOR_TEXT).waitFor();
    assert.equal(await faultsOf(page, 'member-is-auditor'), []);
    for (const path of [AUDIT_PAGE, '/registry/access-log', '/registry/records'])
      assert.is(await statusOf(path), 200, path);
    for (const path of [HOME, '/registry/practice', '/registry/integrations'])
      assert.is(await statusOf(path), 403, path);

    await page.goto(AUDIT_PAGE);
    const made = { type: 'AuditorPermissionSet', key: null, member: unnamed(auditor) } as const;
    await page.getByText(formatAuditEntry({ ...made, value: 'true' })).waitFor();
    assert.equal(await faultsOf(page, 'audit-trail'), []);

    await ask('Stop auditing');
    await page.getByRole('button', { name: 'Stop auditing' }).click();
    await page.getByText(describeAuditor(unnamed(auditor), false)).waitFor();
    assert.is(await statusOf(AUDIT_PAGE), 403);

    const { members } = pages.service.commands;
    await members.setAuditorPermission(practiceId, auditor.id, true);
    assert.is(await statusOf(AUDIT_PAGE), 200);
    await members.changeSeat(practiceId, auditor.id, 'Scribe');
    await members.changeSeat(practiceId, auditor.id, 'Viewer');
    assert.is(await statusOf(AUDIT_PAGE), 403);
    await openPerson(page, email);
    assert.is(await page.getByText(AUDITOR_TEXT).count(), 0);
  },
);

pages.pageTest(
  'an invited member has to choose a password before anything else',
  { as: 'Admin', at: HOME },
  async ({ page }) => {
    assert.is(
      await page.getByRole('row', { name: `${pages.members.Admin.email} (you)` }).count(),
      1,
    );
    await page.getByRole('link', { name: 'Invite a member' }).click();
    await page.getByRole('button', { name: 'Invite member' }).click();
    assert.is((await errorsOf(page)).length, 2);
    assert.equal(await faultsOf(page, 'members-invite-error'), []);
    await page.getByLabel('Email').fill('Concepción.Villanueva-Ångström@hebammen.example');
    await page.getByLabel('Viewer:').check();
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.locator('#one-time-password').waitFor();
    const password = await page.locator('#one-time-password').innerText();
    assert.equal(await faultsOf(page, 'members-invited'), []);
    await page.reload();
    assert.is(await page.locator('h1').innerText(), 'Already done');

    const theirs = await pages.visit('visitor', { at: '/sign-in?next=/registry/births' });
    await signInHere(
      theirs,
      { email: 'concepción.villanueva-ångström@hebammen.example' },
      password,
    );
    await theirs.waitForURL(/account\/password/);
    assert.is(await theirs.locator('h1').innerText(), 'Choose your password');
    for (const path of ['/registry', '/registry/records', '/']) {
      await theirs.goto(path);
      assert.is(new URL(theirs.url()).pathname, '/account/password');
    }
    await theirs.goto('/account/password?next=/registry/statistics');
    const change = async (old: string, chosen: string, repeated: string) => {
      await theirs.getByLabel('One-time password').fill(old);
      await theirs.getByLabel('New password', { exact: true }).fill(chosen);
      await theirs.getByLabel('Confirm new password').fill(repeated);
      await theirs.getByRole('button', { name: 'Set password' }).click();
    };
    await change('wrong', 'short', 'other');
    assert.equal(await errorIdsOf(theirs), ['password-too-short', 'passwords-differ']);
    const [tooShort] = await errorsOf(theirs);
    assert.is(tooShort, formatRefusal({ code: 'password-too-short', least: MIN_PASSWORD_LENGTH }));
    assert.equal(await faultsOf(theirs, 'password-errors'), []);
    await change('wrong', 'a passphrase of her own', 'a passphrase of her own');
    await theirs
      .getByText(formatRefusal({ code: 'wrong-password' }))
      .first()
      .waitFor();
    await change(password, 'a passphrase of her own', 'a passphrase of her own');
    await theirs.waitForURL(/statistics/);
    assert.match(await findMessage(theirs, 'membership-begun').innerText(), 'Cedar Birth Center');
  },
);

test('a form of someone who has to choose a password first changes nothing', async () => {
  const { commands } = pages.service;
  const { practiceId } = pages.practice;
  const email = 'second.admin@cedar.example';
  const memberId = (await newMember(pages.service, practiceId, 'Admin', email)).id;
  const { oneTimePassword } = await commands.members.givePassword(practiceId, memberId);
  const visitor = newVisitor(pages.service.url);
  assert.is(
    (await visitor.signIn({ id: memberId, email }, oneTimePassword)).headers.get('location'),
    '/account/password',
  );
  const _csrf = await visitor.csrfToken('/account/password');
  const at = `${HOME}/${pages.members.Viewer.id}/seat`;
  const answer = await visitor.send(at, { _csrf, seat: 'Admin' });
  assert.is(answer.status, 403);
  assert.match(await answer.text(), '<h1>Choose your own password first</h1>');
  await commands.members.remove(practiceId, memberId);
});

test('a changed password signs other browsers out', async () => {
  const account = await newMember(
    pages.service,
    pages.practice.practiceId,
    'Viewer',
    'two@cedar.example',
  );
  const [one, other] = [newVisitor(pages.service.url), newVisitor(pages.service.url)];
  await one.signIn(account);
  await other.signIn(account);
  const chosen = 'another long synthetic passphrase';
  const answer = await one.send('/account/password', {
    _csrf: await one.csrfToken('/account/password'),
    old: 'a long synthetic passphrase',
    new: chosen,
    repeated: chosen,
  });
  assert.is(answer.status, 303);
  assert.is((await one.send('/registry')).status, 200);
  assert.is((await other.send('/registry')).status, 303);
});

test('a seat is changed and taken, in force at once; the last Admin stays', async () => {
  const member = await newMember(
    pages.service,
    pages.practice.practiceId,
    'Viewer',
    'three@cedar.example',
  );
  const theirs = await signInVisitor(pages.service.url, member);
  assert.is((await theirs.send('/registry/records/new')).status, 403);
  const page = await pages.visit('Admin');
  const row = page.getByRole('row', { name: 'three@cedar' });
  await openPerson(page, 'three@cedar');
  assert.equal(await page.locator('main').getByRole('button').allInnerTexts(), [
    'Change name',
    'Change role',
    'Make an auditor',
    'New password',
    'Sign out everywhere',
    'Remove',
  ]);
  assert.equal(await faultsOf(page, 'member'), []);
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByLabel('Provider:').check();
  assert.equal(await faultsOf(page, 'members-seat'), []);
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByText(describeRole(unnamed(member), 'Provider')).waitFor();
  assert.is((await theirs.send('/registry/records/new')).status, 200);
  await page.goto(HOME);
  assert.match(await row.innerText(), 'Provider');
  assert.is(await page.locator('main').getByRole('button').count(), 0);
  assert.equal(await faultsOf(page, 'members'), []);

  await openPerson(page, '(you)');
  assert.equal(await page.locator('main').getByRole('button').allInnerTexts(), [
    'Change name',
    'Change role',
  ]);
  assert.equal(await faultsOf(page, 'member-self'), []);
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByLabel('Viewer:').check();
  await page.getByRole('button', { name: 'Change role' }).click();
  assert.equal(await errorsOf(page), [formatRefusal({ code: 'last-admin' })]);

  await openPerson(page, 'three@cedar');
  await page.getByRole('button', { name: 'Remove' }).click();
  assert.match(await mainOf(page), describeLostAccess('Provider'));
  assert.equal(await faultsOf(page, 'members-remove'), []);
  await page.getByRole('button', { name: 'Remove member' }).click();
  await page.getByText(describeRemoval(unnamed(member))).waitFor();
  assert.is((await theirs.send('/registry')).status, 303);
  assert.is(await row.count(), 0);
  await page.goto('/registry/integrations');
  const { Admin } = pages.members;
  const changed = `${changeOf('SeatChanged', 'Provider', unnamed(member))} ${Admin.email}`;
  assert.is(await page.getByRole('row', { name: changed }).count(), 1);
  assert.match(await mainOf(page), changeOf('MemberRemoved', null, unnamed(member)));
});

test('a forgotten password is replaced by a one-time one', async () => {
  const member = await newMember(
    pages.service,
    pages.practice.practiceId,
    'Viewer',
    'four@cedar.example',
  );
  const theirs = await signInVisitor(pages.service.url, member);
  const page = await pages.visit('Admin');
  await openPerson(page, 'four@cedar');
  await page.getByRole('button', { name: 'New password' }).click();
  assert.equal(await faultsOf(page, 'members-password'), []);
  await page.getByRole('button', { name: 'Create a new password' }).click();
  const password = await page.locator('#one-time-password').innerText();
  assert.equal(await faultsOf(page, 'members-password-given'), []);
  await page.reload();
  assert.is(await page.locator('h1').innerText(), 'Already done');
  assert.is((await theirs.send('/registry')).status, 303);
  assert.is((await newVisitor(pages.service.url).signIn(member)).status, 401);
  const answer = await newVisitor(pages.service.url).signIn(member, password);
  assert.is(answer.headers.get('location'), '/account/password');
  const trail = await page.request.get('/registry/integrations');
  assert.match(await trail.text(), changeOf('OneTimePasswordGiven', null, unnamed(member)));
});

test('nobody removes themselves, or a member of another practice', async () => {
  const { commands } = pages.service;
  const other = await commands.practices.create({ name: 'Fir', sandbox: false, beta: false });
  const { id } = await newMember(pages.service, other, 'Admin', 'admin@fir.example');
  const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
  const _csrf = await visitor.csrfToken('/registry');
  const self = `${HOME}/${pages.members.Admin.id}/remove`;
  assert.is((await visitor.send(self, { _csrf })).status, 409);
  const password = `${HOME}/${pages.members.Admin.id}/password`;
  assert.is((await visitor.send(password, { _csrf })).status, 409);
  assert.is((await visitor.send(`${HOME}/${id}`)).status, 404);
  for (const action of ['remove', 'seat', 'password', 'name']) {
    const path = `${HOME}/${id}/${action}`;
    assert.is((await visitor.send(path)).status, 404);
    assert.is((await visitor.send(path, { _csrf, seat: 'Viewer', name: 'Mickey' })).status, 404);
  }
});

test('an invitation is withdrawn, and a member signed out everywhere', async () => {
  const { commands } = pages.service;
  const { practiceId } = pages.practice;
  const email = 'never.came@cedar.example';
  const { oneTimePassword } = await commands.members.invite({
    practiceId,
    email,
    role: 'Scribe',
  });
  const member = await newMember(pages.service, practiceId, 'Viewer', 'lost.phone@cedar.example');
  const theirs = await signInVisitor(pages.service.url, member);
  const page = await pages.visit('Admin', { at: HOME });
  const row = page.getByRole('row', { name: email });
  assert.match(await row.innerText(), INVITED);
  assert.equal(await faultsOf(page, 'members-with-invitation'), []);
  await openPerson(page, email);
  assert.match(await mainOf(page), INVITED);
  assert.equal(await page.locator('main').getByRole('button').allInnerTexts(), ['Withdraw']);
  assert.equal(await faultsOf(page, 'member-invited'), []);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  assert.equal(await faultsOf(page, 'members-withdraw'), []);
  await page.getByRole('button', { name: 'Withdraw invitation' }).click();
  await page.getByText(describeWithdrawal({ email, name: null })).waitFor();
  assert.is(await row.count(), 0);
  const late = newVisitor(pages.service.url);
  assert.is((await late.signIn({ id: '', email }, oneTimePassword)).status, 401);

  await openPerson(page, member.email);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  assert.equal(await faultsOf(page, 'members-sign-out'), []);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const ended = await findMessage(page, 'sessions-ended').innerText();
  assert.match(ended, `${member.email} was signed out of 1 browser.`);
  assert.is((await theirs.send('/registry')).status, 303);
  assert.is((await theirs.signIn(member)).status, 303);
});

test('an Admin reviews who has access; what changed meanwhile is looked at again', async () => {
  const { service, practice, members } = pages;
  const { practiceId } = practice;
  const away = await newMember(service, practiceId, 'Viewer', 'long.away@cedar.example');
  const db = openTestConnection(pages.service);
  await eventually('the tables have the member, who came long ago', async () => {
    const { numUpdatedRows } = await db
      .updateTable('read.member')
      .set({ added_at: new Date('2026-01-05T12:00:00Z') })
      .where('member_id', '=', away.id)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
  const page = await pages.visit('Admin', { at: HOME });
  await page.getByRole('link', { name: 'Access review' }).click();
  await findMessage(page, 'no-review').waitFor();
  const row = page.getByRole('row', { name: away.email });
  const cells = await row.getByRole('cell').allInnerTexts();
  assert.match(cells[0] ?? '', /^Viewer\s/);
  assert.match(cells[1] ?? '', /^Never\s/);
  assert.match(cells[1] ?? '', 'Not used for 90 days');
  assert.is(cells[2], formatFactors([]));
  assert.equal(await faultsOf(page, 'members-review'), []);
  const came = await newMember(service, practiceId, 'Viewer', 'just.came@cedar.example');
  await eventually('the tables have the member who just came', async () => {
    const members = db.selectFrom('read.member').where('member_id', '=', came.id);
    return (await members.select('member_id').execute()).length > 0;
  });
  await page.getByRole('button', { name: 'Confirm all accounts' }).click();
  await page.getByText(formatRefusal({ code: 'review-outdated' })).waitFor();
  assert.is(await page.getByRole('row', { name: 'just.came' }).count(), 1);
  assert.equal(await faultsOf(page, 'members-review-outdated'), []);
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove member' }).click();
  await page.goto(`${HOME}/review`);
  await page.getByRole('button', { name: 'Confirm all accounts' }).click();
  await findMessage(page, 'review-recorded').waitFor();
  await page.goto(`${HOME}/review`);
  const reviewed = await findMessage(page, 'last-review').innerText();
  assert.match(reviewed, `by ${members.Admin.email}.`);
  const seats = await page.locator('tbody tr').count();
  assert.is(await page.getByRole('row', { name: 'just.came' }).count(), 1);
  const [noted] = await createAuditReads(db).readPracticeAudit(practiceId, 1);
  assert.equal(
    [noted?.type, noted?.value, noted?.by.email],
    ['AccessReviewed', String(seats), members.Admin.email],
  );
  await db.destroy();
});

test.run();
