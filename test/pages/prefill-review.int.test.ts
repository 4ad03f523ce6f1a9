import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildPickName, CHOOSE_ONE, NONE } from '../../api/pages/prefill/ehr-beside.tsx';
import { buildPrefillPath, PREFILL_PATH } from '../../api/pages/prefill/prefill-place.ts';
import { formatKey } from '../../api/pages/text/prefill-text.ts';
import { PLACE_OF_BIRTH_OPEN } from '../../domain/mapping/form/parse-course.ts';
import { choose } from '../harness/browser.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  newMember,
  newVisitor,
  RECORD,
  signInVisitor,
  type TestVisitor,
} from '../harness/pages.ts';
import { findMessage, readMessage } from '../harness/test-page.ts';
import { inputOf, LAUNCHED, save, startTestPrefillPages } from '../support/launches.ts';
import { formOn } from '../support/sent-forms.ts';

const pages = await startTestPrefillPages();
test.after(() => pages.stop());

/** A Provider without a browser. */
const newProvider = async (): Promise<TestVisitor> => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Provider);
  return visitor;
};

/** The form of the pre-fill that a launch ends on. */
const formAfterLaunch = async (visitor: TestVisitor, patientId: string) =>
  formOn(await (await visitor.send(await pages.launchWithoutPage(visitor, patientId))).text());

const APGAR = 'children.0.apgar_five_minute';
const ERROR_TITLE = 'Error: Pre-fill from the EHR · Birth Registry';

pages.scriptTest(
  'where the EHR says different things, one is chosen, and typing over it says so',
  { as: 'Provider', ...LAUNCHED },
  async ({ page }) => {
    await pages.launch(page, 'newborn-1');
    const asked = page.locator('.glance li').filter({ hasText: CHOOSE_ONE });
    assert.equal(await asked.getByRole('link').allInnerTexts(), [formatKey(APGAR, [0])]);
    const field = page.locator(`[data-field="${APGAR}"]`);
    const [ten, nine] = [/^10/, /^9/].map((name) => field.getByRole('radio', { name }));
    assert.is(await inputOf(page, APGAR).inputValue(), '');
    assert.is(await field.getByRole('radio', { checked: true }).count(), 0);
    assert.equal(await faultsOf(page, 'prefill-conflict'), []);

    // Nobody has chosen: it is not saved.
    await save(page);
    await page.locator('[data-error-summary]').waitFor();
    await page.locator('[data-error-summary] [data-error="value-not-chosen"]').waitFor();

    // The keys below are for the script of the page that has just been sent.
    await page.waitForLoadState();
    await inputOf(page, APGAR).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    assert.is(await inputOf(page, APGAR).inputValue(), '10');
    await page.keyboard.press('ArrowDown');
    assert.is(await inputOf(page, APGAR).inputValue(), '9');
    await inputOf(page, APGAR).fill('6');
    assert.not(await ten?.isChecked());
    assert.not(await nine?.isChecked());
    assert.match(await field.innerText(), 'Edited');
    await field.locator('label', { hasText: '5 minute Apgar Score' }).nth(1).click();
    assert.is(await inputOf(page, APGAR).inputValue(), '9');
    await inputOf(page, 'place_of_birth').selectOption('Home');
    await inputOf(page, 'chart_number').fill('PR-1');
    await save(page);
    await page.waitForURL(RECORD);
    const course = await pages.courseUnder('PR-1');
    assert.is(course?.children[0]?.apgar_five_minute, 9);
    assert.ok(course?.sources.some(({ field: path }) => path === 'children.apgar_five_minute'));
  },
);

test('without script the choice counts, and two answers at once are asked about', async () => {
  const visitor = await newProvider();
  const form = await formAfterLaunch(visitor, 'newborn-1');
  const typed = {
    place_of_birth: 'Clinic',
    chart_number: 'PR-2',
    'mother.given_names': 'Another',
    [APGAR]: '4',
    [buildPickName(APGAR)]: '1',
    save: 'save',
  };
  const html = await (await visitor.send(form.action, { ...form.fields, ...typed })).text();
  assert.match(html, `<title>${ERROR_TITLE}</title>`);
  assert.match(html, 'data-error="two-values"');
  const { action, fields } = formOn(html);
  assert.is(fields[APGAR], '4');
  assert.is(fields['place_of_birth'], 'Clinic');
  const answer = await visitor.send(action, { ...fields, ...typed, [APGAR]: '' });
  assert.match(answer.headers.get('location') ?? '', RECORD);
  assert.is((await pages.courseUnder('PR-2'))?.children[0]?.apgar_five_minute, 9);
});

