import type { Locator } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { KIND_TEXT } from '../../api/pages/to-do/work-item-text.ts';
import { ROLES } from '../../domain/roles.ts';
import { faultsOf } from '../harness/gallery.ts';
import { RECORD, sharedTestPages } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { findMessage } from '../harness/test-page.ts';
import { fillBirth, recordBirth } from '../support/birth-form.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

test('an empty practice is an invitation, and every seat sees only its own places', async () => {
  for (const role of ROLES) {
    const page = await pages.visit(role);
    assert.is(await page.locator('h1').innerText(), 'Home');
    assert.is(await page.locator('.sandbox-banner').innerText(), 'Sandbox: synthetic data only');
    assert.equal(await faultsOf(page, `home-empty-${role}`), []);
  }
});

pages.pageTest('the staff have their own first page', { as: 'staff' }, async ({ page }) => {
  assert.is(new URL(page.url()).pathname, '/staff');
  const ways = await page.locator('main').getByRole('link').allInnerTexts();
  assert.equal(ways, ['Practices', 'Partners', 'Staff', 'Status', 'Access log']);
  assert.equal(await faultsOf(page, 'home-staff'), []);
});

test('what needs attention comes first, then the latest activity', async () => {
  const { service, practice } = pages;
  const mother = { family: 'Åström-Villanueva de la Cruz', given: ['María José'] };
  await push(service.url, practice.token, birthBundle({ chartNumber: 'MRN-1', mother }));
  await push(service.url, practice.token, birthBundle({ chartNumber: 'MRN-2', mother }));
  await push(service.url, practice.token, birthBundle({ chartNumber: 'MRN-3', place: '999' }));
  const page = await pages.visit('Admin');
  const text = (await page.locator('main').innerText()).replace(/\s+/g, ' ');
  assert.match(text, `1 ${KIND_TEXT.duplicate.one}`);
  assert.match(text, `1 ${KIND_TEXT.refused.one}`);
  const submissions = page.getByRole('region', { name: 'Latest submissions' });
  assert.is(
    await submissions.getByRole('link').first().getAttribute('href'),
    '/registry/integrations#ingestions',
  );
  assert.match(text, 'María José Åström-Villanueva de la Cruz');
  assert.is(
    await page.getByRole('link', { name: 'record rejected' }).getAttribute('href'),
    '/registry/to-do?kind=refused',
  );
  assert.equal(await faultsOf(page, 'home'), []);

  const viewer = await pages.visit('Viewer');
  assert.is(await viewer.locator('main a[href*="integrations"]').count(), 0);
});

test('a record that was voided and sent again waits for a decision', async () => {
  const { service, practice } = pages;
  const mother = { family: 'Quintanilla-Brandvold-Åström', given: ['Þórunn Marisol'] };
  const bundle = birthBundle({ chartNumber: 'AGAIN-2026-000017', mother });
  await push(service.url, practice.token, bundle);
  const page = await pages.visit('Provider');
  await page.getByRole('link', { name: 'Quintanilla' }).click();
  await page.getByRole('link', { name: 'Void record' }).click();
  await page.getByLabel('Reason for voiding').fill('Entered for another mother of the same name');
  await page.getByRole('button', { name: 'Void record' }).click();
  await findMessage(page, 'record-voided').waitFor();
  await push(service.url, practice.token, bundle);
  await page.reload();
  await findMessage(page, 'keep-or-void').waitFor();
  assert.equal(await faultsOf(page, 'record-sent-again'), []);
  await page.goto('/registry');
  const asked = page.getByRole('region', { name: 'Voided, then sent again' });
  assert.match(await asked.innerText(), `voided by ${pages.members.Provider.email}`);
  assert.equal(await faultsOf(page, 'home-sent-again'), []);
  await asked.getByRole('button', { name: 'Keep record' }).click();
  await findMessage(page, 'record-kept').waitFor();
  assert.is(await asked.count(), 0);
});

/** The words of some elements that are broken inside. */
const brokenWords = (cells: Locator): Promise<readonly string[]> =>
  cells.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const broken: string[] = [];
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
        for (const word of (text.textContent ?? '').matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          if (range.getClientRects().length > 1) broken.push(word[0]);
        }
      return broken;
    }),
  );

pages.browserTest('a very long name breaks no other word', async ({ open }) => {
  const { service, practice } = pages;
  // As many as the page lists, so that none of an earlier row is among them.
  const bundles = Array.from({ length: 10 }, (_, at) =>
    birthBundle({ chartNumber: `MANY-${at}`, mother: { family: `Family ${at}` } }),
  );
  await push(service.url, practice.token, batchOf(bundles));
  const page = await open('Admin', { at: '/registry/records/new' });
  await fillBirth(page, {
    'mother.family_name': 'Wolfeschlegelsteinhausenbergerdorff'.repeat(4),
    'mother.given_names': [...'ABCDE']
      .map((letter) => `${letter}${'dolphustheodoremaximilian'.repeat(4)}`)
      .join(' '),
    'children.0.birth_date': '5/12/2026',
  });
  await page.locator('[name="place_of_birth"]').selectOption('Hospital');
  await recordBirth(page);
  await page.waitForURL(RECORD);
  await page.goto('/registry');
  const records = page.getByRole('region', { name: 'Latest records' });
  assert.equal(await brokenWords(records.locator('td')), []);
  assert.equal(await faultsOf(page, 'home-long-name'), []);
});

test.run();
