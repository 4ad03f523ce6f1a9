import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { consoleOf, faultsOf } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { newMember, newVisitor, sharedTestPages, type TestPages } from '../harness/pages.ts';
import { newPractice, push } from '../harness/service.ts';
import { batchOf, birthBundle, observation } from '../support/bundles.ts';
import { attendedBirth, newPartnerFeed } from '../support/partner-births.ts';

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
      '25.0%',
      '9 of 36 known, 12 unknown',
      'This practice is a sandbox',
      'Unknown values are excluded.',
      'too few to show',
    ])
      assert.ok(main.includes(words), words);
    // One for each rate of which something is known.
    assert.is(await page.locator('svg.comparison').count(), 10);

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

const delivered = (method: string) =>
  observation(
    '73762-7',
    { valueCodeableConcept: { coding: [{ code: method }] } },
    'Patient/mother',
  );

/** Births of first-time mothers of one child, so many of them by cesarean; spread over the months of 2026. */
const byMethod = (prefix: string, count: number, cesareans: number, year = 2026) =>
  Array.from({ length: count }, (_, at) =>
    birthBundle({
      chartNumber: `${prefix}-${at}`,
      mother: { family: `${prefix} ${at}` },
      children: [{ birthDate: `${year}-0${1 + (at % 9)}-1${at % 8}`, birthTime: null }],
      more: [delivered(at < cesareans ? '11466000' : '700000006')],
    }),
  );

/** A practice with a Viewer, and five live ones beside it of which a quarter of the births are cesareans. */
const comparedPractice = async ({ service }: TestPages) => {
  const own = await newPractice(service.commands);
  const viewer = await newMember(service, own.practiceId, 'Viewer', 'viewer@compared.example');
  const admin = await newMember(service, own.practiceId, 'Admin', 'admin@compared.example');
  for (let at = 0; at < 5; at += 1) {
    const other = await newPractice(service.commands);
    await service.commands.practices.set(other.practiceId, { sandbox: false, beta: null });
    await push(service.url, other.token, batchOf(byMethod(`OTHER-${at}`, 40, 10)));
  }
  await push(service.url, own.token, batchOf(byMethod('OWN', 60, 36)));
  return { own, viewer, admin };
};

let compared: ReturnType<typeof comparedPractice> | null = null;
const comparedOnce = (pages: TestPages) => {
  compared ??= comparedPractice(pages);
  return compared;
};

statistics('what is notably high is said first, in words', async ({ pages }) => {
  const { viewer } = await comparedOnce(pages);
  const page = await pages.signIn(viewer);
  const messages = consoleOf(page);
  await page.goto('/registry/statistics');
  assert.is(await page.locator('main h2').first().innerText(), 'What stands out');
  assert.equal(await page.locator('.stands-out li').allInnerTexts(), [
    'Cesarean is higher than elsewhere: 60.0% (95% interval 47.4–\u206071.4%) against 25%.',
  ]);
  assert.match(
    await page
      .getByRole('row', { name: /^Cesarean\b/ })
      .first()
      .innerText(),
    'higher here',
  );
  await page.getByRole('link', { name: 'Cesarean is higher than elsewhere' }).click();
  assert.match((await page.textContent('main')) ?? '', '36 deliveries, the latest first');
  assert.equal(await faultsOf(page, 'statistics-records'), []);
  await page.goto('/registry/statistics?period=2026');
  assert.equal(await faultsOf(page, 'statistics-stands-out'), []);
  assert.equal(messages, []);
  await page.context().close();
});

statistics('that nothing stands out is said, too', async ({ pages }) => {
  const page = await pages.signIn(pages.members.Viewer);
  await page.goto('/registry/statistics');
  assert.is(await page.locator('.stands-out li').count(), 0);
  assert.match(
    await page.locator('.stands-out p').first().innerText(),
    /^No rate is clearly|^Nothing can/,
  );
  await page.context().close();
});

/** Every link of a page that leads from a figure to its records, with the number that it stands on. */
const figureLinks = (html: string) =>
  [...html.matchAll(/<a href="(\/registry\/statistics\/records[^"]*)"[^>]*>([\d,]+)<\/a>/g)].map(
    ([, href = '', text = '']) => ({
      href: href.replaceAll('&amp;', '&'),
      count: Number(text.replaceAll(',', '')),
    }),
  );

statistics('every figure leads to as many records as it says', async ({ pages }) => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.members.Viewer);
  for (const query of [
    '',
    '?period=2026&place=Hospital',
    '?attendant=midwife',
    '?period=2026-03',
  ]) {
    const html = await (await visitor.send(`/registry/statistics${query}`)).text();
    const links = new Map(figureLinks(html).map((link) => [link.href, link]));
    assert.ok(links.size > 5, `${links.size} figures of ${query}`);
    for (const { href, count } of links.values()) {
      const list = await (await visitor.send(href)).text();
      const [, found = ''] = />([\d,]+) (?:birth|deliver)\w*, the latest first</.exec(list) ?? [];
      assert.is(Number(found.replaceAll(',', '')), count, href);
    }
  }
});

