import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES } from '../../domain/member/events.ts';
import { consoleOf, faultsOf } from '../support/browser.ts';
import { birthBundle } from '../support/bundles.ts';
import { startTestPages } from '../support/pages.ts';
import { push } from '../support/service.ts';

const pages = await startTestPages();
test.after(() => pages.stop());

test('an empty practice is an invitation, and every seat sees only its own places', async () => {
  for (const role of ROLES) {
    const page = await pages.signIn(pages.members[role]);
    const messages = consoleOf(page);
    await page.reload();
    assert.is(await page.locator('h1').innerText(), 'Home');
    assert.is(await page.locator('.sandbox-banner').innerText(), 'Sandbox: synthetic data only');
    assert.equal(await faultsOf(page, `home-empty-${role}`), []);
    assert.equal(messages, []);
    await page.context().close();
  }
});

test('the staff have their own first page', async () => {
  const page = await pages.signIn(pages.staff);
  assert.is(new URL(page.url()).pathname, '/staff');
  assert.equal(await faultsOf(page, 'home-staff'), []);
  await page.context().close();
});

test('what needs attention comes first, then the latest activity', async () => {
  const { service, practice } = pages;
  const mother = { family: 'Åström-Villanueva de la Cruz', given: ['María José'] };
  await push(service.url, practice.token, birthBundle({ chartNumber: 'MRN-1', mother }));
  await push(service.url, practice.token, birthBundle({ chartNumber: 'MRN-2', mother }));
  await push(service.url, practice.token, birthBundle({ chartNumber: 'MRN-3', place: '999' }));
  const page = await pages.signIn(pages.members.Admin);
  const text = await page.locator('main').innerText();
  assert.match(text, /1\s+suspected duplicate/);
  assert.match(text, /1\s+record refused in the last 7 days/);
  const submissions = page.getByRole('region', { name: 'Latest submissions' });
  assert.is(
    await submissions.getByRole('link').first().getAttribute('href'),
    '/registry/integrations#ingestions',
  );
  assert.match(text, /María José Åström-Villanueva de la Cruz/);
  assert.equal(await faultsOf(page, 'home'), []);
  await page.context().close();

  const viewer = await pages.signIn(pages.members.Viewer);
  assert.is(await viewer.locator('main a[href*="integrations"]').count(), 0);
  await viewer.context().close();
});

test.run();
