import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { consoleOf, faultsOf } from '../harness/browser.ts';
import { newVisitor, sharedTestPages } from '../harness/pages.ts';

const HOME = '/registry/custom-fields';

const pages = await sharedTestPages();
test.after(() => pages.stop());

test('only an Admin opens the fields and the settings', async () => {
  for (const role of ['Provider', 'Viewer', 'Scribe'] as const) {
    const visitor = newVisitor(pages.service.url);
    await visitor.signIn(pages.members[role]);
    const _csrf = await visitor.csrfToken('/registry');
    for (const path of [HOME, '/registry/practice']) {
      assert.is((await visitor.send(path)).status, 403);
      assert.is((await visitor.send(path, { _csrf })).status, 403);
    }
  }
});

test('fields are added, moved, renamed, retired and restored', async () => {
  const page = await pages.signIn(pages.members.Admin);
  const messages = consoleOf(page);
  await page.goto(HOME);
  assert.match(await page.locator('main').innerText(), /No fields of your own/);
  assert.equal(await faultsOf(page, 'custom-fields-empty'), []);

  await page.goto(`${HOME}/new`);
  await page.getByRole('button', { name: 'Add field' }).click();
  assert.match(await page.locator('[data-error-summary]').innerText(), /2 things to correct/);
  await page.getByLabel('Label').fill('Feeding at discharge');
  await page.getByLabel('Choice', { exact: true }).check();
  await page.getByLabel('Answers of a choice').fill('Breast');
  await page.getByRole('button', { name: 'Add field' }).click();
  assert.match(await page.locator('[data-error-summary]').innerText(), /at least two answers/);
  assert.is(await page.getByLabel('Answers of a choice').inputValue(), 'Breast');
  assert.equal(await faultsOf(page, 'custom-fields-error'), []);
  await page.getByLabel('Answers of a choice').fill('Breast\nFormula\n');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.waitForURL(/custom-fields$/);

  for (const label of [
    'Pädiater:in',
    'Number of visits before the birth, home and clinic together',
  ]) {
    await page.goto(`${HOME}/new`);
    await page.getByLabel('Label').fill(label);
    await page.getByLabel('Text', { exact: true }).check();
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.waitForURL(/custom-fields$/);
  }
  const order = () => page.locator('tbody th').allInnerTexts();
  await page
    .getByRole('row', { name: /Pädiater/ })
    .getByRole('button', { name: 'Move up' })
    .click();
  await page.waitForLoadState();
  assert.match((await order())[0] ?? '', /Pädiater/);
  assert.is(
    await page
      .getByRole('row', { name: /Pädiater/ })
      .getByRole('button', { name: 'Move up' })
      .count(),
    0,
  );
  assert.equal(await faultsOf(page, 'custom-fields'), []);

  await page.getByRole('link', { name: 'Feeding at discharge' }).click();
  await page.getByLabel('Label').fill('Fed at discharge with');
  await page.getByLabel('More answers').fill('Both');
  assert.equal(await faultsOf(page, 'custom-fields-change'), []);
  await page.getByRole('button', { name: 'Save field' }).click();
  await page.getByText('Fed at discharge with is saved').waitFor();
  assert.match(await page.locator('tbody').innerText(), /Breast, Formula, Both/);

  await page
    .getByRole('row', { name: /Fed at discharge/ })
    .getByRole('button', { name: 'Retire' })
    .click();
  assert.match(await page.locator('main').innerText(), /Values that records hold stay/);
  assert.equal(await faultsOf(page, 'custom-fields-retire'), []);
  await page.getByRole('button', { name: 'Retire field' }).click();
  await page.getByRole('heading', { name: 'Retired' }).waitFor();
  assert.equal(await faultsOf(page, 'custom-fields-retired'), []);
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('is asked for again').waitFor();
  assert.is((await order()).length, 3);
  assert.equal(messages, []);
  await page.context().close();
});

test('a field of another practice is not found', async () => {
  const { commands } = pages.service;
  const other = await commands.practices.create({ name: 'Fir', sandbox: false, beta: false });
  const field = await commands.customFields.define(other, {
    label: 'Theirs',
    type: 'text',
    choices: [],
    order: null,
  });
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.members.Admin);
  const _csrf = await visitor.csrfToken('/registry');
  assert.is((await visitor.send(`${HOME}/${field}`)).status, 404);
  for (const path of ['', '/retire', '/restore', '/up', '/down'])
    assert.is((await visitor.send(`${HOME}/${field}${path}`, { _csrf, label: 'x' })).status, 404);
});

test('the time zone of the practice is the one of its pages', async () => {
  const page = await pages.signIn(pages.members.Admin);
  const messages = consoleOf(page);
  await page.goto('/registry/practice');
  await page.getByLabel('Time zone').selectOption('Pacific/Honolulu');
  await page.getByRole('button', { name: 'Set time zone' }).click();
  await page.getByText('The time zone is set').waitFor();
  assert.match(await page.locator('footer').innerText(), /Pacific\/Honolulu/);
  assert.is(await page.getByLabel('Time zone').inputValue(), 'Pacific/Honolulu');
  assert.equal(await faultsOf(page, 'practice-settings'), []);
  assert.equal(messages, []);
  await page.context().close();
});

test.run();
