import { sql } from 'kysely';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { openDatabase } from '../../adapters/postgres/connection/database.ts';
import {
  LIMITED_MESSAGE,
  LIVE_KEYS,
  NOTHING_SENT_MESSAGE,
  REPLAYED,
} from '../../api/pages/integrations/integrations-page.tsx';
import { KEYS_NOT_AVAILABLE } from '../../api/pages/integrations/integrations-router.tsx';
import { faultsOf } from '../harness/browser.ts';
import {
  newMember,
  newVisitor,
  sharedTestPages,
  type TestAccount,
  type TestVisitor,
} from '../harness/pages.ts';
import { newPractice, post, push } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

const HOME = '/registry/integrations';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const visitorFor = async (account: TestAccount): Promise<TestVisitor> => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(account);
  return visitor;
};

const formIdOn = async (visitor: TestVisitor, path: string): Promise<string> =>
  /name="form_id" value="([^"]+)"/.exec(await (await visitor.send(path)).text())?.[1] ?? '';

pages.browserTest(
  'an Admin mints a key, uses it, and revokes it, by keyboard',
  async ({ open }) => {
    const { service } = pages;
    const page = await open('Admin');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(HOME);
    await page.getByLabel('Name').focus();
    await page.keyboard.type('Maple EHR, labor & delivery');
    await page.keyboard.press('Enter');
    await page.waitForURL(/keys$/);
    assert.is(await page.locator('h1').innerText(), 'Key minted');
    const token = await page.locator('output#minted-token').innerText();
    assert.match(token, /^rgk_[A-Za-z0-9_-]{43}$/);
    assert.equal(await faultsOf(page, 'integrations-minted'), []);

    await page.getByRole('button', { name: 'Copy token' }).click();
    await page.getByText('Copied.').waitFor();
    assert.is(await page.evaluate(() => navigator.clipboard.readText()), token);

    const line = await page.locator('#try-it-line').innerText();
    const tried = await fetch(/curl -i (\S+)/.exec(line)?.[1] ?? '', {
      method: 'POST',
      headers: Object.fromEntries(
        [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]),
      ),
      body: / -d '([^']+)'/.exec(line)?.[1] ?? '',
    });
    assert.is(tried.status, 202);
    await push(service.url, token, birthBundle({ chartNumber: 'MRN-1' }));

    await page.reload();
    assert.is(await page.locator('h1').innerText(), 'Key minted before');
    assert.not.match(await page.content(), token);
    await page.goto(HOME);
    assert.not.match(await page.content(), token);
    // The key, two submissions with it, and its minting in the audit trail.
    assert.is(await page.getByRole('row', { name: 'Maple EHR, labor & delivery' }).count(), 4);
    const row = page.getByRole('row', { name: /Maple EHR, labor & delivery.*Active/ });
    assert.match(await row.innerText(), 'may send births, may read results');
    assert.match(await row.innerText(), `by ${pages.members.Admin.email}`);
    assert.not.match(await row.innerText(), /Never/);
    assert.equal(await faultsOf(page, 'integrations'), []);

    await row.getByRole('button', { name: 'Revoke' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/revoke/);
    assert.match(await page.locator('main').innerText(), /cannot be undone/);
    assert.equal(await faultsOf(page, 'integrations-revoke'), []);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.waitForURL(/integrations$/);
    assert.is((await post(service.url, token, birthBundle())).status, 401);
    const text = await page.locator('main').innerText();
    assert.match(text, /is revoked: nothing works with it any more/);
    assert.match(text, /Revoked the key “Maple EHR, labor & delivery”/);
  },
);

