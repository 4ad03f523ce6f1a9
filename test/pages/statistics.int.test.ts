import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCounted } from '../../api/pages/statistics/figure-records-page.tsx';
import { TOO_FEW } from '../../api/pages/statistics/format-figures.ts';
import { describeNoHighlights } from '../../api/pages/statistics/highlights.tsx';
import { formatScope } from '../../api/pages/statistics/statistics-filter.ts';
import {
  CHARTS_NOTE,
  NO_BIRTHS_MATCH,
  NOTHING_TO_COUNT,
  SANDBOX_NOTE,
} from '../../api/pages/statistics/statistics-page.tsx';
import type { DatedStatistics } from '../../api/statistics/practice-statistics.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { newMember, sharedTestPages, signInVisitor, type TestAccount } from '../harness/pages.ts';
import { newPractice, push } from '../harness/service.ts';
import { batchOf, birthBundle, observation } from '../support/bundles.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';
import { takeCases } from '../support/runs.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

const visitorOf = async (account: TestAccount) => {
  const visitor = await signInVisitor(pages.service.url, account);
  return visitor;
};

/** Statistics as a Viewer of the practice gets them. */
const viewing = await visitorOf(pages.members.Viewer);
const shown = async (path: string): Promise<string> => (await viewing.send(path)).text();

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

const STATISTICS = '/registry/statistics';

pages.pageTest(
  'nothing yet is an invitation',
  { as: 'Viewer', at: STATISTICS },
  async ({ page }) => {
    await page.getByText(NOTHING_TO_COUNT).waitFor();
    // What would refuse a Viewer is not offered.
    assert.is(await page.locator('.empty-state a').count(), 0);
    assert.equal(await faultsOf(page, 'statistics-empty'), []);
  },
);

const sendBirths = async () => {
  const { service, practice } = pages;
  await push(service.url, practice.token, batchOf(births(36)));
  const feed = await newPartnerFeed(service.commands, practice.practiceId);
  await push(
    service.url,
    feed,
    batchOf(
      Array.from({ length: 12 }, (_, at) =>
        attendedBirth(
          { attendant: { identity: `mw-${at % 2}`, qualification: at % 2 === 0 ? 'CNM' : 'Lay' } },
          { chartNumber: `PF-${at}`, more: [] },
        ),
      ),
    ),
  );
};

