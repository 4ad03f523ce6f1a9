import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NEW_BIRTH_PATH } from '../../api/pages/parts/birth-form/confirm/duplicate-checks.tsx';
import {
  crossSiteForm,
  FORM_OF_ANOTHER_USER,
  formExpired,
  formOfAnotherUser,
} from '../../api/web/page-problem.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  keepVisitors,
  newMember,
  newVisitor,
  PASSWORD,
  RECORD,
  sharedTestPages,
  signInHere,
  signInVisitor,
  signInWithoutPage,
  signOutWithoutPage,
  type TestAccount,
} from '../harness/pages.ts';
import { newPractice, push } from '../harness/service.ts';
import { findMessage, type TestPage } from '../harness/test-page.ts';
import { isVisit, type Visit } from '../harness/visit.ts';
import { checkAnswers, fillBirth, recordBirth, saveCorrection } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const elsewhere = await newPractice(pages.service.commands);
const stranger = await newMember(
  pages.service,
  elsewhere.practiceId,
  'Provider',
  'stranger@rowan.example',
);

/** In a second tab of the same browser somebody signs out, and someone else signs in. */
const changeAccountInTab = async (tab: TestPage, { email }: TestAccount): Promise<void> => {
  await tab.goto('/registry');
  await tab.getByRole('button', { name: 'Sign out' }).click();
  await signInHere(tab, { email });
  await tab.waitForURL('**/registry');
  await tab.close();
};

/** The same without showing the tab. */
const changeAccount = async (page: Page | Visit, account: TestAccount): Promise<void> => {
  if (isVisit(page)) return changeAccountInTab(page.newTab(), account);
  await signOutWithoutPage(page.context());
  await signInWithoutPage(page.context(), account);
};

const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')));

/** What a practice holds under a chart number: the version of the record; undefined for none. */
const versionUnder = async (practiceId: string, chartNumber: string) =>
  (await pages.service.commands.history(practiceId, chartNumber, null)).state?.version;

/** Signed in once, beside the browsers of the rows. */
const visitorOf = keepVisitors(pages.service.url);

/** Births in progress that someone is offered. */
const draftsOf = async (account: TestAccount): Promise<number> => {
  const visitor = await visitorOf(account);
  const html = await (await visitor.send(NEW_BIRTH_PATH)).text();
  return html.split('draft-notice').length - 1;
};

/** Types, in the form of a birth that is open, all that it needs. */
const begin = async (page: TestPage, chartNumber: string): Promise<void> => {
  await fillBirth(page, {
    chart_number: chartNumber,
    'mother.family_name': `Shared ${chartNumber}`,
    'children.0.birth_date': '5/1/2026',
  });
  await page.locator('[name="place_of_birth"]').selectOption('Home');
};

pages.browserTest(
  'a birth that somebody began is not kept or saved by another, in another practice',
  async ({ open }) => {
    const { practice, members } = pages;
    const page = await open('Provider', { at: NEW_BIRTH_PATH, newSession: true });
    await begin(page, 'OF-1');
    await page.getByText('Draft saved').waitFor();
    await changeAccountInTab(await page.context().newPage(), stranger);
    await page.locator('[name="mother.given_names"]').fill('Rosa');
    await page.getByText('Someone else is signed in now.').waitFor();
    assert.equal(await faultsOf(page, 'birth-form-somebody-else'), []);
    await checkAnswers(page);
    await page.getByText('Someone else is signed in now.').waitFor();
    assert.match(page.url(), /records\/new/);
    assert.is(await draftsOf(stranger), 0);
    assert.is(await versionUnder(elsewhere.practiceId, 'OF-1'), undefined);
    await changeAccountInTab(await page.context().newPage(), members.Provider);
    await comeBack(page);
    await page.getByText('Draft saved').waitFor();
    await recordBirth(page);
    await page.waitForURL(RECORD);
    assert.is(await versionUnder(practice.practiceId, 'OF-1'), 1);
    assert.is(await versionUnder(elsewhere.practiceId, 'OF-1'), undefined);
  },
);

