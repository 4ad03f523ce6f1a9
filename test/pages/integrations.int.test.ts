import { sql } from 'kysely';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  LIMITED_MESSAGE,
  LIVE_KEYS,
  NOTHING_SENT_MESSAGE,
  REPLAYED,
} from '../../api/pages/integrations/integrations-page.tsx';
import {
  KEYS_NOT_AVAILABLE,
  REVOKING_IS_FINAL,
  SCRIBE_KEY,
} from '../../api/pages/integrations/integrations-router.tsx';
import { checkAddresses, checkKey, NEW_KEY } from '../../api/pages/parts/keys/key-fields.tsx';
import { describeLimit } from '../../api/pages/parts/keys/key-table.tsx';
import { type AuditedChange, formatAuditEntry } from '../../api/pages/text/audit-text.ts';
import { formatScopes } from '../../api/pages/text/scope-text.ts';
import { KIND_TEXT } from '../../api/pages/to-do/work-item-text.ts';
import { faultsOf } from '../harness/gallery.ts';
import {
  newMember,
  sharedTestPages,
  signInVisitor,
  type TestAccount,
  type TestVisitor,
} from '../harness/pages.ts';
import { newPractice, openTestConnection, post, push } from '../harness/service.ts';
import { findMessage, readMessage } from '../harness/test-page.ts';
import { changeOf, errorsOf, messageOf } from '../support/birth-form.ts';
import { birthBundle } from '../support/bundles.ts';
import { mainOf } from '../support/imports.ts';

const HOME = '/registry/integrations';

/** Beginning of what the list says of a key that will end. */
const ENDS = 'Active until';

const ENDING = KIND_TEXT['key-ending'];

const pages = await sharedTestPages();
test.after(() => pages.stop());

const visitorFor = async (account: TestAccount): Promise<TestVisitor> => {
  const visitor = await signInVisitor(pages.service.url, account);
  return visitor;
};

const admin = await visitorFor(pages.members.Admin);

/** What the audit trail says of a change of a key of the practice. */
const keyChangeOf = (
  type: AuditedChange['type'],
  name: string | null,
  value: string | null,
): string =>
  formatAuditEntry({
    type,
    value,
    member: null,
    key: { name, kind: 'native', scopes: [], practiceName: null, partnerName: null },
  });

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
    const row = page
      .getByRole('table', { name: 'API keys of the practice' })
      .getByRole('row', { name: 'Maple EHR, labor & delivery' })
      .filter({ hasText: 'Active' });
    assert.match(await row.innerText(), formatScopes(NEW_KEY.scopes));
    assert.match(await row.innerText(), `by ${pages.members.Admin.email}`);
    assert.not.match(await row.innerText(), 'Never');
    assert.equal(await faultsOf(page, 'integrations'), []);

    await row.getByRole('button', { name: 'Revoke' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/revoke/);
    assert.match(await mainOf(page), REVOKING_IS_FINAL);
    assert.equal(await faultsOf(page, 'integrations-revoke'), []);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.waitForURL(/integrations$/);
    assert.is((await post(service.url, token, birthBundle())).status, 401);
    const text = await page.locator('main').innerText();
    assert.match(await findMessage(page, 'key-revoked').innerText(), 'Maple EHR, labor & delivery');
    assert.match(text, keyChangeOf('ApiKeyRevoked', 'Maple EHR, labor & delivery', null));
  },
);

test('one click mints a Scribe key, which sends and reads nothing', async () => {
  const { service } = pages;
  const html = await (await admin.send(HOME)).text();
  // A form with hidden fields only, and its button.
  const [, form = ''] = /<form [^>]*action="([^"]*scribe-key)"/.exec(html) ?? [];
  const [, hidden = ''] = new RegExp(`action="${form}"(.*?)</form>`, 's').exec(html) ?? [];
  assert.match(hidden, />Mint Scribe key<\/button>/);
  const fields = [...hidden.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  assert.is(fields.length, hidden.split('<input').length - 1);
  const answer = await admin.send(
    form,
    Object.fromEntries(fields.map(([, name, value]) => [name, value])),
  );
  const minted = await answer.text();
  assert.match(minted, new RegExp(`${SCRIBE_KEY}, [A-Z][a-z]{2} \\d{1,2}, \\d{4}`));
  const [token = ''] = /rgk_[A-Za-z0-9_-]{43}/.exec(minted) ?? [];
  assert.is((await post(service.url, token, birthBundle({ chartNumber: 'MRN-2' }))).status, 202);
  const read = await fetch(`${service.url}/api/registry/fhir/ingestions/any`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  assert.is(read.status, 403);
});

