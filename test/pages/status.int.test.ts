import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openStores } from '../../api/composition/stores.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { atWidth, consoleOf, faultsOf, WIDTHS } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/free-port.ts';
import { holdRebuild } from '../harness/held-rebuild.ts';
import { startTestPages } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

const pages = await startTestPages({ EVENTSTORE_PORT: String(await freePort()) });
test.after(() => pages.stop());

test('when all is well the page says so, and what runs', async () => {
  await push(pages.service.url, pages.practice.token, birthBundle());
  const page = await pages.signIn(pages.staff);
  const messages = consoleOf(page);
  await page.getByRole('link', { name: 'Status' }).first().click();
  const shown = () => page.locator('main').innerText();
  // Signing in has told the log of itself: the tables are behind for a moment.
  await eventually('the tables are not behind', async () => {
    await page.reload();
    return /Behind the log\s+not at all/.test(await shown());
  });
  const text = await shown();
  assert.match(text, /Everything is running as it should/);
  assert.match(text, /Role\s+all \(everything/);
  assert.match(text, /Version\s+\d+\.\d+\.\d+/);
  assert.match(text, /Running since\s+\w+ \d+, \d{4}, \d\d:\d\d/);
  assert.is(await page.locator('[aria-current]').first().innerText(), 'Status');
  assert.equal(await faultsOf(page, 'staff-status'), []);
  await atWidth(page, WIDTHS.phone);
  const lines = await page
    .locator('dd', { has: page.locator('time') })
    .getByText(/ ago/)
    .evaluateAll((asides) => asides.map((aside) => aside.getClientRects().length));
  assert.ok(lines.length > 0);
  assert.ok(
    lines.every((count) => count === 1),
    'how long ago stands in one piece',
  );
  assert.equal(messages, []);
  await page.context().close();
});

test('parked histories are told by their kind, never by their name', async () => {
  const { eventstorePort } = pages.service.settings;
  assert.ok(eventstorePort !== null);
  const client = EventStoreDBClient.connectionString(
    `esdb://127.0.0.1:${eventstorePort}?tls=false`,
  );
  const unreadable = jsonEvent({ type: 'BirthRecorded', data: { version: 'one' } });
  await client.appendToStream('record-whose-name-is-nobodys-business', unreadable);
  await client.dispose();
  const page = await pages.signIn(pages.staff);
  await page.goto('/staff/status');
  const until = performance.now() + 60_000;
  while ((await page.getByText('1 history is parked').count()) === 0) {
    assert.ok(performance.now() < until, 'the parked history is not shown');
    await page.getByRole('link', { name: 'Look again' }).click();
  }
  const text = await page.locator('main').innerText();
  assert.match(text, /Someone should have a look: Parked\./);
  assert.match(text, /Birth records\s+1/);
  assert.match(text, /npx registry unpark/);
  assert.not.match(await page.content(), /nobodys-business/);
  assert.equal(await faultsOf(page, 'staff-status-parked'), []);
  await page.context().close();
});

test('a rebuild under way, by whatever process, says how far it is and when it will be done', async () => {
  const stores = await openStores(pages.service.settings, 'command', openServiceLog('silent'));
  const page = await pages.signIn(pages.staff);
  const held = holdRebuild(stores, 'swap');
  try {
    await page.goto('/staff/status');
    await eventually('the rebuild is shown', async () => {
      await page.getByRole('link', { name: 'Look again' }).click();
      return (await page.getByRole('heading', { name: 'Rebuild' }).count()) === 1;
    });
    const text = await page.locator('section', { hasText: 'beside the ones in use' }).innerText();
    assert.match(text, /At the moment\s+applying the events of the log/);
    assert.match(text, /Done\s+[\d,]+ of (about )?[\d,]+ events \(\d+ %\)/);
    assert.match(text, /Pace\s+[\d.,]+ events an? (second|minute), .+ left/);
    assert.equal(await faultsOf(page, 'staff-status-rebuild'), []);
  } finally {
    held.release();
    await held.ended;
  }
  await eventually('the rebuild is not shown any more', async () => {
    await page.getByRole('link', { name: 'Look again' }).click();
    return (await page.getByRole('heading', { name: 'Rebuild' }).count()) === 0;
  });
  await stores.close();
  await page.context().close();
});

test('tables of another version: someone has to act, and is told the command', async () => {
  const stores = await openStores(pages.service.settings, 'command', openServiceLog('silent'));
  const { model_version: version } = await stores.db
    .selectFrom('read.checkpoint')
    .select('model_version')
    .executeTakeFirstOrThrow();
  const become = (model_version: string) =>
    stores.db.updateTable('read.checkpoint').set({ model_version }).execute();
  const page = await pages.signIn(pages.staff);
  try {
    await become('another');
    await page.goto('/staff/status');
    const until = performance.now() + 60_000;
    while ((await page.getByText('Act now').count()) === 0) {
      assert.ok(performance.now() < until, 'the other version is not shown');
      await page.getByRole('link', { name: 'Look again' }).click();
    }
    const text = await page.locator('main').innerText();
    assert.match(text, /Someone has to act: Read tables\. Someone should have a look: Parked\./);
    assert.match(text, /npx registry rebuild/);
    assert.equal(await faultsOf(page, 'staff-status-act'), []);
    const ready = await fetch(`${pages.service.url}/health/ready`);
    assert.is(ready.status, 503);
    assert.match(await ready.text(), /"code":"tables-of-another-version"/);
  } finally {
    await become(version);
    await stores.close();
    await page.context().close();
  }
});

test.run();