for (const hasScript of [true, false])
  pages.browserTest(
    `sent at once it waits for whoever began it, ${hasScript ? 'with' : 'without'} script`,
    async ({ open }) => {
      const { practice, members } = pages;
      const chartNumber = hasScript ? 'OF-2' : 'OF-3';
      const options = { at: NEW_BIRTH_PATH, newSession: true };
      const page = await (hasScript ? open : pages.visit)('Scribe', options);
      await begin(page, chartNumber);
      if (hasScript) await page.getByText('Draft saved').waitFor();
      await changeAccount(page, stranger);
      await checkAnswers(page);
      await page.getByRole('heading', { name: FORM_OF_ANOTHER_USER }).waitFor();
      const told = await page.locator('main').innerText();
      assert.match(await findMessage(page, 'others-form').innerText(), ` ${stranger.email},`);
      assert.not.match(told, /Shared|scribe@cedar|Cedar/);
      if (hasScript) assert.equal(await faultsOf(page, 'form-of-another'), []);
      // Whoever is signed in now gets no further with it.
      await page.getByRole('button', { name: 'Return to the form' }).click();
      await page.getByRole('heading', { name: FORM_OF_ANOTHER_USER }).waitFor();
      await changeAccount(page, members.Scribe);
      await page.getByRole('button', { name: 'Return to the form' }).click();
      assert.is(
        await page.locator('[name="mother.family_name"]').inputValue(),
        `Shared ${chartNumber}`,
      );
      await recordBirth(page);
      await page.waitForURL(/\/entered$/);
      assert.is(await versionUnder(practice.practiceId, chartNumber), 1);
      assert.is(await versionUnder(elsewhere.practiceId, chartNumber), undefined);
      assert.is(await draftsOf(stranger), 0);
    },
  );

pages.browserTest('a correction is saved under the name of whoever made it', async ({ open }) => {
  const { service, practice, members } = pages;
  const mother = { family: 'Named' };
  const receipt = await push(
    service.url,
    practice.token,
    birthBundle({ chartNumber: 'OF-4', mother }),
  );
  const [accepted] = receipt.status === 'completed' ? receipt.outcome.accepted : [];
  const page = await open('Provider', {
    at: `/registry/records/${accepted?.submission_uuid}/correct`,
    newSession: true,
  });
  await changeAccount(page, members.Admin);
  await page.locator('[name="prenatal_visits"]').fill('11');
  await page.getByText('Someone else is signed in now.').waitFor();
  assert.is(await versionUnder(practice.practiceId, 'OF-4'), 1);
  await changeAccount(page, members.Provider);
  await comeBack(page);
  await page.getByText('Draft saved').waitFor();
  await saveCorrection(page);
  await page.waitForURL(RECORD);
  const main = await page.locator('main').innerText();
  assert.match(await findMessage(page, 'correction-saved').innerText(), 'version 2.');
  assert.not.match(main, /admin@cedar/);
});

test('nothing is saved with the token of another, of a visitor, or with none', async () => {
  const { service, practice, members } = pages;
  const owner = await signInVisitor(service.url, members.Provider);
  const theirs = await owner.csrfToken(NEW_BIRTH_PATH);
  const sender = newVisitor(service.url);
  const early = await sender.csrfToken('/sign-in');
  await sender.signIn(members.Admin);
  const own = await sender.csrfToken(NEW_BIRTH_PATH);
  const birth = {
    submission: '6f0d4f0e-4c8e-4f55-9d6e-0c35a2f4b9a1',
    chart_number: 'OF-5',
    'mother.family_name': 'Taken',
    place_of_birth: 'Home',
    'consent.granted': 'no',
    save: 'record',
    'children.0.birth_date': '5/1/2026',
  };
  const CHECK = '/registry/records/check';
  const refused = [
    [NEW_BIRTH_PATH, theirs, 409, FORM_OF_ANOTHER_USER],
    [CHECK, theirs, 409, FORM_OF_ANOTHER_USER],
    [NEW_BIRTH_PATH, '', 403, crossSiteForm().heading],
    [CHECK, '', 403, crossSiteForm().heading],
    [CHECK, early, 410, formExpired().heading],
    // Only shown again, to be reviewed.
    [NEW_BIRTH_PATH, early, 200, 'data-message="opened-earlier"'],
  ] as const;
  for (const [path, _csrf, status, text] of refused) {
    const answer = await sender.send(path, { ...birth, _csrf });
    assert.is(answer.status, status);
    assert.match(await answer.text(), text);
  }
  // A token from before the secret was changed: the form is ours, and loses nothing.
  const kept = await sender.send(
    NEW_BIRTH_PATH,
    { ...birth, _csrf: 'of before' },
    { Origin: service.url },
  );
  assert.match(await kept.text(), 'data-message="opened-earlier"');
  assert.is(await versionUnder(practice.practiceId, 'OF-5'), undefined);
  assert.is(await draftsOf(members.Admin), 0);
  const again = await signInVisitor(service.url, members.Admin);
  const draft = { ...birth, submission: randomUUID(), _csrf: own };
  assert.is((await again.send(CHECK, draft)).status, 200);
  assert.is((await again.send(NEW_BIRTH_PATH, { ...birth, _csrf: own })).status, 303);
  assert.is(await versionUnder(practice.practiceId, 'OF-5'), 1);
});

