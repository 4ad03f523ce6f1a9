import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLeases } from '../../adapters/postgres/leases/leases.ts';
import { formatPart, ROLE_TEXT } from '../../api/pages/providers/provider-text.tsx';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import { practiceLeaseName } from '../../api/writes/practice-lease.ts';
import { eventually, keepTrying } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { newMember, sharedTestPages, signInVisitor } from '../harness/pages.ts';
import { newPractice, push } from '../harness/service.ts';
import { findMessage, type TestPage } from '../harness/test-page.ts';
import { batchOf } from '../support/bundles.ts';
import { attendedBirth, newPartnerFeed, type PractitionerParts } from '../support/partners.ts';

const PLACE = '/registry/providers';

const joan = {
  identity: 'staff-7',
  name: 'Joan Reyes',
  npi: '1234567893',
  qualification: 'Certified Nurse Midwife (CNM)',
};
const again = { identity: 'temp-0031', name: 'Reyes, J.', qualification: 'Physician' };
const ada = {
  identity: 'staff-8',
  name: 'Þorbjörg Anna-María Brandt-Villanueva de la Cruz',
  qualification: 'Physician, Obstetrics and Gynecology, Fellow of the American College',
};
const nameless = { identity: 'staff-9' };

const pages = await sharedTestPages();
test.after(() => pages.stop());
/** Token of a partner feed key of the practice. */
const feed = await newPartnerFeed(pages.service.commands, pages.practice.practiceId);

const attended = (
  chartNumber: string,
  attendant: PractitionerParts,
  certifier?: PractitionerParts,
) =>
  attendedBirth({ attendant, ...(certifier === undefined ? {} : { certifier }) }, { chartNumber });

const pushed = async (...births: Parameters<typeof batchOf>[0]): Promise<void> => {
  const receipt = await push(pages.service.url, feed, batchOf(births));
  if (receipt.status !== 'completed') throw new Error(receipt.status);
  assert.equal(receipt.outcome.rejected, []);
};

const idOf = async (identity: string): Promise<string> => {
  const known = await pages.service.commands.providers.list(pages.practice.practiceId);
  return known.find((one) => one.identity === identity)?.providerId ?? '';
};

const textOf = (page: TestPage): Promise<string> => page.locator('main').innerText();

pages.pageTest(
  'without a partner feed there are no providers',
  { as: 'Viewer', at: PLACE },
  async ({ page }) => {
    assert.is(await findMessage(page, 'no-providers').count(), 1);
    assert.equal(await faultsOf(page, 'providers-empty'), []);
  },
);

test('the list counts live births; a provider has a career log', async () => {
  await pushed(
    attended('P-1', joan, ada),
    attended('P-2', joan, joan),
    attended('P-3', again),
    attended('P-4', { ...joan, name: 'Joan Reyes-Ito' }),
    attended('P-5', nameless),
  );
  const page = await pages.visit('Viewer', { at: PLACE });
  const role = `${ROLE_TEXT.midwife} ${joan.qualification}`;
  const line = `Joan Reyes-Ito ${role} Maple EHR as staff-7 1234567893 3 1`;
  assert.is(await page.getByRole('row', { name: line, exact: true }).count(), 1);
  assert.equal(await faultsOf(page, 'providers'), []);

  await page.getByRole('link', { name: 'Joan Reyes-Ito' }).click();
  assert.is(await page.locator('h1').innerText(), 'Joan Reyes-Ito');
  const text = await textOf(page);
  assert.match(text, '3 records');
  const both = `P-2 ${formatPart(['attendant', 'certifier'])} Hospital 2026`;
  assert.is(await page.getByRole('row', { name: both }).count(), 1);
  assert.match(text, `Name: from ${joan.name} to Joan Reyes-Ito.`);
  assert.not.match(text, 'Merge into');
  assert.equal(await faultsOf(page, 'provider'), []);
  assert.is(await page.getByRole('link', { name: 'P-2' }).count(), 1);
});

