import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NEW_BIRTH_PATH } from '../../api/pages/parts/birth-form/confirm/duplicate-checks.tsx';
import { choose } from '../harness/browser.ts';
import { faultsOf } from '../harness/gallery.ts';
import { newMember, RECORD, sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { newPractice, push } from '../harness/service.ts';
import type { TestPage } from '../harness/test-page.ts';
import { checkAnswers, fillBirth, recordBirth, saveCorrection } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';
import { formOn } from '../support/sent-forms.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const NIGHT = '2025-11-02';

/** The question which of two moments a time is. @param place of the child */
const questionOf = (page: TestPage, clock: string, place = 0) =>
  page.getByRole('group', { name: `Which ${clock}?` }).nth(place);

const childrenOf = async (chartNumber: string) => {
  const { practice, service } = pages;
  const history = await service.commands.history(practice.practiceId, chartNumber, null);
  return history.state?.courseOfCare?.children.map(({ birth_time }) => birth_time);
};

const fillTwins = (page: TestPage, chartNumber: string): Promise<void> =>
  fillBirth(page, {
    chart_number: chartNumber,
    'mother.family_name': 'Nightingale',
    'children.0.birth_date': '11/2/2025',
    'children.0.birth_time': '1:50 am',
  });

pages.pageTest(
  'twins of the hour that comes twice are asked for, recorded and shown in their order',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    await fillTwins(page, 'NC-1');
    await page.getByLabel('Place of birth', { exact: true }).selectOption('Home');
    assert.is(await page.getByRole('group', { name: /^Which/ }).count(), 0);
    await page.getByRole('button', { name: 'Add another child' }).click();
    await page.locator('[name="children.1.birth_time"]').fill('1:10 am');
    await checkAnswers(page);
    const summary = page.locator('[data-error-summary]');
    await summary.getByRole('heading', { name: '2 things to correct' }).waitFor();
    assert.equal(await faultsOf(page, 'clock-changes-asked'), []);
    const asked = (await summary.getByRole('link').first().getAttribute('href')) ?? '';
    assert.is(
      page.document.querySelector(`${asked} input, input${asked}`)?.getAttribute('name'),
      'children.0.birth_time_which',
    );
    await choose(questionOf(page, '1:50 AM').getByLabel('First 1:50 AM (EDT)'));
    await choose(questionOf(page, '1:10 AM').getByLabel('Second 1:10 AM (EST)'));
    await checkAnswers(page);
    await page.getByRole('button', { name: 'Record birth' }).waitFor();
    assert.match(await page.locator('main').innerText(), 'Nov 2, 2025, 1:50 AM EDT');
    assert.match(await page.locator('main').innerText(), 'Nov 2, 2025, 1:10 AM EST');
    assert.equal(await faultsOf(page, 'clock-changes-answers'), []);
    await page.getByRole('button', { name: 'Return to the form' }).click();
    await page.locator('[name="children.1.birth_time"]').waitFor();
    assert.is(await page.locator('[name="children.1.birth_time"]').inputValue(), '1:10 am');
    assert.ok(await questionOf(page, '1:10 AM').getByLabel('Second 1:10 AM (EST)').isChecked());
    assert.equal(await faultsOf(page, 'clock-changes-kept'), []);
    await recordBirth(page);
    await page.waitForURL(RECORD);
    assert.equal(await childrenOf('NC-1'), [`${NIGHT}T01:50:00-04:00`, `${NIGHT}T01:10:00-05:00`]);
    const text = await page.locator('main').innerText();
    assert.match(text, '1:50 AM EDT');
    assert.match(text, '1:10 AM EST');
    assert.equal(await faultsOf(page, 'clock-changes-record'), []);
  },
);

pages.pageTest(
  'a correction shows which of the two it was, and takes the other',
  { as: 'Admin' },
  async ({ page }) => {
    const { practice, service } = pages;
    const receipt = await push(
      service.url,
      practice.token,
      birthBundle({
        chartNumber: 'NC-2',
        mother: { family: 'Nightly' },
        children: [{ birthDate: NIGHT, birthTime: `${NIGHT}T01:30:00-05:00` }],
      }),
    );
    const [accepted] = receipt.status === 'completed' ? receipt.outcome.accepted : [];
    await page.goto(`/registry/records/${accepted?.submission_uuid}/correct`);
    assert.is(await page.locator('[name="children.0.birth_time"]').inputValue(), '1:30 am');
    const question = questionOf(page, '1:30 AM');
    assert.ok(await question.getByLabel('Second 1:30 AM (EST)').isChecked());
    assert.equal(await faultsOf(page, 'clock-changes-correction'), []);
    await choose(question.getByLabel('First 1:30 AM (EDT)'));
    await checkAnswers(page);
    await page.getByRole('button', { name: 'Save correction' }).waitFor();
    const changes = await page.locator('main').innerText();
    assert.match(changes, '1:30 AM EST');
    assert.match(changes, '1:30 AM EDT');
    await page.getByRole('button', { name: 'Save correction' }).click();
    await page.waitForURL(RECORD);
    assert.equal(await childrenOf('NC-2'), [`${NIGHT}T01:30:00-04:00`]);
    // On another day nothing is asked, and an answer of before does not stand in the way.
    await page.goto(`/registry/records/${accepted?.submission_uuid}/correct`);
    await page.locator('[name="children.0.birth_date"]').fill('11/3/2025');
    await saveCorrection(page);
    await page.waitForURL(RECORD);
    assert.equal(await childrenOf('NC-2'), ['2025-11-03T01:30:00-05:00']);
  },
);