pages.scriptTest(
  'what was typed stays when the key cannot be minted as it is',
  { as: 'Admin', at: HOME },
  async ({ page }) => {
    await page.getByLabel('send births').uncheck();
    await page.getByLabel('read results').uncheck();
    await page.getByRole('button', { name: 'Mint key' }).click();
    const errors = await errorsOf(page);
    const untyped = checkKey({ ...NEW_KEY, scopes: [] });
    assert.equal(
      errors,
      untyped.map(({ message }) => message),
    );
    assert.is(await page.getByLabel('send births').isChecked(), false);
    assert.equal(await faultsOf(page, 'integrations-errors'), []);
    await page.getByRole('link', { name: errors[1] ?? '' }).click();
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
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    assert.is(await heading('Recent submissions').count(), 1);
    assert.match(await mainOf(page), SCRIBE_KEY);
    assert.is(await heading('Audit trail').count(), 0);
    for (const name of ['Mint', 'Revoke'])
      assert.is(await page.getByRole('button', { name }).count(), 0);
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
  const _csrf = await admin.csrfToken(HOME);
  const form = {
    _csrf,
    form_id: await formIdOn(admin, HOME),
    name: 'Twice',
    scopes: 'ingest:read',
  };
  const answers = await Promise.all(
    [1, 2].map(async () => (await admin.send(`${HOME}/keys`, form)).text()),
  );
  assert.is(answers.filter((html) => html.includes('rgk_')).length, 1);
  const { form_id: _, ...without } = form;
  assert.is((await admin.send(`${HOME}/keys`, without)).status, 400);
});

test('a key is replaced: the old one works on for a while, and ends by itself', async () => {
  const { commands, url } = pages.service;
  const made = await newPractice(commands);
  const admin = await newMember(pages.service, made.practiceId, 'Admin', 'admin@rowan.example');
  const page = await pages.visit(admin, { at: HOME });
  const keys = page.getByRole('table', { name: 'API keys of the practice' });
  assert.match(await keys.innerText(), `token ends in ${made.token.slice(-4)}`);
  await keys.getByRole('button', { name: 'Replace' }).click();
  assert.equal(await faultsOf(page, 'integrations-replace'), []);
  assert.ok(await page.getByLabel('24 hours').isChecked());
  await page.getByLabel('1 hour', { exact: true }).check();
  await page.getByRole('button', { name: 'Mint the new key' }).click();
  const token = await page.locator('#minted-token').innerText();
  for (const each of [made.token, token])
    assert.is((await post(url, each, birthBundle())).status, 202);
  await page.goto(HOME);
  assert.is(await keys.getByRole('cell', { name: ENDS }).count(), 1);
  // The one that ends is not replaced again.
  assert.is(await keys.getByRole('button', { name: 'Replace' }).count(), 1);
  const endSet = keyChangeOf('ApiKeyEndSet', null, null);
  assert.match(await mainOf(page), new RegExp(`${endSet}on \\w+ \\d+, \\d{4}, \\d+:\\d\\d [AP]M`));
  assert.equal(await faultsOf(page, 'integrations-replaced'), []);

  await commands.keys.end(made.keyId, new Date());
  assert.is((await post(url, made.token, birthBundle())).status, 401);
  assert.is((await post(url, token, birthBundle())).status, 202);
  await page.reload();
  assert.match(await keys.innerText(), 'Ended');
});