test('nothing is discarded with the token of another, of a visitor, or with none', async () => {
  const { service, members } = pages;
  const theirs = await (await visitorOf(members.Provider)).csrfToken(NEW_BIRTH_PATH);
  const sender = newVisitor(service.url);
  const early = await sender.csrfToken('/sign-in');
  await sender.signIn(members.Admin);
  const own = await sender.csrfToken(NEW_BIRTH_PATH);
  const [id, correction] = [randomUUID(), `${await recordUnder('OF-16')}/correct`];
  const drafts = [
    { path: NEW_BIRTH_PATH, discard: id, offer: `name="discard" value="${id}"` },
    { path: correction, discard: 'correction', offer: 'draft-notice' },
  ] as const;
  for (const { path, discard, offer } of drafts) {
    const isOffered = async (): Promise<boolean> =>
      (await (await sender.send(path)).text()).includes(offer);
    // Stored, since it lacks answers.
    const typed = { chart_number: 'OF-17', 'mother.ssn': '12' };
    await sender.send(path, { ...typed, submission: id, version: '1', _csrf: own });
    assert.ok(await isOffered(), path);
    for (const _csrf of [theirs, early, '']) {
      await sender.send(path, { discard, _csrf });
      assert.ok(await isOffered(), path);
    }
    await sender.send(path, { discard, _csrf: own });
    assert.not(await isOffered(), path);
  }
});

pages.browserTest(
  'whose seat was changed is told so, and what the server says of it',
  async ({ open }) => {
    const { service, practice } = pages;
    const typist = await newMember(
      service,
      practice.practiceId,
      'Provider',
      'typist@cedar.example',
    );
    const admin = await signInVisitor(service.url, pages.members.Admin);
    const seatIs = async (seat: string) => {
      const path = `/registry/members/${typist.id}/seat`;
      const answer = await admin.send(path, { _csrf: await admin.csrfToken(path), seat });
      assert.is(answer.status, 303);
    };
    const receipt = await push(service.url, practice.token, birthBundle({ chartNumber: 'OF-6' }));
    const [accepted] = receipt.status === 'completed' ? receipt.outcome.accepted : [];
    const page = await open(typist, { at: NEW_BIRTH_PATH });
    const other = await page.context().newPage();
    await begin(page, 'OF-7');
    await other.goto(`/registry/records/${accepted?.submission_uuid}/correct`);
    await seatIs('Scribe');
    await other.locator('[name="prenatal_visits"]').fill('11');
    await other.getByText('Your role can no longer correct records.').waitFor();
    await seatIs('Viewer');
    await page.locator('[name="mother.given_names"]').fill('Rosa');
    await page.getByText('Your role can no longer enter births. Nothing more is saved').waitFor();
    assert.equal(await faultsOf(page, 'birth-form-other-seat'), []);
    await seatIs('Provider');
    await comeBack(page);
    await page.getByText('Draft saved').waitFor();
    await seatIs('Viewer');
    await page.locator('[name="mother.given_names"]').fill('Ana');
    await page.getByText('Your role can no longer enter births.').waitFor();
    await checkAnswers(page);
    await page.getByRole('heading', { name: 'You don’t have access' }).waitFor();
    assert.is(await versionUnder(practice.practiceId, 'OF-7'), undefined);
  },
);

/** A record of a practice, for someone to do something about. */
const recordUnder = async (chartNumber: string): Promise<string> => {
  const bundle = birthBundle({ chartNumber });
  const receipt = await push(pages.service.url, pages.practice.token, bundle);
  const [accepted] = receipt.status === 'completed' ? receipt.outcome.accepted : [];
  return `/registry/records/${accepted?.submission_uuid}`;
};

