import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  computeOverTime,
  parsePeriod,
  selectMonths,
} from '../../../domain/statistics/over-time.ts';
import {
  type BirthCell,
  type CellFilter,
  type Cells,
  NO_FILTER,
} from '../../../domain/statistics/ports.ts';

const time = suite('births and rates over time');

/** `2026-05` or `2026`, with how many births of it. */
type Born = readonly [when: string, count: number];

const cellsOf = (...born: readonly Born[]): Cells => {
  const births = born.map(([when, count]): BirthCell => {
    const [year, month] = when.split('-');
    return {
      year: year === 'undated' ? null : Number(year),
      month: month === undefined ? null : Number(month),
      place: 'Hospital',
      source: 'fhir_push',
      plurality: 1,
      attendantRole: null,
      count,
      sex: null,
      fetalDeaths: 0,
      tallies: { cesarean: { numerator: 1, denominator: count, unknown: 0 } },
    };
  });
  return { births, courses: births };
};

interface Row {
  readonly name: string;
  readonly born: readonly Born[];
  readonly filter?: Partial<CellFilter>;
  /** The births of each period. */
  readonly births: string;
  /** The unit of the rates, where it matters. */
  readonly rates?: string;
  readonly outside?: string;
}

const THIS_MONTH = '2026-11';

const ROWS: readonly Row[] = [
  {
    name: 'months without births stand between those that have some',
    born: [
      ['2026-02', 2],
      ['2025-11', 3],
    ],
    births: 'month: 2025-11 3, 2025-12 0, 2026-01 0, 2026-02 2',
  },
  {
    name: 'a year has all its months',
    born: [['2025-03', 40]],
    filter: { year: 2025 },
    births: `month: ${Array.from({ length: 12 }, (_, at) => `2025-${String(at + 1).padStart(2, '0')} ${at === 2 ? 40 : 0}`).join(', ')}`,
    rates: 'month',
  },
  {
    name: 'this year ends with this month',
    born: [['2026-10', 5]],
    filter: { year: 2026 },
    births: `month: ${Array.from({ length: 11 }, (_, at) => `2026-${String(at + 1).padStart(2, '0')} ${at === 9 ? 5 : 0}`).join(', ')}`,
  },
  {
    name: 'a birth of a later month of this year is shown',
    born: [
      ['2026-10', 5],
      ['2026-12', 1],
    ],
    births: 'month: 2026-10 5, 2026-11 0, 2026-12 1',
  },
  {
    name: 'a whole year without a month goes no further than this month',
    born: [
      ['2026-03', 9],
      ['2026', 2],
    ],
    births: `month: ${Array.from({ length: 11 }, (_, at) => `2026-${String(at + 1).padStart(2, '0')} ${at === 2 ? 9 : 0}`).join(', ')}`,
  },
  {
    name: 'a month stands at the end of the year up to it, by month however few there are',
    born: [
      ['2026-01', 5],
      ['2026-02', 6],
    ],
    filter: { year: 2026, month: 2 },
    births:
      'month: 2025-02 0, 2025-03 0, 2025-04 0, 2025-05 0, 2025-06 0, 2025-07 0, 2025-08 0, 2025-09 0, ' +
      '2025-10 0, 2025-11 0, 2025-12 0, 2026-01 5, 2026-02 6',
    rates: 'month',
  },
  {
    name: 'more than 24 months are shown by quarter',
    born: [
      ['2024-10', 20],
      ['2026-11', 20],
    ],
    births:
      'quarter: 2024-Q4 20, 2025-Q1 0, 2025-Q2 0, 2025-Q3 0, 2025-Q4 0, 2026-Q1 0, 2026-Q2 0, ' +
      '2026-Q3 0, 2026-Q4 20',
  },
  {
    name: 'more than 24 quarters by year',
    born: [
      ['2019-01', 20],
      ['2022-01', 20],
      ['2025-02', 20],
    ],
    births: 'year: 2019 20, 2020 0, 2021 0, 2022 20, 2023 0, 2024 0, 2025 20',
  },
  {
    name: 'few births a month are enough for rates by quarter',
    born: [
      ['2026-01', 5],
      ['2026-02', 5],
      ['2026-03', 5],
      ['2026-04', 12],
    ],
    births: 'month: 2026-01 5, 2026-02 5, 2026-03 5, 2026-04 12',
    rates: 'quarter',
  },
  {
    name: 'births of 1926 and 2062 stretch no chart',
    born: [
      ['1926-05', 1],
      ['2026-05', 30],
      ['2026-06', 30],
      ['2062-01', 2],
      ['2062', 1],
    ],
    births: 'month: 2026-05 30, 2026-06 30',
    outside: '4 outside 2026-05 to 2026-06',
  },
  {
    name: 'a few births beyond a gap of years are outside',
    born: [
      ['2006-06', 10],
      ['2026-05', 30],
    ],
    births: 'month: 2026-05 30',
    outside: '10 outside 2026-05 to 2026-05',
  },
  {
    name: 'many are not: the practice was another time',
    born: [
      ['2016-06', 11],
      ['2026-05', 30],
    ],
    births:
      'year: 2016 11, 2017 0, 2018 0, 2019 0, 2020 0, 2021 0, 2022 0, 2023 0, 2024 0, 2025 0, 2026 30',
  },
  {
    name: 'not even many are, of more than 60 years ago',
    born: [
      ['1926-05', 40],
      ['2026-05', 30],
    ],
    births: 'month: 2026-05 30',
    outside: '40 outside 2026-05 to 2026-05',
  },
  {
    name: 'births of which only the year is known are shown by year',
    born: [
      ['2025', 20],
      ['2026', 12],
      ['2026-03', 3],
    ],
    births: 'year: 2025 20, 2026 15',
    rates: 'year',
  },
];

