import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NEW_BIRTH_PATH } from '../../api/pages/parts/birth-form/confirm/duplicate-checks.tsx';
import { choose } from '../harness/browser.ts';
import { faultsOf } from '../harness/gallery.ts';
import { newMember, newVisitor, RECORD, sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { newPractice, push } from '../harness/service.ts';
import { findMessage, readMessage, type TestPage } from '../harness/test-page.ts';
import { checkAnswers, REASON, recordBirth, saveCorrection } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';
import { formOn, submit } from '../support/sent-forms.ts';
import { buildTransfer } from '../support/transfers.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

/** Pushes a birth. @returns where it is corrected */
const pushed = async (bundle: object, token = pages.practice.token): Promise<string> => {
  const receipt = await push(pages.service.url, token, bundle as never);
  const [accepted] = receipt.status === 'completed' ? receipt.outcome.accepted : [];
  return `/registry/records/${accepted?.submission_uuid}/correct`;
};

/** Presses the button again, where the answers were checked before. */
const press = (page: TestPage) => page.getByRole('button', { name: 'Save correction' }).click();

test('a correction starts from what the record says, and keeps what is not touched', async () => {
  const { practice, service } = pages;
  const path = await pushed(
    birthBundle({ chartNumber: 'CO-1', mother: { family: 'Łukasik', given: ['Ewa', 'Ana'] } }),
  );
  const page = await pages.visit('Provider', { at: path });
  assert.is(await page.locator('[name="mother.given_names"]').inputValue(), 'Ewa Ana');
  assert.is(await page.locator('[name="children.0.birth_weight_grams"]').inputValue(), '3400 g');
  assert.is(await page.locator('[name="chart_number"]').count(), 0);
  assert.equal(await faultsOf(page, 'correct'), []);
  await page.locator('[name="children.0.birth_weight_grams"]').fill('heavy');
  await checkAnswers(page);
  assert.match(await page.locator('[data-error-summary]').innerText(), 'birth weight');
  await page.locator('[name="children.0.birth_weight_grams"]').fill('7 lb 1 oz');
  await saveCorrection(page);
  await page.waitForURL(RECORD);
  assert.match(await findMessage(page, 'correction-saved').innerText(), 'version 2.');
  const history = await service.commands.history(practice.practiceId, 'CO-1', null);
  const course = history.state?.courseOfCare;
  assert.equal(course?.mother.given_names, ['Ewa', 'Ana']);
  assert.is(course?.children[0]?.birth_weight_grams, 3203.496113125);
  assert.is(course?.children[0]?.apgar_five_minute, 9);
  await page.goto(path);
  assert.is(await page.locator('.draft-notice').count(), 0);
});

for (const version of ['abc', '99'])
  test(`a form of version ${version}, which the record never had, corrects the current one`, async () => {
    const mother = { family: `Unversioned ${version}` };
    const path = await pushed(birthBundle({ chartNumber: `CO-${version}`, mother }));
    const typed = { ...REASON, version, 'mother.phone': '503-555-0100', save: 'record' };
    const answer = await submit(colleague, path, typed);
    assert.match(answer.headers.get('location') ?? '', RECORD);
  });

test('the last transfer can be taken away', async () => {
  const { practice, service } = pages;
  const path = await pushed(
    birthBundle({
      chartNumber: 'CO-T',
      mother: { family: 'Moved' },
      encounter: { hospitalization: { dischargeDisposition: { coding: [{ code: 'other-hcf' }] } } },
    }),
  );
  const transfers = async () =>
    (await service.commands.history(practice.practiceId, 'CO-T', null)).state?.courseOfCare
      .transfers;
  assert.equal(await transfers(), [
    buildTransfer({ type: 'infant', direction: 'out', facility: null }),
  ]);
  const page = await pages.visit('Admin', { at: path });
  await page.locator('[name="remove"][value="transfers:0"]').click();
  await page.locator('[name="transfers.0.type"]').waitFor({ state: 'detached' });
  await saveCorrection(page);
  await page.waitForURL(RECORD);
  assert.equal(await transfers(), []);
});

test('two people who correct at once are both heard', async () => {
  const path = await pushed(birthBundle({ chartNumber: 'CO-2', mother: { family: 'Both' } }));
  const other = await pages.visit('Provider', { at: path });
  const answer = await submit(colleague, path, {
    ...REASON,
    'children.0.birth_weight_grams': '3500 g',
    'mother.phone': '503-555-0100',
    save: 'record',
  });
  assert.match(answer.headers.get('location') ?? '', RECORD);
  await other.locator('[name="children.0.birth_weight_grams"]').fill('3600 g');
  await other.locator('[name="mother.family_name"]').fill('Bothwell');
  await saveCorrection(other);
  await findMessage(other, 'record-changed').waitFor();
  assert.equal(await faultsOf(other, 'correct-changed-since-opened'), []);
  const chosen = other.document.querySelectorAll('input[type="radio"]:checked');
  const taken = [...chosen].map(
    (input) => `${input.getAttribute('name')} ${input.getAttribute('value')}`,
  );
  assert.equal(taken, [
    'take.mother.family_name yours',
    'take.children.0.birth_weight_grams yours',
    'take.mother.phone theirs',
  ]);
  await choose(other.locator('[name="take.children.0.birth_weight_grams"][value="theirs"]'));
  await press(other);
  await other.waitForURL(RECORD);
  await other.goto(path);
  assert.is(await other.locator('[name="mother.family_name"]').inputValue(), 'Bothwell');
  assert.is(await other.locator('[name="mother.phone"]').inputValue(), '503-555-0100');
  assert.is(await other.locator('[name="children.0.birth_weight_grams"]').inputValue(), '3500 g');
});

const colleague = await signInVisitor(pages.service.url, pages.members.Admin);

/** Voids the record that a path corrects, as a colleague would. */
const voidBeside = async (path: string): Promise<void> => {
  const voiding = path.replace(/correct$/, 'void');
  const answer = await submit(colleague, voiding, { reason: 'Entered twice' }, 'name="reason"');
  assert.is(answer.status, 303);
};

pages.browserTest(
  'what is typed while a colleague voids the record goes on into the form of the birth',
  async ({ open }) => {
    const path = await pushed(birthBundle({ chartNumber: 'CO-V', mother: { family: 'Gone' } }));
    const page = await open('Provider', { at: path });
    await page.locator('[name="mother.family_name"]').fill('Goneril');
    await page.locator('[name="children.0.birth_weight_grams"]').fill('heavy');
    await page.locator('[name="children.0.sex"]').selectOption('male');
    await page.getByText('Draft saved').waitFor();
    await voidBeside(path);
    const [answer] = await Promise.all([
      page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.url().endsWith('/correct'),
      ),
      checkAnswers(page),
    ]);
    assert.is(answer.status(), 409);
    assert.is(await page.locator('h1').innerText(), 'This record is voided');
    await findMessage(page, 'correction-not-saved').waitFor();
    const reentry = await findMessage(page, 'reentry').innerText();
    assert.match(reentry, /again under its chart number, with what you typed\.$/);
    const rows = await page
      .locator('tbody tr')
      .evaluateAll((found) =>
        found.map((row) => [...row.children].map((cell) => cell.textContent).join(' | ')),
      );
    assert.equal(rows, [
      'Mother: family name | Gone | Goneril',
      'Child: sex | Female | Male',
      'Child: birth weight | 3400 g | heavy',
    ]);
    assert.equal(await faultsOf(page, 'correct-voided'), []);
    // Whoever comes back later finds it again.
    await page.goto(path);
    assert.match(await page.locator('main').innerText(), 'Goneril');
    const record = page.getByRole('link', { name: 'This record' });
    assert.is(await record.getAttribute('href'), path.replace(/\/correct$/, ''));
    await page.getByRole('button', { name: 'Enter the birth again' }).click();
    await page.waitForURL('**/registry/records/new?draft=*');
    assert.is(await page.locator('[name="chart_number"]').inputValue(), 'CO-V');
    assert.is(await page.locator('[name="mother.family_name"]').inputValue(), 'Goneril');
    await page.locator('[name="children.0.birth_weight_grams"]').fill('3500 g');
    await recordBirth(page);
    await findMessage(page, 'record-is-voided').waitFor();
    assert.is(await page.getByRole('link', { name: 'correct the record' }).count(), 0);
    await page.getByRole('button', { name: 'Amend record' }).click();
    await page.waitForURL(RECORD);
    assert.match(await page.locator('.record__summary').innerText(), 'Version 3');
  },
);