pages.pageTest(
  'a merge says what it changes, is confirmed, and shows under the survivor',
  { as: 'Admin' },
  async ({ page }) => {
    await page.goto(`${PLACE}/${await idOf('temp-0031')}`);
    await page.getByRole('link', { name: 'Merge into…' }).click();
    const likely = page.getByRole('table', { name: 'Likely the same' });
    const similar = likely.getByRole('row', { name: 'Joan Reyes-Ito' });
    assert.match(await similar.innerText(), 'Similar name');
    assert.is(await likely.locator('tbody tr').count(), 1);
    assert.equal(await faultsOf(page, 'provider-merge-choice'), []);

    await page.getByRole('link', { name: 'Joan Reyes-Ito' }).click();
    assert.is(await findMessage(page, 'merge-is-final').count(), 1);
    assert.is(
      await findMessage(page, 'merge-reach').innerText(),
      '1 record will name Joan Reyes-Ito instead of Reyes, J.: 1 as attendant.',
    );
    assert.match(
      await findMessage(page, 'merge-roles').innerText(),
      /^Joan Reyes-Ito keeps .+ \(midwife\); .+ as physician move to that role\.$/,
    );
    assert.equal(await faultsOf(page, 'provider-merge'), []);

    await page.getByRole('button', { name: 'Merge into Joan Reyes-Ito' }).click();
    await page.locator('.notice--success').waitFor();
    assert.is(await page.locator('h1').innerText(), 'Joan Reyes-Ito');
    const text = await textOf(page);
    assert.match(
      await findMessage(page, 'merged').innerText(),
      '1 record now names Joan Reyes-Ito.',
    );
    const goes = 'Reyes, J. (temp-0031)';
    assert.match(text, `${goes} was merged into this provider by ${pages.members.Admin.email}.`);
    const moved = `P-3 ${formatPart(['attendant'])} Hospital 2026 ${goes}`;
    assert.is(await page.getByRole('row', { name: moved }).count(), 1);
    assert.equal(await faultsOf(page, 'provider-merged'), []);

    await page.goto(`${PLACE}/${await idOf('temp-0031')}`);
    assert.is(new URL(page.url()).pathname, `${PLACE}/${await idOf('staff-7')}`);
    assert.match(
      await findMessage(page, 'merged-into').innerText(),
      `${goes} was merged into Joan Reyes-Ito.`,
    );
    assert.match(await (await page.request.get(PLACE)).text(), `also known as ${goes}`);
  },
);

test('what cannot be merged is refused in a sentence', async () => {
  const other = await newPartnerFeed(pages.service.commands, pages.practice.practiceId);
  await push(pages.service.url, other, attended('Q-1', { identity: 'q-1', name: 'Noor Haddad' }));
  const admin = await signInVisitor(pages.service.url, pages.members.Admin);
  const _csrf = await admin.csrfToken('/registry');
  const ids = await Promise.all(['staff-7', 'temp-0031', 'staff-8', 'q-1'].map(idOf));
  const [survivor = '', absorbed = '', ada_ = '', stranger = ''] = ids;
  const refusalOf = async (from: string, to: string) => {
    const response = await admin.send(`${PLACE}/${from}/merge/${to}`, { _csrf });
    return [response.status, await response.text()] as const;
  };
  for (const [from, to, sentence] of [
    [survivor, survivor, 'can’t merge a provider into itself'],
    [survivor, stranger, 'come from two partners'],
    [survivor, absorbed, 'Reyes, J. was merged into another provider. Go back'],
    [absorbed, ada_, 'Reyes, J. was merged into another provider in the meantime'],
  ] as const) {
    const [status, html] = await refusalOf(from, to);
    assert.is(status, 409);
    assert.match(html, sentence);
  }
  // The same merge again finds nothing to do.
  assert.is((await refusalOf(absorbed, survivor))[0], 303);
});

pages.browserTest(
  'a merge that has to wait shows how far it is, and goes on by itself',
  async ({ open }) => {
    const lu = { identity: 'staff-20', name: 'Lu Chen' };
    const lu2 = { identity: 'staff-21', name: 'Lu Chen' };
    await pushed(...[1, 2, 3].map((n) => attended(`L-${n}`, lu)), attended('L-9', lu2));
    const stores = await openStores(pages.service.settings, 'command', openServiceLog('silent'));
    const leases = createLeases(stores.db, 300_000, null);
    const name = practiceLeaseName(pages.practice.practiceId);
    const waiting = async () =>
      (
        await stores.db
          .selectFrom('app.lease_request')
          .select('requester')
          .where('name', '=', name)
          .execute()
      ).map(({ requester }) => requester);
    // Whoever processed the births keeps the turn for a moment.
    const taken = await keepTrying(async () => {
      const lease = await leases.take(name, randomUUID());
      if (lease === null) throw new Error('The turn was not free.');
      return lease;
    });
    const page = await open('Admin');
    try {
      await page.goto(`${PLACE}/${await idOf('staff-20')}/merge/${await idOf('staff-21')}`);
      await page.getByRole('button', { name: 'Merge into Lu Chen (staff-21)' }).click();
      await page.waitForURL(/\/progress\?of=3$/);
      await withoutRefresh(page, async () => {
        assert.match(
          await findMessage(page, 'merge-waits').innerText(),
          'Lu Chen (staff-20) is about to be merged into Lu Chen (staff-21).',
        );
        assert.equal(await faultsOf(page, 'provider-merge-progress'), []);
      });
      const [first] = await waiting();
      await eventually('it has waited in vain once, and asks for the turn again', async () => {
        const [requester = first] = await waiting();
        return requester !== first;
      });
    } finally {
      await leases.release(taken, taken.highestPosition, true);
      await stores.close();
    }
    await page.locator('.notice--success').waitFor();
    assert.is(new URL(page.url()).pathname, `${PLACE}/${await idOf('staff-21')}`);
    assert.match(await textOf(page), '4 records');
  },
);