pages.pageTest(
  'figures, rates, charts with their tables, and the filter in the address',
  { as: 'Admin', at: STATISTICS, given: sendBirths },
  async ({ page }) => {
    assert.equal(await faultsOf(page, 'statistics'), []);
    const main = (await page.locator('main').textContent()) ?? '';
    for (const words of [
      '48',
      '25.0%',
      '9 of 36 known, 12 unknown',
      SANDBOX_NOTE,
      CHARTS_NOTE,
      TOO_FEW,
    ])
      assert.ok(main.includes(words), words);
    // One for each rate of which something is known.
    assert.is(await page.locator('svg.comparison').count(), 10);

    await page.getByLabel('Period').selectOption('2026');
    await page.getByLabel('Place of birth').selectOption('Home');
    await page.getByRole('button', { name: 'Show figures' }).press('Enter');
    await page.waitForURL(/period=2026&place=Home/);
    const home = formatScope({ period: '2026', place: 'Home', attendant: '' });
    assert.is(await page.locator('.scope').textContent(), `${home}.`);
    assert.equal(await faultsOf(page, 'statistics-filtered'), []);

    assert.ok((await shown(`${STATISTICS}?period=1999`)).includes(NO_BIRTHS_MATCH));
    // What makes no sense asks for nothing.
    const all = formatScope({ period: '', place: '', attendant: '' });
    const senseless = await shown(`${STATISTICS}?period=soon&place=Moon`);
    assert.ok(senseless.includes(`<p class="scope">${all}.</p>`));
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

const comparedPractice = await newPractice(pages.service.commands);
const comparedViewer = await newMember(
  pages.service,
  comparedPractice.practiceId,
  'Viewer',
  'viewer@compared.example',
);

/** Many cesareans in the practice, and five live ones beside it of which a quarter of the births are cesareans. */
const sendComparedBirths = async () => {
  const { service } = pages;
  for (let at = 0; at < 5; at += 1) {
    const other = await newPractice(service.commands);
    await service.commands.practices.set(other.practiceId, { sandbox: false, beta: null });
    await push(service.url, other.token, batchOf(byMethod(`OTHER-${at}`, 40, 10)));
  }
  await push(service.url, comparedPractice.token, batchOf(byMethod('OWN', 60, 36)));
};

let compared: ReturnType<typeof sendComparedBirths> | null = null;
const comparedOnce = () => {
  compared ??= sendComparedBirths();
  return compared;
};

const CESAREAN_IS_HIGHER = 'Cesarean is higher than elsewhere';

pages.pageTest(
  'what is notably high is said first, in words',
  { as: comparedViewer, at: STATISTICS, given: comparedOnce },
  async ({ page }) => {
    assert.is(await page.locator('main h2').first().innerText(), 'Highlights');
    assert.equal(await page.locator('.stands-out li').allInnerTexts(), [
      'Cesarean is higher than elsewhere: 60.0% (95% interval 47.4–\u206071.4%) compared with 25%.',
    ]);
    const cesarean = page.getByRole('row').filter({ hasText: 'Cesarean' }).first();
    assert.is(await cesarean.getByText('higher here', { exact: true }).count(), 1);
    await page.getByRole('link', { name: CESAREAN_IS_HIGHER, exact: true }).click();
    await page.getByText(describeCounted(36, false)).waitFor();
    assert.equal(await faultsOf(page, 'statistics-records'), []);
    await page.goto(`${STATISTICS}?period=2026`);
    assert.equal(await faultsOf(page, 'statistics-stands-out'), []);
  },
);

test('that nothing stands out is said, too', async () => {
  const [section = ''] =
    /<section class="stands-out .*?<\/section>/s.exec(await shown(STATISTICS)) ?? [];
  assert.not(section.includes('<li'));
  const nothing = [0, 1].flatMap((comparedElsewhere) =>
    [0, 1].map((comparedBefore) => {
      const notable = { comparedElsewhere, comparedBefore };
      return describeNoHighlights({ notable } as DatedStatistics, {
        period: '',
        place: '',
        attendant: '',
      });
    }),
  );
  assert.ok(nothing.some((words) => section.includes(words)));
});

/** Every link of a page that leads from a figure to its records, with the number that it stands on. */
const figureLinks = (html: string) =>
  [...html.matchAll(/<a href="(\/registry\/statistics\/records[^"]*)"[^>]*>([\d,]+)<\/a>/g)].map(
    ([, href = '', text = '']) => ({
      href: href.replaceAll('&amp;', '&'),
      count: Number(text.replaceAll(',', '')),
    }),
  );

test('every figure leads to as many records as it says', async () => {
  for (const query of takeCases([
    '?period=2026&place=Hospital',
    '',
    '?attendant=midwife',
    '?period=2026-03',
  ])) {
    const html = await shown(`${STATISTICS}${query}`);
    const links = new Map(figureLinks(html).map((link) => [link.href, link]));
    assert.ok(links.size > 5, `${links.size} figures of ${query}`);
    for (const { href, count } of links.values()) {
      const list = await shown(href);
      const heads = [true, false].map((isOfBirths) => `>${describeCounted(count, isOfBirths)}<`);
      assert.ok(
        heads.some((head) => list.includes(head)),
        href,
      );
    }
  }
});

test('the records of a figure are in the access log before they are shown', async () => {
  await comparedOnce();
  const visitor = await visitorOf(comparedViewer);
  const list = '/registry/statistics/records?figure=cesarean&part=counted';
  const html = await (await visitor.send(list)).text();
  const [, record = ''] = /href="\/registry\/records\/([0-9a-f-]{36})"/.exec(html) ?? [];
  await eventually('the access log names the list', async () => {
    const { accessLog } = pages.service.commands;
    const { entries } = await accessLog(null, { person: null, record, kind: null });
    return entries.some(({ place, filters }) => place === 'statistics' && filters[0] === 'figure');
  });
});

test('what no figure is called is not found', async () => {
  for (const query of ['', '?figure=moons', '?figure=cesarean', '?figure=births&group=moon:full'])
    assert.is((await viewing.send(`${STATISTICS}/records${query}`)).status, 404, query);
  // Beyond its last page a list shows that.
  const beyond = await viewing.send('/registry/statistics/records?figure=births&page=99');
  assert.is(beyond.headers.get('location'), '/registry/statistics/records?figure=births');
});

const wildPractice = await newPractice(pages.service.commands);
const wildViewer = await newMember(
  pages.service,
  wildPractice.practiceId,
  'Viewer',
  'viewer@wild.example',
);
const sendWildYears = () =>
  push(
    pages.service.url,
    wildPractice.token,
    batchOf([
      ...byMethod('WILD', 40, 12),
      ...byMethod('PAST', 2, 0, 1926),
      ...byMethod('FUTURE', 1, 0, 2062),
    ]),
  );

pages.pageTest(
  'births of 1926 and 2062 stretch no chart, and are said to be there',
  { as: wildViewer, at: STATISTICS, given: sendWildYears },
  async ({ page }) => {
    assert.is(await page.locator('.bars__bar').count(), 9);
    const words = '3 births with a date outside January 2026 to September 2026';
    assert.equal(await faultsOf(page, 'statistics-wild-years'), []);
    await page.getByRole('link', { name: words, exact: true }).click();
    await page.getByText(describeCounted(3, true)).waitFor();
  },
);

pages.scriptTest(
  'a year prints on two sheets at most, in the words of the page',
  { as: comparedViewer, at: `${STATISTICS}?period=2026`, given: comparedOnce },
  async ({ page }) => {
    const table = page.locator('.chart-table table');
    const isShown = () => table.evaluate((element) => element.checkVisibility());
    assert.is(await isShown(), false);
    await page.emulateMedia({ media: 'print' });
    assert.is(await isShown(), false);
    assert.ok(await page.locator('.rates table').isVisible());
    assert.not(await page.locator('.stands-out').isVisible());
    const margin = { top: '0.4in', right: '0.4in', bottom: '0.4in', left: '0.4in' };
    for (const format of ['Letter', 'A4']) {
      const pdf = await page.pdf({ format, margin });
      const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
      assert.ok(sheets <= 2, `${sheets} of ${format}`);
      keepPdf(`statistics-${format}`, pdf);
    }
  },
);

/** Beside the screenshots, for someone to look at. */
const keepPdf = (name: string, pdf: Buffer): void => {
  const directory = process.env['SCREENSHOTS'];
  if (directory !== undefined) writeFileSync(join(directory, `${name}.pdf`), pdf);
};

test('the CSV says what the page says', async () => {
  await comparedOnce();
  const visitor = await visitorOf(comparedViewer);
  const response = await visitor.send('/registry/statistics/figures.csv?period=2026');
  assert.is(response.status, 200);
  assert.match(response.headers.get('content-disposition') ?? '', 'figures.csv');
  const lines = (await response.text()).split('\n');
  for (const line of [
    'Figure,What it counts,Scope,Group,Of,Count,Numerator,Denominator,Unknown,Rate,95% interval from,95% interval to',
    'Highlights,Cesarean is higher than elsewhere: 60.0% (95% interval 47.4–\u206071.4%) compared with 25%.,Births of 2026,,,,,,,,,',
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

test('a Scribe may not open it', async () => {
  const visitor = await visitorOf(pages.members.Scribe);
  assert.is((await visitor.send('/registry/statistics')).status, 403);
  assert.is((await visitor.send('/registry/statistics/figures.csv')).status, 403);
  const records = '/registry/statistics/records?figure=births';
  assert.is((await visitor.send(records)).status, 403);
});

const sendTwins = () =>
  push(
    pages.service.url,
    pages.practice.token,
    birthBundle({
      chartNumber: 'ST-TWINS',
      children: [
        { birthDate: '2023-12-31', birthTime: null },
        { birthDate: '2024-01-01', birthTime: null },
      ],
    }),
  );

test('twins across New Year are one delivery, of the year of the first', async () => {
  await sendTwins();
  const birthsOf = async (year: number): Promise<string> => {
    const html = await shown(`${STATISTICS}?period=${year}`);
    const [, figure = ''] = /<section class="key-figure[^>]*>(.*?)<\/section>/s.exec(html) ?? [];
    return figure
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  };
  assert.is(await birthsOf(2023), 'Births 1 in 1 delivery');
  assert.is(await birthsOf(2024), 'Births 1 of a delivery that began in another period');
});

test.run();