test('a key is bound to addresses, at its minting and later; the one that replaces it is, too', async () => {
  const { commands, url } = pages.service;
  const { practiceId } = await newPractice(commands);
  const admin = await newMember(pages.service, practiceId, 'Admin', 'admin@linden.example');
  const page = await pages.visit(admin, { at: HOME });
  await page.getByLabel('Name', { exact: true }).fill('Linden EHR');
  await page.getByLabel('Allowed IP addresses').fill('203.0.113.0/24\nlinden.example');
  const mint = page.getByRole('button', { name: 'Mint key', exact: true });
  await mint.click();
  const wrong = '203.0.113.0/24\nlinden.example';
  assert.equal(await errorsOf(page), [messageOf(checkAddresses(wrong))]);
  assert.is(await page.getByLabel('Allowed IP addresses').inputValue(), wrong);
  assert.equal(await faultsOf(page, 'integrations-addresses-error'), []);
  await page.getByLabel('Allowed IP addresses').fill('203.0.113.0/24, 2001:DB8::/32 127.0.0.1');
  await mint.click();
  const token = await page.locator('#minted-token').innerText();
  const addresses = ['203.0.113.0/24', '2001:db8::/32', '127.0.0.1'];
  assert.match(await mainOf(page), describeLimit(addresses));
  assert.is((await post(url, token, birthBundle())).status, 202);

  await page.goto(HOME);
  const keys = page.getByRole('table', { name: 'API keys of the practice' });
  const row = keys.getByRole('row', { name: 'Linden EHR' });
  assert.match(await row.innerText(), describeLimit(addresses));
  assert.match(await row.innerText(), 'from 127.0.0.1');
  await row.getByRole('button', { name: 'Addresses' }).click();
  assert.is(await page.locator('h1').innerText(), 'Addresses for Linden EHR');
  assert.match(await page.locator('main').innerText(), 'last used from 127.0.0.1');
  const field = page.getByLabel('Allowed IP addresses');
  assert.is(await field.inputValue(), addresses.join('\n'));
  await field.fill('203.0.113.999');
  await page.getByRole('button', { name: 'Save addresses' }).click();
  await page
    .getByText(messageOf(checkAddresses('203.0.113.999')))
    .first()
    .waitFor();
  await page.getByLabel('Allowed IP addresses').fill('203.0.113.0/24');
  assert.equal(await faultsOf(page, 'integrations-addresses'), []);
  await page.getByRole('button', { name: 'Save addresses' }).click();
  assert.match(
    await findMessage(page, 'addresses-saved').innerText(),
    /Linden EHR .+ only from 203\.0\.113\.0\/24\.$/,
  );
  // In force when the page has answered.
  assert.is((await post(url, token, birthBundle())).status, 403);
  await page.goto(HOME);
  await page.getByText('refused from 127.0.0.1').waitFor();
  const limited = keyChangeOf('ApiKeyAddressesSet', 'Linden EHR', '203.0.113.0/24');
  assert.match(await mainOf(page), limited);
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
});

test('a key that is minted for 90 days ends by itself, and Home reminds of it in time', async () => {
  const { commands } = pages.service;
  const { practiceId } = await newPractice(commands);
  const admin = await newMember(pages.service, practiceId, 'Admin', 'admin@hazel-keys.example');
  const page = await pages.visit(admin, { at: HOME });
  await page.getByLabel('Name', { exact: true }).fill('Hazel EHR');
  await page.getByLabel('Expires').selectOption('After 90 days');
  await page.getByRole('button', { name: 'Mint key', exact: true }).click();
  const token = await page.locator('#minted-token').innerText();
  assert.is((await post(pages.service.url, token, birthBundle())).status, 202);
  await page.goto(HOME);
  const row = page
    .getByRole('table', { name: 'API keys of the practice' })
    .getByRole('row', { name: 'Hazel EHR' });
  assert.is(await row.getByRole('cell', { name: ENDS }).count(), 1);
  const home = async () => (await page.request.get('/registry')).text();
  assert.not.match(await home(), ENDING.one);

  const db = openTestConnection(pages.service);
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
  await page.goto('/registry');
  assert.match(await mainOf(page), `1 ${ENDING.one}`);
  assert.equal(await faultsOf(page, 'home-key-ends'), []);
  await page.getByRole('link', { name: ENDING.one }).click();
  await page.getByRole('link', { name: 'Open keys' }).click();
  await row.getByRole('button', { name: 'Replace' }).click();
  await page.getByLabel('72 hours').check();
  await page.getByRole('button', { name: 'Mint the new key' }).click();
  await page.locator('#minted-token').waitFor();
  assert.not.match(await home(), ENDING.one);
});

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
  const _csrf = await admin.csrfToken(HOME);
  for (const { keyId } of [theirs, feed]) {
    const path = `${HOME}/keys/${keyId}/revoke`;
    assert.is((await admin.send(path)).status, 404);
    assert.is((await admin.send(path, { _csrf })).status, 404);
  }
  assert.match(await (await admin.send(HOME)).text(), 'Maple EHR');
});