for (const javaScriptEnabled of [true, false])
  pages.scriptTest(
    `Enter saves no pre-fill, ${javaScriptEnabled ? 'with' : 'without'} script`,
    { as: 'Provider', ...LAUNCHED, javaScriptEnabled },
    async ({ page }) => {
      const chartNumber = javaScriptEnabled ? 'PR-7' : 'PR-8';
      await pages.launch(page, 'mother-1');
      // No chart says it, so the form does not either.
      assert.is(await page.locator('[name="consent.granted"]:checked').count(), 0);
      await inputOf(page, 'place_of_birth').selectOption('Home');
      await inputOf(page, 'chart_number').fill(chartNumber);
      await inputOf(page, 'mother.family_name').fill('Typed');
      const presses = javaScriptEnabled ? 80 : 1;
      for (let press = 0; press < presses; press += 1) await page.keyboard.press('Enter');
      await page.locator('#birth-form').waitFor();
      assert.match(page.url(), /\/registry\/capture\/prefill\?id=/);
      assert.is(await inputOf(page, 'mother.family_name').inputValue(), 'Typed');
      assert.is(await pages.courseUnder(chartNumber), null);
      await save(page);
      await page.waitForURL(RECORD);
      assert.is((await pages.courseUnder(chartNumber))?.consent.granted, false);
    },
  );

pages.pageTest(
  'none of the conflicting values may be right, and what the chart says in words can be taken over',
  { as: 'Provider', ...LAUNCHED },
  async ({ page }) => {
    const isNoneSaved = async (chartNumber: string) =>
      (await pages.courseUnder(chartNumber))?.children[0]?.apgar_five_minute === null;
    await pages.launch(page, 'mother-1');
    const place = page.locator('[data-field="place_of_birth"]');
    await place.getByRole('button', { name: 'Use “Hospital”' }).first().click();
    await page.waitForLoadState();
    assert.is(await inputOf(page, 'place_of_birth').inputValue(), 'Hospital');
    await pages.launch(page, 'newborn-1');
    const field = page.locator(`[data-field="${APGAR}"]`);
    await choose(field.getByRole('radio', { name: 'None of these (leave empty)', exact: true }));
    await inputOf(page, 'place_of_birth').selectOption('Home');
    await inputOf(page, 'chart_number').fill('PR-5-true');
    await inputOf(page, 'mother.given_names').fill('Nora true');
    await save(page);
    await page.waitForURL(RECORD);
    assert.ok(await isNoneSaved('PR-5-true'));

    // The same without script.
    const visitor = await newProvider();
    const { action, fields } = await formAfterLaunch(visitor, 'mother-1');
    const used = await visitor.send(action, { ...fields, use: 'place_of_birth=Hospital' });
    const shown = await visitor.send(used.headers.get('location') ?? '');
    assert.is(formOn(await shown.text()).fields['place_of_birth'], 'Hospital');
    const other = await formAfterLaunch(visitor, 'newborn-1');
    const answer = await visitor.send(other.action, {
      ...other.fields,
      [buildPickName(APGAR)]: NONE,
      place_of_birth: 'Home',
      chart_number: 'PR-5-false',
      'mother.given_names': 'Nora false',
      save: 'save',
    });
    assert.match(answer.headers.get('location') ?? '', RECORD);
    assert.ok(await isNoneSaved('PR-5-false'));
  },
);

/** Whether a record has values of both charts. */
const isOfBoth = async (chartNumber: string): Promise<boolean> => {
  const course = await pages.courseUnder(chartNumber);
  const from = course?.sources.flatMap(({ from: place }) => place?.resource.split('/').at(-1));
  return ['mother-1', 'newborn-1'].every((patient) => from?.includes(patient));
};