for (const { name, born, filter = {}, births, rates, outside } of ROWS)
  time(name, () => {
    const shown = computeOverTime(cellsOf(...born), { ...NO_FILTER, ...filter }, THIS_MONTH);
    assert.ok(shown !== null);
    const { unit, periods } = shown.births;
    assert.is(`${unit}: ${periods.map((one) => `${one.name} ${one.births}`).join(', ')}`, births);
    if (rates !== undefined) assert.is(shown.rates.unit, rates);
    assert.is(
      shown.outside === null
        ? undefined
        : `${shown.outside.births} outside ${shown.outside.from} to ${shown.outside.to}`,
      outside,
    );
  });

time('without a dated birth there is nothing over time', () => {
  assert.is(computeOverTime(cellsOf(['undated', 3]), NO_FILTER, THIS_MONTH), null);
});

time('every birth is in a period, or said to be in none', () => {
  const shown = computeOverTime(
    cellsOf(['undated', 3], ['2026-05', 30], ['2026', 2], ['1926', 1]),
    NO_FILTER,
    THIS_MONTH,
  );
  assert.equal([shown?.births.yearOnly, shown?.undated, shown?.outside?.births], [2, 3, 1]);
});

time('rates of a period are over its own cells', () => {
  const shown = computeOverTime(cellsOf(['2026-05', 30], ['2026-06', 20]), NO_FILTER, THIS_MONTH);
  assert.equal(
    shown?.rates.periods.map(({ rates }) => rates['cesarean']?.denominator),
    [30, 20],
  );
});

time('the months up to one', () => {
  const cells = cellsOf(
    ['2025-11', 1],
    ['2025-12', 2],
    ['2026-01', 4],
    ['2026', 8],
    ['2026-02', 16],
  );
  const months = selectMonths(cells, '2026-01', 2).births;
  assert.equal(
    months.map(({ count }) => count),
    [2, 4],
  );
});

for (const [name, year, months] of [
  ['2026', 2026, null],
  ['2026-02', 2026, [2, 2]],
  ['2026-Q1', 2026, [1, 3]],
  ['2026-Q4', 2026, [10, 12]],
] as const)
  time(`the period ${name}`, () => {
    assert.equal(parsePeriod(name), { name, year, months });
  });

time('what is no period is none', () => {
  assert.equal(['', '26', '2026-13', '2026-Q5', '2026-1', '2026-05-01'].map(parsePeriod), [
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});

time.run();