/** Looks at a page that would load itself again meanwhile. */
const withoutRefresh = async (page: Page, look: () => Promise<void>): Promise<void> => {
  await page.route('**/progress?*', async (route) => {
    const response = await route.fetch();
    const { refresh, ...headers } = response.headers();
    assert.ok(refresh);
    await route.fulfill({ response, headers });
  });
  await page.reload();
  await look();
  await page.unroute('**/progress?*');
  await page.reload();
};

test('many providers are searched: by name without accents, identifier or NPI', async () => {
  const present = (from: number) =>
    Array.from({ length: 30 }, (_, index) => ({
      identity: `many-${from + index}`,
      name: `Múltiple Ñandú ${from + index}`,
    }));
  await pushed(
    attendedBirth({ present: present(100) }, { chartNumber: 'M-1' }),
    attendedBirth({ present: present(200) }, { chartNumber: 'M-2' }),
  );
  const page = await pages.visit('Provider', { at: PLACE });
  assert.match(await findMessage(page, 'page-of-list').innerText(), /\b1\b.*\b2$/);
  const shown = () => page.locator('tbody th[scope=row]').allInnerTexts();
  for (const [query, names] of [
    ['multiple 205', ['Múltiple Ñandú 205']],
    ['1234567893', [`Joan Reyes-Ito\nalso known as Reyes, J. (temp-0031)`]],
    ['temp-0031', [`Joan Reyes-Ito\nalso known as Reyes, J. (temp-0031)`]],
  ] as const) {
    const before = page.url();
    await page.getByLabel('Name, identifier or NPI').fill(query);
    await page.keyboard.press('Enter');
    await page.waitForURL(({ href }) => href !== before);
    assert.is(await page.getByLabel('Name, identifier or NPI').inputValue(), query);
    assert.equal(await shown(), names);
  }
  await page.getByLabel('Name, identifier or NPI').fill('nobody');
  await page.keyboard.press('Enter');
  await findMessage(page, 'no-matches').waitFor();
  assert.equal(await faultsOf(page, 'providers-no-match'), []);
});

test('merging is for Admins; another practice sees nothing of it all', async () => {
  const [id, survivor] = [await idOf('staff-8'), await idOf('staff-7')];
  for (const role of ['Provider', 'Viewer'] as const) {
    const visitor = await signInVisitor(pages.service.url, pages.members[role]);
    assert.is((await visitor.send(`${PLACE}/${id}`)).status, 200);
    assert.is((await visitor.send(`${PLACE}/${id}/merge`)).status, 403);
    const _csrf = await visitor.csrfToken('/registry');
    assert.is((await visitor.send(`${PLACE}/${id}/merge/${survivor}`, { _csrf })).status, 403);
  }
  const scribe = await signInVisitor(pages.service.url, pages.members.Scribe);
  assert.is((await scribe.send(PLACE)).status, 403);
  assert.is((await scribe.send(`${PLACE}/${id}`)).status, 403);

  const other = await newPractice(pages.service.commands);
  const stranger = await signInVisitor(
    pages.service.url,
    await newMember(pages.service, other.practiceId, 'Admin', 'admin@hazel.example'),
  );
  assert.match(await (await stranger.send(PLACE)).text(), 'data-message="no-providers"');
  const _csrf = await stranger.csrfToken('/registry');
  for (const path of ['', '/merge', `/merge/${survivor}`, `/merge/${survivor}/progress`])
    assert.is((await stranger.send(`${PLACE}/${id}${path}`)).status, 404);
  assert.is((await stranger.send(`${PLACE}/${id}/merge/${survivor}`, { _csrf })).status, 404);
});

test('who is replaced by an amendment keeps the birth, marked', async () => {
  const relief = { identity: 'staff-31', name: 'Lena Sharp', qualification: 'Midwife (CPM)' };
  await pushed(attended('RP-1', relief, ada));
  await pushed(attended('RP-1', nameless, ada));
  const page = await pages.visit('Viewer', { at: `${PLACE}/${await idOf('staff-31')}` });
  const attendedNow = page
    .locator('dt')
    .and(page.getByText('Births attended', { exact: true }))
    .locator('+ dd');
  assert.is(await attendedNow.innerText(), '0');
  const words = 'replaced as attendant on';
  const row = page.getByRole('row', { name: `RP-1 ${words}` });
  const replaced = row.getByRole('cell', { name: words });
  assert.match(await replaced.innerText(), / \w+ \d+, \d{4}$/);
  assert.equal(await faultsOf(page, 'provider-replaced'), []);
});

test.run();