test('a voided record without a chart number is entered again, and stays voided', async () => {
  const first = await submit(colleague, NEW_BIRTH_PATH, {
    'mother.family_name': 'Unnumbered',
    'children.0.birth_date': '5/12/2026',
    place_of_birth: 'Hospital',
    'consent.granted': 'no',
    save: 'record',
  });
  const record = first.headers.get('location') ?? '';
  assert.match(record, RECORD);
  const path = `${record}/correct`;
  await voidBeside(path);
  const answer = await colleague.send(path);
  assert.is(answer.status, 409);
  const said = await answer.text();
  assert.is(said.split(`<a href="${record}/bring-back">Restore the record</a>`).length, 2);
  const reentry = readMessage(said, 'reentry');
  assert.match(reentry, /again, with the values in this record\. .* stays voided\.$/);
  assert.not.match(said, 'correction-not-saved');
  const back = formOn(said, 'name="back"');
  const again = await colleague.send(back.action, { ...back.fields, back: 'yes' });
  const draft = again.headers.get('location') ?? '';
  assert.ok(draft.startsWith(`${NEW_BIRTH_PATH}?draft=`));
  const { action, fields } = formOn(await (await colleague.send(draft)).text());
  assert.is(fields['chart_number'], '');
  assert.is(fields['mother.family_name'], 'Unnumbered');
  const saved = await colleague.send(action, {
    ...fields,
    'consent.granted': 'no',
    save: 'record',
  });
  assert.match(saved.headers.get('location') ?? '', RECORD);
  assert.is.not(saved.headers.get('location'), record);
});

