import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatRefusal } from '../../api/commands/refusal-messages.ts';
import {
  CLOCK_SET,
  TIME_ZONE_SET,
} from '../../api/pages/administration/practice-settings/practice-settings-router.tsx';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { findMessage } from '../harness/test-page.ts';

const HOME = '/registry/custom-fields';

const pages = await sharedTestPages();
test.after(() => pages.stop());

test('only an Admin opens the fields and the settings', async () => {
  for (const role of ['Provider', 'Viewer', 'Scribe'] as const) {
    const visitor = await signInVisitor(pages.service.url, pages.members[role]);
    const _csrf = await visitor.csrfToken('/registry');
    for (const path of [HOME, '/registry/practice']) {
      assert.is((await visitor.send(path)).status, 403);
      assert.is((await visitor.send(path, { _csrf })).status, 403);
    }
  }
});

pages.pageTest(
  'fields are added, moved, renamed, retired and restored',
  { as: 'Admin', at: HOME },
  async ({ page }) => {
    assert.is(await findMessage(page, 'no-fields').count(), 1);
    assert.equal(await faultsOf(page, 'custom-fields-empty'), []);

    await page.goto(`${HOME}/new`);
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByRole('heading', { name: '2 things to correct' }).waitFor();
    await page.getByLabel('Label').fill('Feeding at discharge');
    await page.getByLabel('Choice', { exact: true }).check();
    await page.getByLabel('Answers to choose from').fill('Breast');
    await page.getByRole('button', { name: 'Add field' }).click();
    assert.match(
      await page.locator('[data-error-summary]').innerText(),
      formatRefusal({ code: 'too-few-answers' }),
    );
    assert.is(await page.getByLabel('Answers to choose from').inputValue(), 'Breast');
    assert.equal(await faultsOf(page, 'custom-fields-error'), []);
    await page.getByLabel('Answers to choose from').fill('Breast\nFormula\n');
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.waitForURL(/custom-fields$/);

    for (const label of [
      'Pädiater:in',
      'Number of visits before the birth, home and clinic together',
    ]) {
      await pages.service.commands.customFields.define(pages.practice.practiceId, {
        label,
        type: 'text',
        choices: [],
        order: null,
      });
    }
    const order = () => page.locator('tbody th').allInnerTexts();
    await eventually('the list has all fields', async () => {
      await page.reload();
      return (await order()).length === 3;
    });
    await page
      .getByRole('row', { name: 'Pädiater:in' })
      .getByRole('button', { name: 'Move up' })
      .click();
    await page.waitForLoadState();
    assert.match((await order())[0] ?? '', 'Pädiater:in');
    assert.is(
      await page
        .getByRole('row', { name: 'Pädiater:in' })
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
    await findMessage(page, 'field-saved').filter({ hasText: 'Fed at discharge with' }).waitFor();
    assert.match(await page.locator('tbody').innerText(), 'Breast, Formula, Both');

    await page
      .getByRole('row', { name: 'Fed at discharge' })
      .getByRole('button', { name: 'Retire' })
      .click();
    assert.match(await findMessage(page, 'field-retires').innerText(), 'Values already in records');
    assert.equal(await faultsOf(page, 'custom-fields-retire'), []);
    await page.getByRole('button', { name: 'Retire field' }).click();
    await page.getByRole('heading', { name: 'Retired' }).waitFor();
    assert.equal(await faultsOf(page, 'custom-fields-retired'), []);
    await page.getByRole('button', { name: 'Restore' }).click();
    await findMessage(page, 'field-restored')
      .filter({ hasText: 'Fed at discharge with' })
      .waitFor();
    assert.is((await order()).length, 3);
  },
);

pages.pageTest(
  'a field of the birth certificate is added, and fields are bound to its items',
  { as: 'Admin', at: `${HOME}/certificate` },
  async ({ page }) => {
    const item = page.getByLabel('Item of the birth certificate');
    await page.getByRole('button', { name: 'Add field' }).click();
    assert.match(
      await page.locator('[data-error-summary]').innerText(),
      formatRefusal({ code: 'no-such-certificate-item' }),
    );
    assert.equal(await faultsOf(page, 'custom-fields-certificate'), []);
    await item.selectOption('PAY');
    await page.getByRole('button', { name: 'Add field' }).click();
    await findMessage(page, 'field-added').waitFor();
    const paid = page.getByRole('row', { name: 'Principal source of payment' });
    assert.match(await paid.innerText(), 'Medicaid, Private insurance');
    assert.match(await paid.innerText(), 'PAY');

    await pages.service.commands.customFields.define(pages.practice.practiceId, {
      label: 'Hospital of the birth',
      type: 'text',
      choices: [],
      order: null,
    });
    const hospital = page.getByRole('row', { name: 'Hospital of the birth' });
    await page.reload();
    await hospital.getByRole('button', { name: 'Birth certificate' }).click();
    assert.equal(
      [await item.locator('[value=HOSP]').count(), await item.locator('[value=MARN]').count()],
      [1, 0],
    );
    await item.selectOption('HOSP');
    assert.equal(await faultsOf(page, 'custom-fields-bind'), []);
    await page.getByRole('button', { name: 'Save item' }).click();
    await findMessage(page, 'field-bound').waitFor();
    assert.match(await hospital.innerText(), 'HOSP');

    await page.goto(`${HOME}/certificate`);
    assert.is(await item.locator('[value=HOSP], [value=PAY]').count(), 0);

    await page.goto(HOME);
    await hospital.getByRole('button', { name: 'Birth certificate' }).click();
    await item.selectOption('');
    await page.getByRole('button', { name: 'Save item' }).click();
    await findMessage(page, 'field-bound').waitFor();
    assert.not.match(await hospital.innerText(), 'HOSP');
  },
);

test('a field of another practice is not found', async () => {
  const { commands } = pages.service;
  const other = await commands.practices.create({ name: 'Fir', sandbox: false, beta: false });
  const field = await commands.customFields.define(other, {
    label: 'Theirs',
    type: 'text',
    choices: [],
    order: null,
  });
  const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
  const _csrf = await visitor.csrfToken('/registry');
  assert.is((await visitor.send(`${HOME}/${field}`)).status, 404);
  for (const path of ['', '/certificate', '/retire', '/restore', '/up', '/down'])
    assert.is((await visitor.send(`${HOME}/${field}${path}`, { _csrf, label: 'x' })).status, 404);
});

pages.pageTest(
  'the time zone and the time format of the practice are those of its pages',
  { as: 'Admin', at: '/registry/practice' },
  async ({ page }) => {
    await page.getByLabel('Time zone').selectOption('Pacific/Honolulu');
    await page.getByRole('button', { name: 'Set time zone' }).click();
    await page.getByText(TIME_ZONE_SET).waitFor();
    assert.match(await page.locator('footer').innerText(), 'Pacific/Honolulu');
    assert.is(await page.getByLabel('Time zone').inputValue(), 'Pacific/Honolulu');
    assert.equal(await faultsOf(page, 'practice-settings'), []);
    await page.getByLabel('24-hour').check();
    await page.getByRole('button', { name: 'Set time format' }).click();
    await page.getByText(CLOCK_SET).waitFor();
    assert.ok(await page.getByLabel('24-hour').isChecked());
  },
);

test.run();