pages.browserTest(
  'one click mints a Scribe key, which sends and reads nothing',
  async ({ open }) => {
    const { service } = pages;
    const page = await open('Admin', { at: HOME });
    await page.getByRole('button', { name: 'Mint Scribe key' }).click();
    assert.match(
      await page.locator('main').innerText(),
      /Scribe key, [A-Z][a-z]{2} \d{1,2}, \d{4}/,
    );
    const token = await page.locator('output#minted-token').innerText();
    assert.is((await post(service.url, token, birthBundle({ chartNumber: 'MRN-2' }))).status, 202);
    const read = await fetch(`${service.url}/api/registry/fhir/ingestions/any`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    assert.is(read.status, 403);
  },
);

pages.pageTest(
  'what was typed stays when the key cannot be minted as it is',
  { as: 'Admin', at: HOME },
  async ({ page }) => {
    await page.getByLabel('send births').uncheck();
    await page.getByLabel('read results').uncheck();
    await page.getByRole('button', { name: 'Mint key' }).click();
    assert.match(await page.locator('[data-error-summary]').innerText(), /2 things to correct/);
    assert.is(await page.getByLabel('send births').isChecked(), false);
    assert.equal(await faultsOf(page, 'integrations-errors'), []);
    await page.getByRole('link', { name: /tick at least one/ }).click();
    assert.is(
      await page.getByLabel('send births').evaluate((box) => box === document.activeElement),
      true,
    );
  },
);

pages.pageTest(
  'a Provider reads, and neither sees nor posts what changes a key',
  { as: 'Provider', at: HOME },
  async ({ page }) => {
    const text = await page.locator('main').innerText();
    assert.match(text, /Recent submissions/);
    assert.match(text, /Scribe key/);
    assert.not.match(text, /Audit trail/);
    assert.is(await page.getByRole('button', { name: /Mint|Revoke/ }).count(), 0);
    assert.equal(await faultsOf(page, 'integrations-provider'), []);

    const visitor = await visitorFor(pages.members.Provider);
    const _csrf = await visitor.csrfToken('/registry');
    const revoke = `${HOME}/keys/${pages.practice.keyId}/revoke`;
    for (const path of [`${HOME}/keys`, `${HOME}/scribe-key`, revoke])
      assert.is(
        (await visitor.send(path, { _csrf, name: 'x', scopes: 'ingest:read' })).status,
        403,
      );
    assert.is((await visitor.send(revoke)).status, 403);
  },
);

test('Viewer and Scribe cannot open the page', async () => {
  for (const role of ['Viewer', 'Scribe'] as const) {
    const visitor = await visitorFor(pages.members[role]);
    assert.is((await visitor.send(HOME)).status, 403);
  }
});

test('the same form sent twice at once mints one key', async () => {
  const visitor = await visitorFor(pages.members.Admin);
  const _csrf = await visitor.csrfToken(HOME);
  const form = {
    _csrf,
    form_id: await formIdOn(visitor, HOME),
    name: 'Twice',
    scopes: 'ingest:read',
  };
  const answers = await Promise.all(
    [1, 2].map(async () => (await visitor.send(`${HOME}/keys`, form)).text()),
  );
  assert.is(answers.filter((html) => html.includes('rgk_')).length, 1);
  const { form_id: _, ...without } = form;
  assert.is((await visitor.send(`${HOME}/keys`, without)).status, 400);
});

pages.browserTest(
  'a key is replaced: the old one works on for a while, and ends by itself',
  async ({ open }) => {
    const { commands, url } = pages.service;
    const made = await newPractice(commands);
    const admin = await newMember(pages.service, made.practiceId, 'Admin', 'admin@rowan.example');
    const page = await open(admin, { at: HOME });
    const keys = page.getByRole('table', { name: 'API keys of the practice' });
    assert.match(await keys.innerText(), new RegExp(`token ends in ${made.token.slice(-4)}`));
    await keys.getByRole('button', { name: 'Replace' }).click();
    assert.equal(await faultsOf(page, 'integrations-replace'), []);
    assert.ok(await page.getByLabel('24 hours').isChecked());
    await page.getByLabel('1 hour', { exact: true }).check();
    await page.getByRole('button', { name: 'Mint the new key' }).click();
    const token = await page.locator('#minted-token').innerText();
    for (const each of [made.token, token])
      assert.is((await post(url, each, birthBundle())).status, 202);
    await page.goto(HOME);
    assert.match(await keys.innerText(), /Active\s*until /);
    // The one that ends is not replaced again.
    assert.is(await keys.getByRole('button', { name: 'Replace' }).count(), 1);
    assert.match(await page.locator('main').innerText(), /Set .* to end on \d{4}-\d\d-\d\d at/);
    assert.equal(await faultsOf(page, 'integrations-replaced'), []);

    await commands.keys.end(made.keyId, new Date());
    assert.is((await post(url, made.token, birthBundle())).status, 401);
    assert.is((await post(url, token, birthBundle())).status, 202);
    await page.reload();
    assert.match(await keys.innerText(), /Ended/);
  },
);

pages.browserTest(
  'a key is bound to addresses, at its minting and later; the one that replaces it is, too',
  async ({ open }) => {
    const { commands, url } = pages.service;
    const { practiceId } = await newPractice(commands);
    const admin = await newMember(pages.service, practiceId, 'Admin', 'admin@linden.example');
    const page = await open(admin, { at: HOME });
    await page.getByLabel('Name', { exact: true }).fill('Linden EHR');
    await page.getByLabel('Works only from').fill('203.0.113.0/24\nlinden.example');
    const mint = page.getByRole('button', { name: 'Mint key', exact: true });
    await mint.click();
    await page.locator('[data-error-summary]').waitFor();
    assert.match(
      await page.locator('[data-error-summary]').innerText(),
      /Entry 2 is neither an address/,
    );
    assert.is(
      await page.getByLabel('Works only from').inputValue(),
      '203.0.113.0/24\nlinden.example',
    );
    assert.equal(await faultsOf(page, 'integrations-addresses-error'), []);
    await page.getByLabel('Works only from').fill('203.0.113.0/24, 2001:DB8::/32 127.0.0.1');
    await mint.click();
    const token = await page.locator('#minted-token').innerText();
    assert.match(
      await page.locator('main').innerText(),
      /only from 203\.0\.113\.0\/24, 2001:db8::\/32/,
    );
    assert.is((await post(url, token, birthBundle())).status, 202);

    await page.goto(HOME);
    const keys = page.getByRole('table', { name: 'API keys of the practice' });
    const row = keys.getByRole('row', { name: /Linden EHR/ });
    assert.match(
      await row.innerText(),
      /only from 203\.0\.113\.0\/24, 2001:db8::\/32, 127\.0\.0\.1/,
    );
    assert.match(await row.innerText(), 'from 127.0.0.1');
    await row.getByRole('button', { name: 'Addresses' }).click();
    assert.is(await page.locator('h1').innerText(), 'Addresses for Linden EHR');
    assert.match(await page.locator('main').innerText(), 'last used from 127.0.0.1');
    const field = page.getByLabel('Works only from');
    assert.is(await field.inputValue(), '203.0.113.0/24\n2001:db8::/32\n127.0.0.1');
    await field.fill('203.0.113.999');
    await page.getByRole('button', { name: 'Save addresses' }).click();
    await page.getByText('Entry 1 is neither').first().waitFor();
    await page.getByLabel('Works only from').fill('203.0.113.0/24');
    assert.equal(await faultsOf(page, 'integrations-addresses'), []);
    await page.getByRole('button', { name: 'Save addresses' }).click();
    await page.getByText('Linden EHR now works only from 203.0.113.0/24.').waitFor();
    // In force when the page has answered.
    assert.is((await post(url, token, birthBundle())).status, 403);
    await page.goto(HOME);
    await page.getByText(/refused from 127\.0\.0\.1/).waitFor();
    assert.match(
      await page.locator('main').innerText(),
      /Limited the key “Linden EHR” to 203\.0\.113\.0\/24/,
    );
    assert.equal(await faultsOf(page, 'integrations-bound'), []);

    await row.getByRole('button', { name: 'Replace' }).click();
    await page.getByRole('button', { name: 'Mint the new key' }).click();
    const next = await page.locator('#minted-token').innerText();
    assert.is((await post(url, next, birthBundle())).status, 403);
    assert.equal(
      (await commands.lists.keysOfPractice(practiceId))
        .filter(({ name }) => name === 'Linden EHR')
        .map(({ addresses }) => addresses),
      [['203.0.113.0/24'], ['203.0.113.0/24']],
    );
  },
);

pages.browserTest(
  'a key that is minted for 90 days ends by itself, and Home reminds of it in time',
  async ({ open }) => {
    const { commands, settings } = pages.service;
    const { practiceId } = await newPractice(commands);
    const admin = await newMember(pages.service, practiceId, 'Admin', 'admin@hazel-keys.example');
    const page = await open(admin, { at: HOME });
    await page.getByLabel('Name', { exact: true }).fill('Hazel EHR');
    await page.getByLabel('The key ends').selectOption('After 90 days');
    await page.getByRole('button', { name: 'Mint key', exact: true }).click();
    const token = await page.locator('#minted-token').innerText();
    assert.is((await post(pages.service.url, token, birthBundle())).status, 202);
    await page.goto(HOME);
    const row = page
      .getByRole('table', { name: 'API keys of the practice' })
      .getByRole('row', { name: /Hazel EHR/ });
    assert.match(await row.innerText(), /Active\s*until /);
    assert.equal(await faultsOf(page, 'integrations-lifetime'), []);
    await page.goto('/registry');
    assert.not.match(await page.locator('main').innerText(), /API key ending/);

    const hosted = await hostPostgres({ dataDir: settings.dataDir });
    const db = openDatabase(hosted.url, 1);
    await db
      .updateTable('read.api_key')
      .set({
        minted_at: sql`minted_at - interval '80 days'`,
        ends_at: sql`ends_at - interval '80 days'`,
      })
      .where('practice_id', '=', practiceId)
      .where('name', '=', 'Hazel EHR')
      .execute();
    await db.destroy();
    await hosted.stop();
    await page.goto('/registry');
    assert.match(await page.locator('main').innerText(), /1 API key ending soon/);
    assert.equal(await faultsOf(page, 'home-key-ends'), []);
    await page.getByRole('link', { name: 'API key ending soon' }).click();
    await page.getByRole('link', { name: /^Open keys/ }).click();
    await row.getByRole('button', { name: 'Replace' }).click();
    await page.getByLabel('72 hours').check();
    await page.getByRole('button', { name: 'Mint the new key' }).click();
    await page.locator('#minted-token').waitFor();
    await page.goto('/registry');
    assert.not.match(await page.locator('main').innerText(), /API key ending/);
  },
);

test('a key of another practice, or of a partner, is not there to be revoked', async () => {
  const { commands } = pages.service;
  const other = await commands.practices.create({
    name: 'Fir Birth Center',
    sandbox: false,
    beta: true,
  });
  const theirs = await commands.keys.mintNative({
    practiceId: other,
    name: 'Fir',
    scopes: ['ingest:read'],
  });
  const partnerId = await commands.partners.create({
    name: 'Maple EHR',
    beta: true,
    status: 'Active',
  });
  const { practiceId } = pages.practice;
  const feed = await commands.keys.mintPartner({
    partnerId,
    practiceId,
    name: 'Feed',
    scopes: ['ingest:write'],
  });
  const visitor = await visitorFor(pages.members.Admin);
  const _csrf = await visitor.csrfToken(HOME);
  for (const { keyId } of [theirs, feed]) {
    const path = `${HOME}/keys/${keyId}/revoke`;
    assert.is((await visitor.send(path)).status, 404);
    assert.is((await visitor.send(path, { _csrf })).status, 404);
  }
  assert.match(await (await visitor.send(HOME)).text(), 'Maple EHR');
});

pages.browserTest(
  'outside the beta a notice stands for the keys, the log stays, and nothing is minted',
  async ({ open }) => {
    const { commands } = pages.service;
    const practiceId = await commands.practices.create({
      name: 'Elm',
      sandbox: false,
      beta: false,
    });
    const admin = await newMember(pages.service, practiceId, 'Admin', 'admin@elm.example');
    const page = await open(admin, { at: HOME });
    const text = await page.locator('main').innerText();
    assert.match(text, LIMITED_MESSAGE);
    assert.match(text, NOTHING_SENT_MESSAGE);
    assert.is(await page.getByRole('button', { name: /Mint/ }).count(), 0);
    assert.equal(await faultsOf(page, 'integrations-outside'), []);

    const visitor = await visitorFor(admin);
    const _csrf = await visitor.csrfToken('/registry');
    const form_id = await formIdOn(await visitorFor(pages.members.Admin), HOME);
    for (const path of [`${HOME}/keys`, `${HOME}/scribe-key`]) {
      const answer = await visitor.send(path, { _csrf, form_id, name: 'x', scopes: 'ingest:read' });
      assert.is(answer.status, 403);
      assert.match(await answer.text(), KEYS_NOT_AVAILABLE);
    }
  },
);

pages.browserTest(
  'submissions that stored nothing are counted for the key that sent them',
  async ({ open }) => {
    const { commands, url } = pages.service;
    const { practiceId, token, keyId } = await newPractice(commands);
    const partnerId = await commands.partners.create({
      name: 'Larch EHR',
      beta: true,
      status: 'Active',
    });
    const feed = await commands.keys.mintPartner({
      partnerId,
      practiceId,
      name: 'Feed',
      scopes: ['ingest:write'],
    });
    const counting = { 'Idempotency-Key': '1' };
    assert.is((await post(url, token, birthBundle(), counting)).status, 202);
    for (let time = 0; time < 2; time += 1)
      assert.is((await post(url, feed.token, birthBundle(), counting)).status, 202);
    const admin = await newMember(pages.service, practiceId, 'Admin', 'admin@larch.example');
    const page = await open(admin, { at: HOME });
    const log = await page.locator('section[aria-labelledby="ingestions"]').innerText();
    assert.match(log, REPLAYED);
    assert.match(log, 'Larch EHR: Feed: 2, last ');
    assert.equal(await faultsOf(page, 'integrations-replays'), []);

    // Only that key: what the practice's own sent was queued.
    const visitor = await visitorFor(admin);
    const rows = (await (await visitor.send(HOME)).text()).split('<tr');
    const rowOf = (id: string) => rows.find((row) => row.includes(`key-${id}`)) ?? '';
    assert.match(rowOf(keyId), />None</);
    assert.not.match(rowOf(feed.keyId), />None</);

    await commands.practices.set(practiceId, { sandbox: null, beta: false });
    const outside = await (await visitor.send(HOME)).text();
    assert.match(outside, 'Larch EHR: Feed: 2, last ');

    // A key that was seen by others is ended all the same; a partner's is the staff's to end.
    assert.match(outside, LIVE_KEYS);
    assert.not.match(outside, new RegExp(`keys/${feed.keyId}/revoke`));
    const revoke = `${HOME}/keys/${keyId}/revoke`;
    assert.match(outside, revoke);
    const _csrf = await visitor.csrfToken(revoke);
    assert.is((await visitor.send(revoke, { _csrf })).status, 303);
    assert.is((await post(url, token, birthBundle())).status, 401);
    assert.not.match(await (await visitor.send(HOME)).text(), LIVE_KEYS);
  },
);

test('recent submissions are paged', async () => {
  const { url } = pages.service;
  await Promise.all(
    Array.from({ length: 26 }, () => push(url, pages.practice.token, { resourceType: 'Bundle' })),
  );
  const visitor = await visitorFor(pages.members.Provider);
  assert.match(await (await visitor.send(HOME)).text(), /Page 1 of 2/);
  assert.is((await visitor.send(`${HOME}?page=2`)).status, 200);
  const beyond = await visitor.send(`${HOME}?page=999`);
  assert.is(beyond.status, 303);
  assert.is(beyond.headers.get('location'), `${HOME}?page=2#ingestions`);
});

test('whoever has moved to another practice is still named in the trail of the first', async () => {
  const { commands } = pages.service;
  const { practiceId } = pages.practice;
  const email = 'moves.on@cedar.example';
  const account = await newMember(pages.service, practiceId, 'Admin', email);
  const left = await visitorFor(account);
  const _csrf = await left.csrfToken('/registry/practice');
  const set = await left.send('/registry/practice', { _csrf, timeZone: 'America/Chicago' });
  assert.is(set.status, 303);
  await commands.members.remove(practiceId, account.id);
  const next = await newPractice(commands);
  await newMember(pages.service, next.practiceId, 'Viewer', email);
  const answer = await (await visitorFor(pages.members.Admin)).send(HOME);
  assert.is(answer.status, 200);
  assert.match(await answer.text(), /Set the time zone to America\/Chicago.*?moves\.on@cedar/s);
});

test.run();