test('a partner’s record without a place of birth is corrected without one, and again', async () => {
  const { practice, service } = pages;
  const token = await newPartnerFeed(service.commands, practice.practiceId);
  const path = await pushed(attendedBirth({}, { chartNumber: 'CO-N', place: null }), token);
  for (const grams of ['3300 g', '3310 g']) {
    const typed = { ...REASON, 'children.0.birth_weight_grams': grams, save: 'record' };
    const answer = await submit(colleague, path, typed);
    assert.match(answer.headers.get('location') ?? '', RECORD);
  }
  const { state } = await service.commands.history(practice.practiceId, 'CO-N', null);
  assert.is(state?.version, 3);
  assert.is(state?.courseOfCare.place_of_birth, null);
  assert.is(state?.courseOfCare.children[0]?.birth_weight_grams, 3310);
});

test('a partner’s record keeps its attribution, and what it does not hold stays empty', async () => {
  const { practice, service } = pages;
  const token = await newPartnerFeed(service.commands, practice.practiceId);
  const attendant = { identity: 'P-1', name: 'Robin Vale', qualification: 'CNM' };
  const path = await pushed(attendedBirth({ attendant }, { chartNumber: 'CO-3' }), token);
  const page = await pages.visit('Admin', { at: path });
  assert.is(await page.locator('[name="children.0.birth_date"]').inputValue(), '2026');
  assert.equal(await faultsOf(page, 'correct-partner'), []);
  await page.locator('[name="prenatal_visits"]').fill('11');
  await saveCorrection(page);
  await page.waitForURL(RECORD);
  const { state } = await service.commands.history(practice.practiceId, 'CO-3', null);
  assert.ok(typeof state?.courseOfCare.attendant === 'string');
  assert.is(state?.courseOfCare.prenatal_visits, 11);
  assert.is(state?.courseOfCare.mother.family_name, null);
  assert.is(state?.courseOfCare.children[0]?.birth_date, '2026');
});