statistics(
  'the records of a figure are in the access log before they are shown',
  async ({ pages }) => {
    const { viewer } = await comparedOnce(pages);
    const visitor = newVisitor(pages.service.url);
    await visitor.signIn(viewer);
    const list = '/registry/statistics/records?figure=cesarean&part=counted';
    const html = await (await visitor.send(list)).text();
    const [, record = ''] = /href="\/registry\/records\/([0-9a-f-]{36})"/.exec(html) ?? [];
    await eventually('the access log names the list', async () => {
      const { accessLog } = pages.service.commands;
      const { entries } = await accessLog(null, { person: null, record, kind: null });
      return entries.some(
        ({ place, filters }) => place === 'statistics' && filters[0] === 'figure',
      );
    });
  },
);

statistics('what no figure is called is not found', async ({ pages }) => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.members.Viewer);
  for (const query of ['', '?figure=moons', '?figure=cesarean', '?figure=births&group=moon:full'])
    assert.is((await visitor.send(`/registry/statistics/records${query}`)).status, 404, query);
  // Beyond its last page a list shows that.
  const beyond = await visitor.send('/registry/statistics/records?figure=births&page=99');
  assert.is(beyond.headers.get('location'), '/registry/statistics/records?figure=births');
});

statistics(
  'births of 1926 and 2062 stretch no chart, and are said to be there',
  async ({ pages }) => {
    const { service } = pages;
    const { practiceId, token } = await newPractice(service.commands);
    const viewer = await newMember(service, practiceId, 'Viewer', 'viewer@wild.example');
    await push(
      service.url,
      token,
      batchOf([
        ...byMethod('WILD', 40, 12),
        ...byMethod('PAST', 2, 0, 1926),
        ...byMethod('FUTURE', 1, 0, 2062),
      ]),
    );
    const page = await pages.signIn(viewer);
    await page.goto('/registry/statistics');
    assert.is(await page.locator('.bars__bar').count(), 9);
    const words = '3 births with a date outside January 2026 to September 2026';
    assert.equal(await faultsOf(page, 'statistics-wild-years'), []);
    await page.getByRole('link', { name: words }).click();
    assert.match((await page.textContent('main')) ?? '', '3 births, the latest first');
    await page.context().close();
  },
);

statistics('a year prints on two sheets at most, in the words of the page', async ({ pages }) => {
  const { viewer } = await comparedOnce(pages);
  const page = await pages.signIn(viewer);
  await page.goto('/registry/statistics?period=2026');
  const table = page.locator('.chart-table table');
  const isShown = () => table.evaluate((element) => element.checkVisibility());
  assert.is(await isShown(), false);
  await page.emulateMedia({ media: 'print' });
  assert.is(await isShown(), true);
  assert.match(await page.locator('.stands-out').innerText(), 'Cesarean is higher than elsewhere');
  const margin = { top: '0.4in', right: '0.4in', bottom: '0.4in', left: '0.4in' };
  for (const format of ['Letter', 'A4']) {
    const pdf = await page.pdf({ format, margin });
    const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    assert.ok(sheets <= 2, `${sheets} of ${format}`);
    keepPdf(`statistics-${format}`, pdf);
  }
  await page.context().close();
});

/** Beside the screenshots, for someone to look at. */
const keepPdf = (name: string, pdf: Buffer): void => {
  const directory = process.env['SCREENSHOTS'];
  if (directory !== undefined) writeFileSync(join(directory, `${name}.pdf`), pdf);
};

statistics('the CSV says what the page says', async ({ pages }) => {
  const { viewer } = await comparedOnce(pages);
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(viewer);
  const response = await visitor.send('/registry/statistics/figures.csv?period=2026');
  assert.is(response.status, 200);
  assert.match(response.headers.get('content-disposition') ?? '', 'figures.csv');
  const lines = (await response.text()).split('\n');
  for (const line of [
    'Figure,What it counts,Scope,Group,Of,Count,Numerator,Denominator,Unknown,Rate,95% interval from,95% interval to',
    'What stands out,Cesarean is higher than elsewhere: 60.0% (95% interval 47.4–\u206071.4%) against 25%.,Births of 2026,,,,,,,,,',
    'Births,,Births of 2026,,This practice,60,,,,,,',
  ])
    assert.ok(lines.includes(line), line);
  for (const begins of [
    'Cesarean,"Cesarean deliveries, of deliveries with a known method",Births of 2026,,This practice,,36,60,0,0.6,',
    'Cesarean,"Cesarean deliveries, of deliveries with a known method",Births of 2026,place: Hospital,This practice,,36,60,',
    'Cesarean,"Cesarean deliveries, of deliveries with a known method",Births of 2026,,Other practices,,,,,0.25,',
  ])
    assert.ok(
      lines.some((line) => line.startsWith(begins)),
      begins,
    );
});

statistics('a Scribe may not open it', async ({ pages }) => {
  const visitor = newVisitor(pages.service.url);
  await visitor.signIn(pages.members.Scribe);
  assert.is((await visitor.send('/registry/statistics')).status, 403);
  assert.is((await visitor.send('/registry/statistics/figures.csv')).status, 403);
  const records = '/registry/statistics/records?figure=births';
  assert.is((await visitor.send(records)).status, 403);
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
