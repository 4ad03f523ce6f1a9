import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { consoleOf, faultsOf } from '../support/browser.ts';
import { RECORD } from '../support/pages.ts';
import { inputOf, save, startTestPrefillPages } from '../support/prefill-pages.ts';

const pages = await startTestPrefillPages();
test.after(() => pages.stop());

const APGAR = 'children.0.apgar_five_minute';

test('where the EHR says different things, one is chosen, and typing over it says so', async () => {
  const page = await pages.newPage(pages.members.Provider);
  const messages = consoleOf(page);
  await pages.launch(page, 'newborn-1');
  assert.match(
    await page.locator('.glance').innerText(),
    /The EHR says different things, choose: Child: Apgar at 5 minutes/,
  );
  const field = page.locator(`[data-field="${APGAR}"]`);
  const proposed = field.getByRole('radio', { name: /^10/ });
  const other = field.getByRole('radio', { name: /^9/ });
  assert.is(await inputOf(page, APGAR).inputValue(), '10');
  assert.ok(await proposed.isChecked());
  assert.match(await field.innerText(), /proposed/);
  assert.equal(await faultsOf(page, 'prefill-conflict'), []);

  await inputOf(page, APGAR).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  assert.is(await inputOf(page, APGAR).inputValue(), '9');
  await inputOf(page, APGAR).fill('6');
  assert.not(await proposed.isChecked());
  assert.not(await other.isChecked());
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
  assert.equal(messages, []);
  await page.context().close();
});

test('without script the choice counts, and two answers at once are asked about', async () => {
  const page = await pages.newPage(pages.members.Provider, { javaScriptEnabled: false });
  await pages.launch(page, 'newborn-1');
  const other = page.locator(`[name="pick.${APGAR}"][value="1"]`);
  await inputOf(page, 'place_of_birth').selectOption('Clinic');
  await inputOf(page, 'chart_number').fill('PR-2');
  await inputOf(page, 'mother.given_names').fill('Another');
  await inputOf(page, APGAR).fill('4');
  await other.check({ force: true });
  await save(page);
  assert.match(await page.title(), /^Error: Pre-fill from the EHR/);
  assert.match(
    await page.locator('[data-error-summary]').innerText(),
    /Another value was typed here/,
  );
  assert.is(await inputOf(page, APGAR).inputValue(), '4');
  assert.is(await inputOf(page, 'place_of_birth').inputValue(), 'Clinic');
  await inputOf(page, APGAR).fill('');
  await other.check({ force: true });
  await save(page);
  await page.waitForURL(RECORD);
  assert.is((await pages.courseUnder('PR-2'))?.children[0]?.apgar_five_minute, 9);
  await page.context().close();
});

for (const javaScriptEnabled of [true, false])
  test(`Enter saves no pre-fill, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
    const page = await pages.newPage(pages.members.Provider, { javaScriptEnabled });
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
    await page.context().close();
  });

test('errors are told as in manual entry, and nothing typed is lost', async () => {
  const page = await pages.newPage(pages.members.Provider);
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
  await page.context().close();
});

test('a look-alike and a chart number that is taken are asked about first', async () => {
  const page = await pages.newPage(pages.members.Admin);
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
  await page.context().close();
});

test.run();