pages.pageTest(
  'mother and newborn are looked over together, and what their charts say differently is asked',
  { as: 'Provider', ...LAUNCHED },
  async ({ page }) => {
    await pages.launch(page, 'mother-1');
    const prefillId = await pages.launch(page, 'newborn-1');
    await inputOf(page, 'chart_number').fill('PR-6-newborn-1');
    await page.getByRole('button', { name: 'Add the mother’s chart' }).click();
    await page.getByRole('button', { name: 'Remove' }).waitFor();
    assert.is(await inputOf(page, 'chart_number').inputValue(), 'PR-6-newborn-1');
    assert.equal(await faultsOf(page, 'prefill-both'), []);
    // The mother's chart has her phone, the newborn's its record number.
    assert.is(await inputOf(page, 'mother.given_names').inputValue(), 'Marisol Inés');
    assert.is.not(await inputOf(page, 'children.0.medical_record_number').inputValue(), '');
    const choices = page.locator('[data-ehr-choice]');
    assert.ok((await choices.count()) > 0);
    await inputOf(page, 'place_of_birth').selectOption('Home');
    await save(page);
    await page.locator('[data-error-summary]').waitFor();
    for (const choice of await choices.all()) await choose(choice.getByRole('radio').first());
    await inputOf(page, 'mother.family_name').fill('Quintanilla newborn-1');
    await save(page);
    await page.waitForURL(RECORD);
    assert.ok(await isOfBoth('PR-6-newborn-1'));
    // Both are saved: neither is offered again.
    await page.goto(PREFILL_PATH);
    await findMessage(page, 'nothing-read').waitFor();
    await page.goto(buildPrefillPath(prefillId));
    await findMessage(page, 'prefill-saved').waitFor();

    // The other way round, without script.
    const visitor = await newProvider();
    const added = (await pages.launchWithoutPage(visitor, 'newborn-1')).split('id=')[1] ?? '';
    const address = await pages.launchWithoutPage(visitor, 'mother-1');
    const alone = formOn(await (await visitor.send(address)).text());
    const chart = { chart_number: 'PR-6-mother-1' };
    const both = await visitor.send(alone.action, { ...alone.fields, ...chart, add_chart: added });
    const html = await (await visitor.send(both.headers.get('location') ?? '')).text();
    assert.match(html, `name="take_out" value="${added}"`);
    const { action, fields } = formOn(html);
    assert.is(fields['chart_number'], chart.chart_number);
    assert.is(fields['mother.given_names'], 'Marisol Inés');
    assert.is.not(fields['children.0.medical_record_number'], '');
    const toChoose = [...html.matchAll(/name="(pick\.[^"]+)" value="0"/g)].map(([, name]) => name);
    assert.ok(toChoose.length > 0);
    const typed = {
      ...fields,
      place_of_birth: 'Home',
      'mother.family_name': 'Quintanilla mother-1',
      save: 'save',
    };
    assert.is((await visitor.send(action, typed)).status, 422);
    const picks = Object.fromEntries(toChoose.map((name) => [name, '0']));
    const saved = await visitor.send(action, { ...typed, ...picks });
    assert.match(saved.headers.get('location') ?? '', RECORD);
    assert.ok(await isOfBoth(chart.chart_number));
    assert.match(await (await visitor.send(PREFILL_PATH)).text(), 'data-message="nothing-read"');
    assert.match(await (await visitor.send(address)).text(), 'data-message="prefill-saved"');
  },
);

pages.pageTest(
  'errors are told as in manual entry, and nothing typed is lost',
  { as: 'Provider', ...LAUNCHED },
  async ({ page }) => {
    await pages.launch(page, 'mother-1');
    await inputOf(page, 'children.0.birth_weight_grams').fill('heavy');
    await save(page);
    await page.locator('[data-error-summary]').waitFor();
    assert.is(await page.title(), ERROR_TITLE);
    const summary = await page.locator('[data-error-summary]').innerText();
    assert.match(summary, PLACE_OF_BIRTH_OPEN);
    assert.is(await inputOf(page, 'children.0.birth_weight_grams').inputValue(), 'heavy');
    assert.match(
      await page.locator('[data-field="children.0.birth_weight_grams"]').innerText(),
      'Edited The EHR says 3,410 g',
    );
    assert.equal(await faultsOf(page, 'prefill-errors'), []);
    await page.reload();
    assert.is(await inputOf(page, 'children.0.birth_weight_grams').inputValue(), 'heavy');
  },
);

test('of two tabs with one pre-fill, the second asks before it replaces what the first has kept', async () => {
  const visitor = await newProvider();
  const address = await pages.launchWithoutPage(visitor, 'mother-1');
  const open = async () => formOn(await (await visitor.send(address)).text());
  const [one, two] = [await open(), await open()];
  const typedBy = (tab: typeof one, family: string) => ({
    ...tab.fields,
    'mother.family_name': family,
  });
  const check = async (tab: typeof one, family: string) => {
    const answer = await visitor.send(`${PREFILL_PATH}/check`, typedBy(tab, family));
    return (await answer.json()) as { savedAt: string | null; isChangedElsewhere: boolean };
  };
  assert.not((await check(one, 'Kept')).isChangedElsewhere);
  const { savedAt, isChangedElsewhere } = await check(two, 'Typed later');
  assert.is(savedAt, null);
  assert.ok(isChangedElsewhere);

  for (const button of [{ save: 'save' }, { back: 'yes' }, { use: 'place_of_birth=Hospital' }]) {
    const asked = await visitor.send(two.action, { ...typedBy(two, 'Typed later'), ...button });
    assert.is(asked.status, 409, JSON.stringify(button));
    assert.match(await asked.text(), 'data-message="changed-elsewhere"');
    assert.is((await open()).fields['mother.family_name'], 'Kept');
  }
  const asked = await visitor.send(two.action, typedBy(two, 'Typed later'));
  const html = await asked.text();
  for (const text of ['Kept', 'Typed later']) assert.ok(html.includes(text));
  const question = formOn(html, 'name="edition"');
  const chosen = await visitor.send(question.action, { ...question.fields, back: 'yes' });
  assert.is(chosen.headers.get('location'), address);
  assert.is((await open()).fields['mother.family_name'], 'Typed later');
});

