import {
  formatAttendant,
  formatBase,
  formatBenchmark,
  formatGroup,
  formatInterval,
  formatRate,
} from '../../../api/pages/statistics/format-figures.ts';
import { formatSource } from '../../../api/pages/text/source-text.ts';
import { countInWords } from '../../../domain/format-measures.ts';
import { RATES } from '../../../domain/statistics/definitions.ts';
import type { Counts, PracticeStatistics, Rate } from '../../../domain/statistics/figures.ts';
import type { Style } from './style.ts';
import { createTable } from './tables.ts';

/** Groups of figures, as on the page; the JSON output includes months. */
const GROUPS: readonly (readonly [
  keyof PracticeStatistics['by'],
  string,
  (name: string) => string,
])[] = [
  ['year', 'Year of birth', formatGroup],
  ['place', 'Place of birth', formatGroup],
  ['attendantRole', 'Attendant', formatAttendant],
  ['plurality', 'Plurality', formatGroup],
  ['source', 'Source', formatSource],
];

export const statisticsInWords = (figures: PracticeStatistics, style: Style): string => {
  const { coursesOfCare, births, fetalDeaths, sandbox, benchmark } = figures;
  return [
    `${countInWords(coursesOfCare, 'delivery', 'deliveries')}, ${countInWords(births, 'birth')}, of these ${countInWords(fetalDeaths, 'fetal death')}.`,
    `There ${benchmark.practices === 1 ? 'is' : 'are'} ${countInWords(benchmark.practices, 'other live practice')}${sandbox ? '; this one is a sandbox' : ''}.`,
    '',
    formatRates(figures, style),
    ...GROUPS.flatMap(([by, heading, words]) => [
      '',
      formatCounts(figures.by[by] as Counts, heading, words, style),
    ]),
  ].join('\n');
};

const formatRates = ({ rates, benchmark }: PracticeStatistics, style: Style): string =>
  createTable<{ name: string; title: string; own: Rate }>(
    '',
    {
      Rate: ({ title }) => title,
      Practice: ({ own }) => formatRate(own),
      '95% interval': ({ own }) => formatInterval(own),
      Of: ({ own }) => formatBase(own),
      'Other practices': ({ name }) => formatBenchmark(benchmark.rates[name]),
    },
    ['Practice', '95% interval', 'Of', 'Other practices'],
  )(
    RATES.flatMap(({ name, title }) => {
      const own = rates[name];
      return own === undefined ? [] : [{ name, title, own }];
    }),
    style,
  );

const formatCounts = (
  counts: Counts,
  heading: string,
  words: (name: string) => string,
  style: Style,
): string =>
  createTable<[string, Counts[string]]>(`${heading}: nothing yet.`, {
    [heading]: ([name]) => words(name),
    Deliveries: ([, count]) => count.coursesOfCare,
    Births: ([, count]) => count.births,
  })(Object.entries(counts), style);