const colleague = await newMember(
  pages.service,
  pages.practice.practiceId,
  'Admin',
  'colleague@cedar.example',
);
const otherEmail = 'other@registry.example';
const otherStaff: TestAccount = {
  id: await pages.service.commands.accounts.addStaff({ email: otherEmail, password: PASSWORD }),
  email: otherEmail,
};

interface ShortForm {
  readonly page: string;
  readonly action: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly opener: TestAccount;
  /** Who is signed in when it is sent. */
  readonly next: TestAccount;
}

const toVoid = `${await recordUnder('OF-8')}/void`;
const { Admin, Provider } = pages.members;
const FIELDS = '/registry/custom-fields';
const MEMBERS = '/registry/members';
const PRACTICES = '/staff/practices';
const invite = (email: string) => ({ email, seat: 'Viewer', form_id: randomUUID() });
const SHORT_FORMS: readonly ShortForm[] = [
  {
    page: toVoid,
    action: toVoid,
    typed: { version: '1', reason: 'Typed quietly' },
    opener: Provider,
    next: Admin,
  },
  {
    page: `${FIELDS}/new`,
    action: FIELDS,
    typed: { label: 'Typed quietly', type: 'text' },
    opener: Admin,
    next: colleague,
  },
  {
    page: `${MEMBERS}/new`,
    action: MEMBERS,
    typed: invite('quietly@typed.example'),
    opener: Admin,
    next: stranger,
  },
  {
    page: `${MEMBERS}/new`,
    action: MEMBERS,
    typed: invite('quietly.too@typed.example'),
    opener: Admin,
    next: pages.staff,
  },
  {
    page: `${PRACTICES}/new`,
    action: PRACTICES,
    typed: { name: 'Typed quietly' },
    opener: pages.staff,
    next: otherStaff,
  },
];

for (const { page, action, typed, opener, next } of SHORT_FORMS)
  test(`${page}: what was typed there is not shown to ${next.email}`, async () => {
    const { url } = pages.service;
    const sent = async (account: TestAccount, fields: Readonly<Record<string, string>>) => {
      // A session shows once what its form before has done.
      const visitor = await signInVisitor(pages.service.url, account);
      const answer = await visitor.send(action, fields, { Origin: url });
      return { status: answer.status, html: await answer.text() };
    };
    const owner = newVisitor(url);
    const early = await owner.csrfToken('/sign-in');
    await owner.signIn(opener);
    const _csrf = await owner.csrfToken(page);

    const others = await sent(next, { ...typed, _csrf });
    assert.is(others.status, 409);
    assert.match(others.html, FORM_OF_ANOTHER_USER);
    assert.not.match(others.html, /quietly/i);

    const before = await sent(opener, { ...typed, _csrf: early });
    assert.is(before.status, 410);
    assert.match(before.html, formExpired().heading);
    assert.not.match(before.html, /quietly/i);

    const own = await sent(opener, { ...typed, _csrf });
    assert.ok([200, 303].includes(own.status), `${own.status}`);
  });

test('a reason to void that somebody typed is not shown to the next person', async () => {
  const { practice, members } = pages;
  const path = await recordUnder('OF-9');
  const page = await pages.visit('Provider', { at: `${path}/void`, newSession: true });
  await page.getByLabel('Reason for voiding').fill('Typed quietly');
  await changeAccount(page, members.Admin);
  await page.getByRole('button', { name: 'Void record' }).click();
  await page.getByRole('heading', { name: FORM_OF_ANOTHER_USER }).waitFor();
  assert.match(await page.locator('main').innerText(), formOfAnotherUser().text);
  assert.not.match(await page.content(), /quietly/i);
  assert.equal(await faultsOf(page, 'short-form-of-another'), []);
  await changeAccount(page, members.Provider);
  await page.goto(`${path}/void`);
  await page.getByLabel('Reason for voiding').fill('Typed quietly');
  await changeAccount(page, members.Provider);
  await page.getByRole('button', { name: 'Void record' }).click();
  await page.waitForURL(RECORD);
  assert.is(await versionUnder(practice.practiceId, 'OF-9'), 2);
});

test.run();
