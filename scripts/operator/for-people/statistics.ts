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
import type { Counts, PracticeStatistics } from '../../../domain/statistics/figures.ts';
import type { Style } from './style.ts';
import { tableOf } from './tables.ts';

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

/** Figures of a practice, as on the statistics page. */
export const statisticsInWords = (figures: PracticeStatistics, style: Style): string => {
  const { coursesOfCare, births, fetalDeaths, sandbox, benchmark } = figures;
  return [
    `${countInWords(coursesOfCare, 'delivery', 'deliveries')}, ${countInWords(births, 'birth')}, of these ${countInWords(fetalDeaths, 'fetal death')}.`,
    `There ${benchmark.practices === 1 ? 'is' : 'are'} ${countInWords(benchmark.practices, 'other live practice')}${sandbox ? '; this one is a sandbox' : ''}.`,
    '',
    ratesTable(figures, style),
    ...GROUPS.flatMap(([by, heading, words]) => [
      '',
      countsTable(figures.by[by] as Counts, heading, words, style),
    ]),
  ].join('\n');
};

const ratesTable = ({ rates, benchmark }: PracticeStatistics, style: Style): string =>
  tableOf(
    [
      { heading: 'Rate', cell: ({ title }) => title },
      { heading: 'Practice', cell: ({ own }) => formatRate(own), isFigure: true },
      { heading: '95% interval', cell: ({ own }) => formatInterval(own), isFigure: true },
      { heading: 'Of', cell: ({ own }) => formatBase(own), isFigure: true },
      {
        heading: 'Other practices',
        cell: ({ name }) => formatBenchmark(benchmark.rates[name]),
        isFigure: true,
      },
    ],
    RATES.flatMap(({ name, title }) => {
      const own = rates[name];
      return own === undefined ? [] : [{ name, title, own }];
    }),
    style,
    '',
  );

const countsTable = (
  counts: Counts,
  heading: string,
  words: (name: string) => string,
  style: Style,
): string =>
  tableOf(
    [
      { heading, cell: ([name]) => words(name) },
      { heading: 'Deliveries', cell: ([, count]) => count.coursesOfCare, isFigure: true },
      { heading: 'Births', cell: ([, count]) => count.births, isFigure: true },
    ],
    Object.entries(counts),
    style,
    `${heading}: nothing yet.`,
  );
