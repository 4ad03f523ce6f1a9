import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  NOTHING_READ_MESSAGE,
  PREFILL_SAVED_MESSAGE,
} from '../../api/pages/prefill/no-prefill.tsx';
import { BOTH_MESSAGE, CONFLICT_MESSAGE } from '../../api/pages/prefill/read-review.ts';
import { faultsOf } from '../harness/browser.ts';
import { RECORD } from '../harness/pages.ts';
import { inputOf, LAUNCHED, save, startTestPrefillPages } from '../support/prefill-pages.ts';

const pages = await startTestPrefillPages();
test.after(() => pages.stop());

const APGAR = 'children.0.apgar_five_minute';

pages.pageTest(
  'where the EHR says different things, one is chosen, and typing over it says so',
  { as: 'Provider', ...LAUNCHED },
  async ({ page }) => {
    await pages.launch(page, 'newborn-1');
    assert.match(
      await page.locator('.glance').innerText(),
      /Conflicting values: choose one for Child: Apgar at 5 minutes/,
    );
    const field = page.locator(`[data-field="${APGAR}"]`);
    const [ten, nine] = [/^10/, /^9/].map((name) => field.getByRole('radio', { name }));
    assert.is(await inputOf(page, APGAR).inputValue(), '');
    assert.is(await field.getByRole('radio', { checked: true }).count(), 0);
    assert.equal(await faultsOf(page, 'prefill-conflict'), []);

    // Nobody has chosen: it is not saved.
    await save(page);
    await page.locator('[data-error-summary]').waitFor();
    assert.match(await page.locator('[data-error-summary]').innerText(), CONFLICT_MESSAGE);

    await inputOf(page, APGAR).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    assert.is(await inputOf(page, APGAR).inputValue(), '10');
    await page.keyboard.press('ArrowDown');
    assert.is(await inputOf(page, APGAR).inputValue(), '9');
    await inputOf(page, APGAR).fill('6');
    assert.not(await ten?.isChecked());
    assert.not(await nine?.isChecked());
    assert.match(await field.innerText(), /Edited/);
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

pages.pageTest(
  'without script the choice counts, and two answers at once are asked about',
  { as: 'Provider', ...LAUNCHED, javaScriptEnabled: false },
  async ({ page }) => {
    await pages.launch(page, 'newborn-1');
    const other = page.locator(`[name="pick.${APGAR}"][value="1"]`);
    await inputOf(page, 'place_of_birth').selectOption('Clinic');
    await inputOf(page, 'chart_number').fill('PR-2');
    await inputOf(page, 'mother.given_names').fill('Another');
    await inputOf(page, APGAR).fill('4');
    await other.check({ force: true });
    await save(page);
    assert.match(await page.title(), /^Error: Pre-fill from the EHR/);
    assert.match(await page.locator('[data-error-summary]').innerText(), BOTH_MESSAGE);
    assert.is(await inputOf(page, APGAR).inputValue(), '4');
    assert.is(await inputOf(page, 'place_of_birth').inputValue(), 'Clinic');
    await inputOf(page, APGAR).fill('');
    await other.check({ force: true });
    await save(page);
    await page.waitForURL(RECORD);
    assert.is((await pages.courseUnder('PR-2'))?.children[0]?.apgar_five_minute, 9);
  },
);

for (const javaScriptEnabled of [true, false])
  pages.pageTest(
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

pages.browserTest(
  'none of the conflicting values may be right, and what the chart says in words can be taken over',
  async ({ open }) => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open('Provider', { ...LAUNCHED, javaScriptEnabled });
      await pages.launch(page, 'mother-1');
      const place = page.locator('[data-field="place_of_birth"]');
      await place.getByRole('button', { name: 'Use “Hospital”' }).first().click();
      await page.waitForLoadState();
      assert.is(await inputOf(page, 'place_of_birth').inputValue(), 'Hospital');
      await pages.launch(page, 'newborn-1');
      const field = page.locator(`[data-field="${APGAR}"]`);
      await field
        .getByRole('radio', { name: 'None of these: leave it empty', exact: true })
        .check({ force: true });
      await inputOf(page, 'place_of_birth').selectOption('Home');
      await inputOf(page, 'chart_number').fill(`PR-5-${javaScriptEnabled}`);
      await inputOf(page, 'mother.given_names').fill(`Nora ${javaScriptEnabled}`);
      await save(page);
      await page.waitForURL(RECORD);
      const course = await pages.courseUnder(`PR-5-${javaScriptEnabled}`);
      assert.is(course?.children[0]?.apgar_five_minute, null);
    }
  },
);

pages.browserTest(
  'mother and newborn are looked over together, and what their charts say differently is asked',
  async ({ open }) => {
    for (const [first, second, javaScriptEnabled] of [
      ['newborn-1', 'mother-1', true],
      ['mother-1', 'newborn-1', false],
    ] as const) {
      const page = await open('Provider', { ...LAUNCHED, javaScriptEnabled });
      await pages.launch(page, second);
      const prefillId = await pages.launch(page, first);
      await inputOf(page, 'chart_number').fill(`PR-6-${first}`);
      await page.getByRole('button', { name: /^Add the (mother|newborn)’s chart/ }).click();
      await page.getByRole('button', { name: /^Take out/ }).waitFor();
      assert.is(await inputOf(page, 'chart_number').inputValue(), `PR-6-${first}`);
      if (javaScriptEnabled) assert.equal(await faultsOf(page, 'prefill-both'), []);
      // The mother's chart has her phone, the newborn's its record number.
      assert.is(await inputOf(page, 'mother.given_names').inputValue(), 'Marisol Inés');
      assert.is.not(await inputOf(page, 'children.0.medical_record_number').inputValue(), '');
      const choices = page.locator('[data-ehr-choice]');
      assert.ok((await choices.count()) > 0);
      await inputOf(page, 'place_of_birth').selectOption('Home');
      await save(page);
      await page.locator('[data-error-summary]').waitFor();
      for (const choice of await choices.all())
        await choice.getByRole('radio').first().check({ force: true });
      await inputOf(page, 'mother.family_name').fill(`Quintanilla ${first}`);
      await save(page);
      await page.waitForURL(RECORD);
      const course = await pages.courseUnder(`PR-6-${first}`);
      const from = new Set(
        course?.sources.flatMap(({ from: place }) => place?.resource.split('/').at(-1) ?? []),
      );
      assert.ok(from.has('mother-1') && from.has('newborn-1'), [...from].join());
      // Both are saved: neither is offered again.
      await page.goto('/registry/capture/prefill');
      assert.match(await page.locator('main').innerText(), NOTHING_READ_MESSAGE);
      await page.goto(`/registry/capture/prefill?id=${prefillId}`);
      assert.match(await page.locator('main').innerText(), PREFILL_SAVED_MESSAGE);
    }
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
    assert.is(await page.title(), 'Error: Pre-fill from the EHR · Birth Registry');
    const summary = await page.locator('[data-error-summary]').innerText();
    assert.match(summary, /place of birth/i);
    assert.is(await inputOf(page, 'children.0.birth_weight_grams').inputValue(), 'heavy');
    assert.match(
      await page.locator('[data-field="children.0.birth_weight_grams"]').innerText(),
      /Edited\s+The EHR says 3,410 g/,
    );
    assert.equal(await faultsOf(page, 'prefill-errors'), []);
    await page.reload();
    assert.is(await inputOf(page, 'children.0.birth_weight_grams').inputValue(), 'heavy');
  },
);

pages.pageTest(
  'a look-alike and a chart number that is taken are asked about first',
  { as: 'Admin', ...LAUNCHED },
  async ({ page }) => {
    for (const chartNumber of ['PR-3', 'PR-4']) {
      await pages.launch(page, 'mother-4');
      await inputOf(page, 'mother.given_names').fill('Ottilie');
      await inputOf(page, 'mother.family_name').fill('Fairweather');
      await inputOf(page, 'children.0.birth_date').fill('11/12/2026');
      await inputOf(page, 'place_of_birth').selectOption('Home');
      await inputOf(page, 'chart_number').fill(chartNumber);
      await save(page);
      if (chartNumber === 'PR-3') await page.waitForURL(RECORD);
    }
    await page.getByRole('button', { name: 'Save anyway and flag it' }).waitFor();
    await page.getByRole('button', { name: 'Back to the form' }).click();
    await inputOf(page, 'chart_number').fill('PR-3');
    await inputOf(page, 'place_of_birth').selectOption('Clinic');
    await save(page);
    assert.match(await page.locator('main').innerText(), /Chart number PR-3 is held by/);
    await page.getByRole('button', { name: 'Amend record' }).click();
    await page.waitForURL(RECORD);
    assert.match(await page.locator('main').innerText(), /Record amended: this is version 2/);
    assert.is(await pages.courseUnder('PR-4'), null);
  },
);

test.run();
