import { EventStoreDBClient } from '@eventstore/db-client';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openServiceLog } from '../../api/process/logging.ts';
import { SERVICE_VERSION } from '../../api/process/version.ts';
import { openStores } from '../../api/stores/stores.ts';
import { atWidth, WIDTHS } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { startTestPages } from '../harness/pages.ts';
import { freePort } from '../harness/ports.ts';
import { push } from '../harness/service.ts';
import { findMessage, type TestPage } from '../harness/test-page.ts';
import { holdRebuild } from '../postgres/support/rebuilds.ts';
import { birthBundle } from '../support/bundles.ts';
import { createNewerEvent } from '../support/newer-versions.ts';

const pages = await startTestPages({ EVENTSTORE_PORT: String(await freePort()) });
test.after(() => pages.stop());

/** The value of a fact of the page. */
const factOf = (page: TestPage, name: string) =>
  page
    .locator('dt')
    .and(page.getByText(name, { exact: true }))
    .locator('+ dd');

pages.scriptTest(
  'when all is well the page says so, and what runs',
  { as: 'staff' },
  async ({ page }) => {
    await push(pages.service.url, pages.practice.token, birthBundle());
    await page.getByRole('link', { name: 'Status' }).first().click();
    // Signing in has told the log of itself: the tables are behind for a moment.
    await eventually('the tables are not behind', async () => {
      await page.reload();
      return (await factOf(page, 'Behind the log').innerText()) === 'not at all';
    });
    await findMessage(page, 'all-well').waitFor();
    assert.match(await factOf(page, 'Role').innerText(), /^all \(everything: .+\)$/);
    assert.is(await factOf(page, 'Version').innerText(), SERVICE_VERSION);
    assert.match(
      await factOf(page, 'Running since').innerText(),
      /^\w+ \d+, \d{4}, \d+:\d\d [AP]M/,
    );
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
  },
);

pages.pageTest(
  'parked histories are told by their kind, never by their name',
  { as: 'staff' },
  async ({ page }) => {
    const { eventstorePort } = pages.service.settings;
    assert.ok(eventstorePort !== null);
    const client = EventStoreDBClient.connectionString(
      `esdb://127.0.0.1:${eventstorePort}?tls=false`,
    );
    const newer = createNewerEvent('BirthRecorded', { version: 'one' }, 99);
    await client.appendToStream('record-whose-name-is-nobodys-business', newer);
    await client.dispose();
    await page.goto('/staff/status');
    await eventually('the parked history is shown', async () => {
      if ((await findMessage(page, 'parked-look').count()) > 0) return true;
      await page.getByRole('link', { name: 'Refresh' }).click();
      return false;
    });
    assert.match(await findMessage(page, 'parked-look').innerText(), /^1 history is parked/);
    const summary = page.locator('.notice--warning');
    assert.equal(await summary.getByRole('link').allInnerTexts(), ['Parked']);
    const finding = (await summary.getByRole('link').getAttribute('href')) ?? '';
    assert.is(page.document.querySelector(finding)?.textContent, 'Parked');
    assert.is(await factOf(page, 'Birth records').innerText(), '1');
    assert.is(
      await page.getByRole('code').filter({ hasText: 'npx --no birth-registry unpark' }).count(),
      1,
    );
    assert.not((await page.content()).includes('nobodys-business'));
    assert.equal(await faultsOf(page, 'staff-status-parked'), []);
  },
);

pages.pageTest(
  'a rebuild under way, by whatever process, says how far it is and when it will be done',
  { as: 'staff' },
  async ({ page }) => {
    const stores = await openStores(pages.service.settings, 'command', openServiceLog('silent'));
    const held = holdRebuild(stores, 'swap');
    try {
      await page.goto('/staff/status');
      await eventually('the rebuild is shown', async () => {
        await page.getByRole('link', { name: 'Refresh' }).click();
        return (await page.getByRole('heading', { name: 'Rebuild' }).count()) === 1;
      });
      const phase = await factOf(page, 'At the moment').innerText();
      assert.is(phase, 'applying the events of the log');
      // Numbers with their units.
      const done = await factOf(page, 'Done').innerText();
      assert.match(done, /^[\d,]+ of (about )?[\d,]+ events \(\d+ %\)$/);
      const pace = await factOf(page, 'Pace').innerText();
      assert.match(pace, /^[\d.,]+ events an? (second|minute), .+ left$/);
      assert.equal(await faultsOf(page, 'staff-status-rebuild'), []);
    } finally {
      held.release();
      await held.ended;
    }
    await eventually('the rebuild is not shown any more', async () => {
      await page.getByRole('link', { name: 'Refresh' }).click();
      return (await page.getByRole('heading', { name: 'Rebuild' }).count()) === 0;
    });
    await stores.close();
  },
);

pages.pageTest(
  'tables of another version: someone has to act, and is told the command',
  { as: 'staff' },
  async ({ page }) => {
    const stores = await openStores(pages.service.settings, 'command', openServiceLog('silent'));
    const { model_version: version } = await stores.db
      .selectFrom('read.checkpoint')
      .select('model_version')
      .executeTakeFirstOrThrow();
    const become = (model_version: string) =>
      stores.db.updateTable('read.checkpoint').set({ model_version }).execute();
    try {
      await become('another');
      await page.goto('/staff/status');
      await eventually('the other version is shown', async () => {
        if ((await page.getByText('Critical').count()) > 0) return true;
        await page.getByRole('link', { name: 'Refresh' }).click();
        return false;
      });
      const summary = page.locator('.notice--error');
      assert.equal(await summary.getByRole('link').allInnerTexts(), ['Read tables', 'Parked']);
      assert.is(
        await page.getByRole('code').filter({ hasText: 'npx --no birth-registry rebuild' }).count(),
        1,
      );
      assert.equal(await faultsOf(page, 'staff-status-act'), []);
      const ready = await fetch(`${pages.service.url}/health/ready`);
      assert.is(ready.status, 503);
      assert.match(await ready.text(), /"code":"tables-of-another-version"/);
    } finally {
      await become(version);
      await stores.close();
    }
  },
);

test.run();
