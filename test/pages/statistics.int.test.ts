import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { consoleOf, faultsOf } from '../support/browser.ts';
import { batchOf, birthBundle, observation } from '../support/bundles.ts';
import { newVisitor, sharedTestPages, type TestPages } from '../support/pages.ts';
import { attendedBirth, newPartnerFeed } from '../support/partner-births.ts';
import { push } from '../support/service.ts';

/** Statistics as the seats of a practice see them. */
const statistics = suite<{ pages: TestPages }>('statistics pages');

statistics.before(async (context) => {
  context.pages = await sharedTestPages();
});
statistics.after(({ pages }) => pages.stop());

const PLACES = ['22232009', '91154008', '408839006'];

const births = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    birthBundle({
      chartNumber: `ST-${at}`,
      place: PLACES[at % 3] ?? null,
      mother: { family: `Family ${at}` },
      children: [
        {
          birthDate: `${2025 + (at % 2)}-0${1 + (at % 9)}-11`,
          birthTime: null,
          weight: 2_300 + 40 * at,
          weeks: 35 + (at % 6),
        },
      ],
      more: [
        observation(
          '73762-7',
          {
            valueCodeableConcept: {
              coding: [{ code: at % 4 === 0 ? '11466000' : '700000006' }],
            },
          },
          'Patient/mother',
        ),
      ],
    }),
  );

statistics('nothing yet is an invitation', async ({ pages }) => {
  const page = await pages.signIn(pages.members.Viewer);
  const messages = consoleOf(page);
  await page.goto('/registry/statistics');
  assert.match((await page.textContent('main')) ?? '', 'No births yet');
  // What would refuse a Viewer is not offered.
  assert.is(await page.locator('.empty-state a').count(), 0);
  assert.equal(await faultsOf(page, 'statistics-empty'), []);
  assert.equal(messages, []);
  await page.context().close();
});

statistics(
  'figures, rates, charts with their tables, and the filter in the address',
  async ({ pages }) => {
    const { service, practice } = pages;
    await push(service.url, practice.token, batchOf(births(36)));
    const feed = await newPartnerFeed(service.commands, practice.practiceId);
    await push(
      service.url,
      feed,
      batchOf(
        Array.from({ length: 12 }, (_, at) =>
          attendedBirth(
            {
              attendant: { identity: `mw-${at % 2}`, qualification: at % 2 === 0 ? 'CNM' : 'Lay' },
            },
            { chartNumber: `PF-${at}`, more: [] },
          ),
        ),
      ),
    );
    const page = await pages.signIn(pages.members.Admin);
    const messages = consoleOf(page);
    await page.goto('/registry/statistics');
    assert.equal(await faultsOf(page, 'statistics'), []);
    const main = (await page.textContent('main')) ?? '';
    for (const words of [
      '48',
      '25.0\u00a0%',
      '9 of 36 known',
      'These are the figures of a sandbox',
      'too few to show',
    ])
      assert.ok(main.includes(words), words);
    assert.is(await page.locator('svg.interval').count(), 12);

    await page.getByLabel('Period').selectOption('2026');
    await page.getByLabel('Place of birth').selectOption('Home');
    await page.getByRole('button', { name: 'Show figures' }).press('Enter');
    await page.waitForURL(/period=2026&place=Home/);
    assert.match((await page.textContent('.scope')) ?? '', 'Births of 2026, place: Home');
    assert.equal(await faultsOf(page, 'statistics-filtered'), []);

    await page.goto('/registry/statistics?period=1999');
    assert.match((await page.textContent('main')) ?? '', 'No births match this choice');
    // What makes no sense asks for nothing.
    await page.goto('/registry/statistics?period=soon&place=Moon');
    assert.match((await page.textContent('.scope')) ?? '', 'Births of all years');
    assert.equal(messages, []);
    await page.context().close();
  },
);

statistics('a year prints on one sheet, with the tables that are folded', async ({ pages }) => {
  const page = await pages.signIn(pages.members.Viewer);
  await page.goto('/registry/statistics?period=2026');
  const table = page.locator('.chart-table table');
  const isShown = () => table.evaluate((element) => element.checkVisibility());
  assert.is(await isShown(), false);
  await page.emulateMedia({ media: 'print' });
  assert.is(await isShown(), true);
  assert.is(await page.locator('.rate__means').first().isVisible(), false);
  const margin = { top: '0.4in', right: '0.4in', bottom: '0.4in', left: '0.4in' };
  for (const format of ['Letter', 'A4']) {
    const pdf = await page.pdf({ format, margin });
    assert.is(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length, 1, format);
  }
  await page.context().close();
});

statistics('the CSV says what the page says', async ({ pages }) => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.members.Provider);
  const response = await visitor.send('/registry/statistics/figures.csv?period=2025');
  assert.is(response.status, 200);
  assert.match(response.headers.get('content-disposition') ?? '', 'figures.csv');
  const lines = (await response.text()).split('\n');
  assert.is(lines[0], 'figure,group,of,count,numerator,denominator,value,low,high');
  assert.ok(lines.includes('births,,this practice,18,,,,,'));
  assert.ok(lines.some((line) => line.startsWith('Cesarean,place: Hospital,this practice,,')));
});

statistics('a Scribe may not open it', async ({ pages }) => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.members.Scribe);
  assert.is((await visitor.send('/registry/statistics')).status, 403);
  assert.is((await visitor.send('/registry/statistics/figures.csv')).status, 403);
});

statistics(
  'twins across New Year are one delivery, of the year of the first',
  async ({ pages }) => {
    const { service, practice } = pages;
    await push(
      service.url,
      practice.token,
      birthBundle({
        chartNumber: 'ST-TWINS',
        children: [
          { birthDate: '2023-12-31', birthTime: null },
          { birthDate: '2024-01-01', birthTime: null },
        ],
      }),
    );
    const page = await pages.signIn(pages.members.Viewer);
    const told = async (period: string) => {
      await page.goto(`/registry/statistics?period=${period}`);
      return (await page.locator('.key-figure').first().innerText()).replaceAll(/\s+/g, ' ');
    };
    assert.is(await told('2023'), 'Births 1 in 1 delivery');
    assert.is(await told('2024'), 'Births 1 of a delivery that began in another period');
    assert.equal(await faultsOf(page, 'statistics-second-twin'), []);
    await page.context().close();
  },
);

statistics.run();