test('outside the beta a notice stands for the keys, the log stays, and nothing is minted', async () => {
  const { commands } = pages.service;
  const practiceId = await commands.practices.create({
    name: 'Elm',
    sandbox: false,
    beta: false,
  });
  const elm = await newMember(pages.service, practiceId, 'Admin', 'admin@elm.example');
  const page = await pages.visit(elm, { at: HOME });
  const text = await page.locator('main').innerText();
  assert.match(text, LIMITED_MESSAGE);
  assert.match(text, NOTHING_SENT_MESSAGE);
  assert.is(await page.getByRole('button', { name: 'Mint' }).count(), 0);
  assert.equal(await faultsOf(page, 'integrations-outside'), []);

  const visitor = await visitorFor(elm);
  const _csrf = await visitor.csrfToken('/registry');
  const form_id = await formIdOn(admin, HOME);
  for (const path of [`${HOME}/keys`, `${HOME}/scribe-key`]) {
    const answer = await visitor.send(path, { _csrf, form_id, name: 'x', scopes: 'ingest:read' });
    assert.is(answer.status, 403);
    assert.match(await answer.text(), KEYS_NOT_AVAILABLE);
  }
});

test('submissions that stored nothing are counted for the key that sent them', async () => {
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
  const page = await pages.visit(admin, { at: HOME });
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
  assert.not.match(outside, `keys/${feed.keyId}/revoke`);
  const revoke = `${HOME}/keys/${keyId}/revoke`;
  assert.match(outside, revoke);
  const _csrf = await visitor.csrfToken(revoke);
  assert.is((await visitor.send(revoke, { _csrf })).status, 303);
  assert.is((await post(url, token, birthBundle())).status, 401);
  assert.not.match(await (await visitor.send(HOME)).text(), LIVE_KEYS);
});

test('recent submissions are paged', async () => {
  const { url } = pages.service;
  await Promise.all(
    Array.from({ length: 26 }, () => push(url, pages.practice.token, { resourceType: 'Bundle' })),
  );
  const visitor = await visitorFor(pages.members.Provider);
  const first = await (await visitor.send(HOME)).text();
  assert.match(readMessage(first, 'page-of-list'), /\b1\b.*\b2$/);
  assert.is((await visitor.send(`${HOME}?page=2`)).status, 200);
  const beyond = await visitor.send(`${HOME}?page=999`);
  assert.is(beyond.status, 303);
  assert.is(beyond.headers.get('location'), `${HOME}?page=2#ingestions`);
});

test('a practice chooses its clock, which pages follow at once', async () => {
  const { practiceId } = await newPractice(pages.service.commands);
  const account = await newMember(pages.service, practiceId, 'Admin', 'clock@cedar.example');
  const visitor = await visitorFor(account);
  const show = async () => (await visitor.send('/registry/audit')).text();
  assert.match(await show(), />[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M</);
  const _csrf = await visitor.csrfToken('/registry/practice');
  const set = (clock: string) => visitor.send('/registry/practice/clock', { _csrf, clock });
  assert.is((await set('13')).status, 422);
  assert.is((await set('24')).status, 303);
  assert.match(await show(), />[A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d</);
  assert.match(await show(), changeOf('PracticeClockSet', '24'));
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
  const answer = await admin.send(HOME);
  assert.is(answer.status, 200);
  const text = (await answer.text()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  assert.match(text, `${changeOf('PracticeTimeZoneSet', 'America/Chicago')} ${email}`);
});

test.run();