pages.browserTest(
  'a correction in progress is kept, and goes on from the version that it began with',
  async ({ open }) => {
    const path = await pushed(birthBundle({ chartNumber: 'CO-4', mother: { family: 'Later' } }));
    const page = await open('Provider', { at: path });
    await choose(page.locator('[name="consent.granted"][value="no"]'));
    await choose(page.locator('[name="reason"][value="Typing error"]'));
    await page.locator('[name="mother.birth_date"]').fill('Jun 3 1994');
    // The draft of the reason alone may have been kept before.
    await page.getByText('Friday, June 3, 1994').waitFor();
    await page.getByText('Draft saved').waitFor();
    await page.goto(path);
    assert.match(await page.locator('.draft-notice').innerText(), 'unfinished correction');
    assert.is(await page.locator('[name="mother.birth_date"]').inputValue(), 'Jun 3 1994');
    await checkAnswers(page);
    assert.match(await findMessage(page, 'reason-given').innerText(), ' Typing error');
    await page.goto(path);
    await page.getByRole('button', { name: 'Discard' }).click();
    await findMessage(page, 'correction-discarded').waitFor();
    assert.is(await page.locator('[name="mother.birth_date"]').inputValue(), 'Jun 2, 1994');
    await page.locator('[name="mother.birth_date"]').fill('Jun 4 1994');
    await page.getByRole('button', { name: 'Add another child' }).click();
    await page.locator('[name="children.1.given_names"]').fill('Wren');
    await page.getByRole('button', { name: 'Remove child 1' }).click();
    await page.getByRole('button', { name: 'Remove child 1' }).waitFor({ state: 'detached' });
    await saveCorrection(page);
    await page.waitForURL(RECORD);
    await page.goto(path);
    assert.is(await page.locator('[name="children.0.given_names"]').inputValue(), 'Wren');
  },
);

test('a check that arrives after its correction was discarded saves nothing', async () => {
  const path = await pushed(birthBundle({ chartNumber: 'CO-5', mother: { family: 'Late' } }));
  const provider = await signInVisitor(pages.service.url, pages.members.Provider);
  const { fields } = formOn(await (await provider.send(path)).text());
  assert.is((await provider.send(path, { ...fields, discard: 'yes' })).status, 303);
  const late = { ...fields, 'mother.birth_date': 'Jun 3 1994' };
  const { savedAt, isChangedElsewhere } = (await (
    await provider.send(`${path}/check`, late)
  ).json()) as { readonly savedAt: string | null; readonly isChangedElsewhere: boolean };
  assert.equal([savedAt, isChangedElsewhere], [null, true]);
  assert.not.match(await (await provider.send(path)).text(), 'draft-notice');
});

test('a correction sent after its session has ended comes back whole, and unsaved', async () => {
  const { service, members, practice } = pages;
  const path = await pushed(birthBundle({ chartNumber: 'CO-6', mother: { family: 'Whole' } }));
  const visitor = newVisitor(service.url);
  const typed = { version: '1', 'mother.family_name': 'Wholly "typed" <b>', save: 'check' };
  const anonymous = await visitor.send(path, typed);
  assert.is(anonymous.status, 401);
  assert.match(await anonymous.text(), /value="Wholly &quot;typed&quot; &lt;b/);
  const _csrf = await visitor.csrfToken('/sign-in');
  await visitor.signIn(members.Provider);
  const again = await visitor.send(path, { ...typed, _csrf });
  assert.is(again.status, 200);
  const form = await again.text();
  assert.match(form, 'data-message="opened-earlier"');
  assert.match(form, /value="Wholly &quot;typed&quot; &lt;b/);
  const { state } = await service.commands.history(practice.practiceId, 'CO-6', null);
  assert.is(state?.version, 1);
  const foreign = await visitor.send(path, typed, { 'Sec-Fetch-Site': 'cross-site' });
  assert.is(foreign.status, 403);
  await foreign.text();
});

test('only an Admin or Provider of the practice corrects, and nothing that is not there', async () => {
  const { service, members } = pages;
  const path = await pushed(birthBundle({ chartNumber: 'CO-5', mother: { family: 'Own' } }));
  const elsewhere = await newPractice(service.commands);
  const stranger = await newMember(service, elsewhere.practiceId, 'Admin', 'stranger@elm.example');
  const expected = [
    [members.Viewer, 403],
    [members.Scribe, 403],
    [stranger, 404],
    [members.Admin, 200],
  ] as const;
  for (const [account, status] of expected) {
    const visitor = await signInVisitor(service.url, account);
    assert.is((await visitor.send(path)).status, status);
    const _csrf = await visitor.csrfToken('/registry');
    const fields = { _csrf, save: 'check', version: '1' };
    if (status !== 200) assert.is((await visitor.send(path, fields)).status, status);
  }
  const visitor = await signInVisitor(service.url, members.Admin);
  for (const wrong of ['not-a-record', '00000000-0000-4000-8000-000000000000'])
    assert.is((await visitor.send(`/registry/records/${wrong}/correct`)).status, 404);
});

test.run();
