import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { IN_THE_EHR } from '../../api/pages/text/prefill-text.ts';
import { formatBesideEhr } from '../../api/pages/text/record-event-text.ts';
import { faultsOf } from '../harness/gallery.ts';
import { newVisitor, RECORD, signInHere } from '../harness/pages.ts';
import { findMessage } from '../harness/test-page.ts';
import { inputOf, LAUNCHED, save, startTestPrefillPages } from '../support/launches.ts';

const pages = await startTestPrefillPages();
test.after(() => pages.stop());

const PREFILL = '/registry/capture/prefill';

pages.pageTest(
  'without a launch the page says how to make one',
  { as: 'visitor', at: PREFILL },
  async ({ page }) => {
    assert.is((await newVisitor(pages.service.url).send(PREFILL)).status, 200);
    await page
      .getByRole('heading', { level: 1, name: 'Pre-fill from the EHR', exact: true })
      .waitFor();
    await findMessage(page, 'nothing-read').waitFor();
    assert.equal(await faultsOf(page, 'prefill-empty'), []);
  },
);

pages.pageTest(
  'a launch is looked over, survives signing in with all edits, and is saved once',
  { as: 'visitor', ...LAUNCHED },
  async ({ page }) => {
    await pages.launch(page, 'mother-1');
    assert.equal(await faultsOf(page, 'prefill-mother'), []);
    const main = page.locator('main');
    const told = (await main.innerText()).replaceAll(/\s+/g, ' ');
    assert.match(told, 'Marisol Inés Quintanilla-Brandvold Born Jun 17, 1994');
    assert.match(told, `${IN_THE_EHR} Riverbend Women’s Hospital, Birthing Unit`);
    assert.match(told, /\d [AP]M Use “Hospital”/);
    assert.is(await inputOf(page, 'children.0.birth_weight_grams').inputValue(), '3410 g');
    // The place of birth comes first: no EHR says it.
    const first = page.locator('#birth-form [data-field]').first();
    assert.is(await first.getAttribute('data-field'), 'place_of_birth');
    await inputOf(page, 'chart_number').fill('PF-1');
    await inputOf(page, 'children.0.given_names').fill('Þórunn');
    await inputOf(page, 'children.0.birth_date').fill('11/17/2026');
    await inputOf(page, 'children.0.apgar_one_minute').fill('7');
    await inputOf(page, 'place_of_birth').selectOption('Hospital');
    await save(page);

    await page.waitForURL(/\/sign-in\?next=/);
    await findMessage(page, 'sign-in-to-save').waitFor();
    await signInHere(page, pages.members.Provider);
    await page.waitForURL(/\/registry\/capture\/prefill\?id=/);
    await findMessage(page, 'review-before-saving').waitFor();
    assert.is(await inputOf(page, 'children.0.given_names').inputValue(), 'Þórunn');
    assert.equal(await faultsOf(page, 'prefill-edited'), []);
    const apgar = page.locator('[data-field="children.0.apgar_one_minute"]');
    assert.match(await apgar.innerText(), 'Edited The EHR says 8');
    await save(page);
    await page.waitForURL(RECORD);
    await findMessage(page, 'birth-recorded').waitFor();
    const record = new URL(page.url()).pathname;
    const origins = await page.locator('.origins').innerText();
    assert.match(origins, `Pre-filled from the EHR, saved by ${pages.members.Provider.email}`);
    assert.match(origins, formatBesideEhr(pages.members.Provider.email));

    const course = await pages.courseUnder('PF-1');
    const marks = (course?.sources ?? []).map(({ field, subject, child, source }) =>
      [field, subject, child, source].join(' '),
    );
    assert.ok(marks.includes('mother.family_name mother  ehr_pull'));
    assert.ok(marks.includes('children.birth_weight_grams child 0 ehr_pull'));
    // What was typed carries no mark, over a value of the EHR neither.
    assert.not(marks.some((mark) => /apgar_one|given_names child|place_of_birth/.test(mark)));
    assert.is(course?.children[0]?.apgar_one_minute, 7);

    await page.goto('/registry/records');
    assert.is(await page.locator(`main a[href="${record}"]`).count(), 1);
    await page.goto('/registry/births');
    assert.is(await page.locator(`main a[href="${record}"]`).count(), 0);
    await page.goto(PREFILL);
    await findMessage(page, 'nothing-read').waitFor();
  },
);

pages.scriptTest(
  'clicks that overlap save one record, and Back finds it',
  { as: 'Admin', ...LAUNCHED },
  async ({ page }) => {
    const prefillId = await pages.launch(page, 'newborn-1');
    const fields = await page
      .locator('#birth-form')
      .evaluate((form) => [...new FormData(form as HTMLFormElement)]);
    const body = new URLSearchParams(
      fields.map(([name, value]): [string, string] => [name, String(value)]),
    );
    body.set('place_of_birth', 'Home');
    body.set('chart_number', 'PF-2');
    // The chart says two things of it: one is chosen.
    body.set('children.0.apgar_five_minute', '9');
    const send = () =>
      page.request.post(PREFILL, {
        maxRedirects: 0,
        data: body.toString(),
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          Origin: new URL(page.url()).origin,
        },
      });
    const answers = await Promise.all([send(), send(), send()]);
    const late = await send();
    const places = new Set([...answers, late].map((answer) => answer.headers()['location']));
    assert.is(places.size, 1);
    assert.match([...places][0] ?? '', RECORD);
    await page.goto(`${PREFILL}?id=${prefillId}`);
    await page.getByRole('link', { name: 'View record' }).click();
    await page.waitForURL(RECORD);
  },
);

pages.pageTest(
  'two launches in two tabs stay two patients',
  { as: 'Admin', ...LAUNCHED },
  async ({ page: one }) => {
    const other = one.newTab();
    await pages.launch(one, 'mother-2');
    await pages.launch(other, 'mother-4');
    assert.match(
      await other.locator('nav.launches').innerText(),
      'Temperance Ashgrove, born Nov 2, 1990',
    );
    await inputOf(other, 'mother.given_names').fill('Ottilie');
    await inputOf(other, 'children.0.birth_date').fill('11/16/2026');
    await inputOf(one, 'place_of_birth').selectOption('Hospital');
    await inputOf(one, 'chart_number').fill('PF-3');
    await save(one);
    await one.waitForURL(RECORD);
    const twins = await pages.courseUnder('PF-3');
    assert.is(twins?.mother.family_name, 'Ashgrove');
    assert.equal(
      twins?.children.map((child) => child.birth_weight_grams),
      [2480, 2350],
    );
    assert.is(twins?.delivery_method, '11466000');
    await inputOf(other, 'place_of_birth').selectOption('Home');
    await inputOf(other, 'chart_number').fill('PF-4');
    await save(other);
    await other.waitForURL(RECORD);
    const bare = await pages.courseUnder('PF-4');
    assert.equal(bare?.mother.given_names, ['Ottilie']);
    assert.is(bare?.children.length, 1);
  },
);

test.run();