for (const [what, isOpen] of [
  ['kept before the sign-in', false],
  ['sent after the sign-in in another tab', true],
] as const)
  test(`times typed by a visitor and ${what} are moved to the clock and date order of the practice`, async () => {
    const { commands, url } = pages.service;
    const practiceId = await commands.practices.create({
      name: 'Manzanita Birth Center',
      sandbox: true,
      beta: false,
    });
    const timeZone = 'America/Los_Angeles';
    const set = { timeZone, dateOrder: 'day-first', sandbox: null, beta: null } as const;
    await commands.practices.set(practiceId, set);
    const email = `manzanita-${isOpen}@palm.example`;
    const account = await newMember(pages.service, practiceId, 'Provider', email);
    const visitor = newVisitor(url);
    const address = await pages.launchWithoutPage(visitor, 'newborn-1');
    const form = formOn(await (await visitor.send(address)).text());
    const typed = {
      ...form.fields,
      'children.1.birth_date': '5/12/2026',
      'children.1.birth_time': '2:05 pm',
      'mother.birth_date': '4/3/1994',
      'consent.date_time': '5/11/2026 11:30 pm',
      save: 'save',
    };
    if (!isOpen) assert.is((await visitor.send(form.action, typed)).status, 303);
    await visitor.signIn(account);
    const shown = isOpen ? await visitor.send(form.action, typed) : await visitor.send(address);
    const { fields } = formOn(await shown.text());
    assert.is(fields['children.1.birth_date'], 'May 12, 2026');
    assert.is(fields['children.1.birth_time'], '11:05 am');
    assert.is(fields['mother.birth_date'], 'Apr 3, 1994');
    assert.is(fields['consent.date_time'], 'May 11, 2026, 8:30 pm');
    // What the EHR says stays what it says.
    for (const key of ['children.0.birth_date', 'children.0.birth_time'])
      assert.is(fields[key], form.fields[key]);
    // Checked and opened again, it is converted once.
    await visitor.send(`${PREFILL_PATH}/check`, fields);
    const again = formOn(await (await visitor.send(address)).text());
    assert.is(again.fields['children.1.birth_time'], '11:05 am');
  });

test('a tab with other values than those that another has saved as the record is told', async () => {
  const visitor = await newProvider();
  const address = await pages.launchWithoutPage(visitor, 'mother-1');
  const open = async () => formOn(await (await visitor.send(address)).text());
  const [one, two] = [await open(), await open()];
  const typed = {
    place_of_birth: 'Home',
    chart_number: 'PR-9',
    'mother.family_name': 'Once',
    save: 'save',
  };
  const saved = await visitor.send(one.action, { ...one.fields, ...typed });
  const record = saved.headers.get('location') ?? '';
  assert.match(record, RECORD);
  const again = await visitor.send(one.action, { ...one.fields, ...typed });
  assert.is(again.headers.get('location'), record);
  const later = { ...two.fields, ...typed, 'mother.family_name': 'Later' };
  const told = await visitor.send(two.action, later);
  assert.is(told.status, 409);
  assert.ok((await told.text()).includes('data-message="saved-before"'));
});

test('a look-alike and a chart number that is taken are asked about first', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
  const saved = async (chartNumber: string): Promise<Response> => {
    const { action, fields } = await formAfterLaunch(visitor, 'mother-4');
    return visitor.send(action, {
      ...fields,
      'mother.given_names': 'Ottilie',
      'mother.family_name': 'Fairweather',
      'children.0.birth_date': '11/12/2026',
      place_of_birth: 'Home',
      chart_number: chartNumber,
      save: 'save',
    });
  };
  assert.match((await saved('PR-3')).headers.get('location') ?? '', RECORD);
  const asked = await (await saved('PR-4')).text();
  const overrule = formOn(asked, 'value="overrule"');
  const back = await visitor.send(overrule.action, { ...overrule.fields, back: 'yes' });
  const form = await visitor.send(back.headers.get('location') ?? '');
  const { action, fields } = formOn(await form.text());
  const typed = { ...fields, chart_number: 'PR-3', place_of_birth: 'Clinic', save: 'save' };
  const taken = await (await visitor.send(action, typed)).text();
  assert.match(readMessage(taken, 'chart-number-in-use'), 'PR-3');
  const amend = formOn(taken, 'value="amend"');
  const amended = await visitor.send(amend.action, { ...amend.fields, save: 'amend' });
  const record = amended.headers.get('location') ?? '';
  assert.match(record, RECORD);
  const shown = await (await visitor.send(record)).text();
  assert.match(readMessage(shown, 'record-amended'), 'version 2.');
  assert.is(await pages.courseUnder('PR-4'), null);
});

test.run();
