import { stringify } from 'csv-stringify/sync';
import { RATES } from '../../../domain/statistics/definitions.ts';
import type { PracticeStatistics, Rates } from '../../../domain/statistics/figures.ts';

/** `figure`, `group` and `of` name a line; the rest are numbers, empty where there are none. */
const COLUMNS = [
  'figure',
  'group',
  'of',
  'count',
  'numerator',
  'denominator',
  'value',
  'low',
  'high',
] as const;

type Line = Partial<Record<(typeof COLUMNS)[number], string | number | null>>;

/** The figures of the page as lines for a spreadsheet. */
export const figuresAsCsv = (statistics: PracticeStatistics): string => {
  const { by, benchmark } = statistics;
  const lines: readonly Line[] = [
    count('courses of care', '', statistics.coursesOfCare),
    count('births', '', statistics.births),
    count('fetal deaths', '', statistics.fetalDeaths),
    ...rateLines('', 'this practice', statistics.rates),
    ...rateLines('', 'other practices', benchmark.rates),
    ...Object.entries({ ...by }).flatMap(([dimension, groups]) =>
      Object.entries(groups as Readonly<Record<string, { readonly births: number }>>).map(
        ([name, { births }]) => count('births', `${dimension}: ${name}`, births),
      ),
    ),
    ...(['place', 'attendantRole'] as const).flatMap((dimension) => [
      ...Object.entries(by[dimension]).flatMap(([name, { rates }]) =>
        rateLines(`${dimension}: ${name}`, 'this practice', rates),
      ),
      ...Object.entries(benchmark.by[dimension]).flatMap(([name, rates]) =>
        rateLines(`${dimension}: ${name}`, 'other practices', rates),
      ),
    ]),
  ];
  return stringify([...lines], { header: true, columns: [...COLUMNS] });
};

const count = (figure: string, group: string, counted: number): Line => ({
  figure,
  group,
  of: 'this practice',
  count: counted,
});

const rateLines = (
  group: string,
  of: string,
  rates: Rates | PracticeStatistics['benchmark']['rates'],
): readonly Line[] =>
  RATES.flatMap(({ name, title }) => {
    const rate = rates[name];
    if (rate === undefined) return [];
    const { numerator, denominator, value, low, high } = rate;
    return [{ figure: title, group, of, numerator, denominator, value, low, high }];
  });
