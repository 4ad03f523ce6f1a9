import { stringify } from 'csv-stringify/sync';
import { RATES } from '../../../domain/statistics/definitions.ts';
import type { GroupName } from '../../../domain/statistics/figure-query.ts';
import type { PracticeStatistics, Rates } from '../../../domain/statistics/figures.ts';
import type { DatedStatistics } from '../../statistics/practice-statistics.ts';
import { formatPeriodName, GROUPS } from './figure-query.ts';
import { formatGroup } from './format-figures.ts';
import { describeNoHighlights, formatFindings } from './highlights.tsx';
import { getDisplayRate } from './over-time-section.tsx';
import { type Filter, formatScope } from './statistics-filter.ts';

/** Named as on the page; rates are numbers from 0 to 1, or empty. */
const COLUMNS = [
  'Figure',
  'What it counts',
  'Scope',
  'Group',
  'Of',
  'Count',
  'Numerator',
  'Denominator',
  'Unknown',
  'Rate',
  '95% interval from',
  '95% interval to',
] as const;

type Line = Partial<Record<(typeof COLUMNS)[number], string | number | null>>;

const OWN = 'This practice';
const OTHERS = 'Other practices';

export const buildFiguresCsv = (statistics: DatedStatistics, filter: Filter): string => {
  const { by, benchmark, unknown, overTime } = statistics;
  const findings = formatFindings(statistics, filter);
  const lines: readonly Line[] = [
    ...(findings.length === 0
      ? [{ Figure: 'Highlights', 'What it counts': describeNoHighlights(statistics, filter) }]
      : findings.map(({ claim, figures }) => ({
          Figure: 'Highlights',
          'What it counts': `${claim}: ${figures}`,
        }))),
    count('Deliveries', '', statistics.coursesOfCare),
    count('Births', '', statistics.births),
    count('Fetal deaths', '', statistics.fetalDeaths),
    ...buildRateLines('', OWN, statistics.rates).map((line, at) => ({
      ...line,
      Unknown: unknown[RATES[at]?.name ?? ''] ?? null,
    })),
    ...buildRateLines('', OTHERS, benchmark.rates),
    ...Object.entries(by.year).map(([year, { births }]) =>
      count('Births', formatGroup(year), births),
    ),
    ...Object.entries(by.month).map(([month, { births }]) =>
      count('Births', formatPeriodName(month), births),
    ),
    ...(overTime?.rates.periods ?? []).flatMap(({ name, rates }) =>
      buildRateLines(formatPeriodName(name), OWN, rates).map((line, at) =>
        getDisplayRate(rates[RATES[at]?.name ?? '']) === null
          ? { ...line, Rate: null, '95% interval from': null, '95% interval to': null }
          : line,
      ),
    ),
    ...(Object.keys(GROUPS) as GroupName[]).flatMap((dimension) =>
      Object.entries(by[dimension] as Readonly<Record<string, { readonly births: number }>>).map(
        ([name, { births }]) => count('Births', GROUPS[dimension](name), births),
      ),
    ),
    ...(['place', 'attendantRole'] as const).flatMap((dimension) => [
      ...Object.entries(by[dimension]).flatMap(([name, { rates }]) =>
        buildRateLines(GROUPS[dimension](name), OWN, rates),
      ),
      ...Object.entries(benchmark.by[dimension]).flatMap(([name, rates]) =>
        buildRateLines(GROUPS[dimension](name), OTHERS, rates),
      ),
    ]),
  ];
  const scope = formatScope(filter);
  return stringify(
    lines.map((line) => ({ ...line, Scope: scope })),
    { header: true, columns: [...COLUMNS] },
  );
};

const count = (figure: string, group: string, counted: number): Line => ({
  Figure: figure,
  Group: group,
  Of: OWN,
  Count: counted,
});

const buildRateLines = (
  group: string,
  of: string,
  rates: Rates | PracticeStatistics['benchmark']['rates'],
): readonly Line[] =>
  RATES.flatMap(({ name, title, counts, among }) => {
    const rate = rates[name];
    if (rate === undefined) return [];
    const { numerator, denominator, value, low, high } = rate;
    return [
      {
        Figure: title,
        'What it counts': `${counts}, of ${among}`,
        Group: group,
        Of: of,
        Numerator: numerator,
        Denominator: denominator,
        Rate: value,
        '95% interval from': low,
        '95% interval to': high,
      },
    ];
  });