/** A form as its page sends it, with the least that can be recorded. */
const leastBirth = (changes: Readonly<Record<string, string>>) => ({
  submission: randomUUID(),
  'mother.family_name': 'Least',
  place_of_birth: 'Home',
  'children.0.birth_date': '11/2/2025',
  'consent.granted': 'no',
  save: 'record',
  ...changes,
});

test('without a script a time that does not exist is refused with the reason', async () => {
  const { service } = pages;
  const visitor = await signInVisitor(service.url, pages.members.Provider);
  const own = { _csrf: await visitor.csrfToken('/registry') };
  const refused = await visitor.send(
    NEW_BIRTH_PATH,
    leastBirth({
      ...own,
      chart_number: 'NC-3',
      'children.0.birth_date': '3/9/2025',
      'children.0.birth_time': '2:30 AM',
    }),
  );
  assert.is(refused.status, 422);
  assert.match(await refused.text(), 'data-error="time-skipped"');
});

test('without a script the answer is kept with its draft', async () => {
  const { service } = pages;
  const visitor = await signInVisitor(service.url, pages.members.Scribe);
  const own = { _csrf: await visitor.csrfToken('/registry') };
  const birth = leastBirth({
    ...own,
    chart_number: 'NC-4',
    place_of_birth: '',
    'children.0.birth_time': '1:30 am',
    'children.0.birth_time_which': 'second',
  });
  const refused = await visitor.send(NEW_BIRTH_PATH, birth);
  assert.is(refused.status, 422);
  const html = await refused.text();
  assert.not.match(html, 'data-error="time-twice"');
  assert.match(html, /value="1:30 am"/);
  const draft = await (await visitor.send(`${NEW_BIRTH_PATH}?draft=${birth.submission}`)).text();
  assert.match(draft, /<input[^>]*birth_time_which"[^>]*value="second"[^>]*checked/);
});

/** A practice of its own, whose time zone changes, and its Provider. */
const openPractice = async () => {
  const { service } = pages;
  const { practiceId, token } = await newPractice(service.commands);
  const email = `${randomUUID()}@clocks.example`;
  const account = await newMember(service, practiceId, 'Provider', email);
  const visitor = await signInVisitor(service.url, account);
  const setTimeZone = (timeZone: string) =>
    service.commands.practices.set(practiceId, { timeZone, sandbox: null, beta: null });
  return { visitor, token, setTimeZone };
};

test('a draft and an open form keep their moments when the practice changes its time zone', async () => {
  const { visitor, setTimeZone } = await openPractice();
  const { action, fields } = formOn(await (await visitor.send(NEW_BIRTH_PATH)).text());
  const typed = {
    ...fields,
    'mother.family_name': 'Moved',
    'children.0.birth_date': '5/12/2026',
    'children.0.birth_time': '2:05 pm',
    back: 'yes',
  };
  const kept = await visitor.send(action, typed);
  const draft = kept.headers.get('location') ?? '';
  const shown = async () => formOn(await (await visitor.send(draft)).text()).fields;
  assert.is((await shown())['children.0.birth_time'], '2:05 pm');
  await setTimeZone('America/Chicago');
  assert.is((await shown())['children.0.birth_time'], '1:05 pm');
  // The same form, still open from before.
  await visitor.send(action, typed);
  assert.is((await shown())['children.0.birth_time'], '1:05 pm');
});

test('a correction does not change a time that nobody changed when the time zone changes', async () => {
  const { visitor, token, setTimeZone } = await openPractice();
  const receipt = await push(
    pages.service.url,
    token,
    birthBundle({ children: [{ birthDate: NIGHT, birthTime: `${NIGHT}T14:30:00Z` }] }),
  );
  const [accepted] = receipt.status === 'completed' ? receipt.outcome.accepted : [];
  const path = `/registry/records/${accepted?.submission_uuid}/correct`;
  const { action, fields } = formOn(await (await visitor.send(path)).text());
  assert.is(fields['children.0.birth_time'], '9:30 am');
  await visitor.send(action, { ...fields, prenatal_visits: '11', back: 'yes' });
  await setTimeZone('America/Los_Angeles');
  const html = await (await visitor.send(`${path}?draft=yes`)).text();
  assert.is(formOn(html).fields['children.0.birth_time'], '6:30 am');
  // Neither in the draft nor in the form that is still open is it a change.
  const checked = await visitor.send(action, {
    ...fields,
    prenatal_visits: '12',
    reason: 'x',
    save: 'check',
  });
  const changes = await checked.text();
  assert.match(changes, '12');
  assert.not.match(changes, /(?:6|9):30 AM/);
});

test.run();
