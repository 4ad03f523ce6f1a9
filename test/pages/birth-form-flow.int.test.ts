import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { faultsOf } from '../harness/browser.ts';
import { RECORD, sharedTestPages } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { checkAnswers, fillBirth, recordBirth } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

test('an existing chart number asks before it amends, and shows what would change', async () => {
  const { service, practice, members } = pages;
  const mother = { family: 'Ødegård', given: ['Zoë'] };
  await push(service.url, practice.token, birthBundle({ chartNumber: 'EX-1', mother }));
  const page = await pages.signIn(members.Admin);
  await page.goto('/registry/records/new');
  await fillBirth(page, {
    chart_number: 'EX-1',
    'mother.family_name': 'Ødegård',
    'mother.given_names': 'Zoë',
    'children.0.birth_date': '5/13/2026',
  });
  await page.locator('[name="place_of_birth"]').selectOption('Clinic');
  await page.getByText('A record has this chart number already.').waitFor();
  await recordBirth(page);
  await page.getByRole('button', { name: 'Amend record' }).waitFor();
  assert.match(await page.locator('main').innerText(), /Chart number EX-1 is held by/);
  assert.match(await page.locator('main').innerText(), /Clinic/);
  assert.equal(await faultsOf(page, 'birth-form-exists'), []);
  await page.getByRole('button', { name: 'Back to the form' }).click();
  assert.is(await page.locator('[name="mother.family_name"]').inputValue(), 'Ødegård');
  await recordBirth(page);
  await page.getByRole('button', { name: 'Amend record' }).click();
  await page.waitForURL(RECORD);
  assert.match(await page.locator('main').innerText(), /Record amended: this is version 2/);
  await page.context().close();
});

test('a look-alike is named before it is saved, and flagged if it is', async () => {
  const page = await pages.signIn(pages.members.Provider);
  const birth = {
    'mother.family_name': 'Doppel',
    'mother.given_names': 'Gängerin',
    'children.0.birth_date': '5/12/2026',
  };
  for (const chartNumber of ['LA-1', 'LA-2']) {
    await page.goto('/registry/records/new');
    await fillBirth(page, { ...birth, chart_number: chartNumber });
    await page.locator('[name="place_of_birth"]').selectOption('Home');
    await recordBirth(page);
    if (chartNumber === 'LA-1') await page.waitForURL(RECORD);
  }
  await page.getByRole('button', { name: 'Save anyway and flag it' }).waitFor();
  assert.match(
    await page.locator('main').innerText(),
    /Chart number LA-1, Gängerin Doppel, born May 12, 2026/,
  );
  assert.equal(await faultsOf(page, 'birth-form-look-alike'), []);
  await page.getByRole('button', { name: 'Save anyway and flag it' }).click();
  await page.waitForURL(RECORD);
  assert.match(await page.locator('main').innerText(), /flagged as a suspected duplicate/);
  await page.context().close();
});

test('without script children come and go, and everything typed stays', async () => {
  const page = await pages.signIn(pages.members.Provider, { javaScriptEnabled: false });
  await page.goto('/registry/records/new');
  await fillBirth(page, { 'mother.family_name': 'Quiet', 'children.0.given_names': 'First' });
  await page.getByRole('button', { name: 'Add another child' }).click();
  await fillBirth(page, { 'children.1.given_names': 'Second' });
  assert.is(await page.locator('[name="children.0.given_names"]').inputValue(), 'First');
  await page.getByRole('button', { name: 'Add a transfer' }).click();
  await page.locator('[name="transfers.0.type"]').selectOption('infant');
  await page.getByRole('button', { name: 'Remove child 1' }).click();
  assert.is(await page.locator('[name="children.1.given_names"]').inputValue(), 'Second');
  assert.is(await page.locator('[name="transfers.0.type"]').inputValue(), 'infant');
  await page.locator('[name="mother.birth_date"]').fill('13/12/1994');
  await checkAnswers(page);
  assert.match(await page.locator('[data-error-summary]').innerText(), /isn't a real date/);
  await page.locator('[name="mother.birth_date"]').fill('5/12/1994');
  await page.locator('[name="place_of_birth"]').selectOption('Home');
  await recordBirth(page);
  await page.waitForURL(RECORD);
  await page.context().close();
});

test.run();
