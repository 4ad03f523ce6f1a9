import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { overTime } from '../../api/pages/statistics/over-time.ts';
import type { Counts } from '../../domain/statistics/figures.ts';

const table = suite('births over time');

const counts = (...periods: readonly string[]): Counts =>
  Object.fromEntries(periods.map((period) => [period, { births: 2, coursesOfCare: 1 }]));

const shown = (month: Counts, year: Counts) => {
  const { unit, counts: listed } = overTime({ month, year });
  return { unit, periods: listed.map(([period, { births }]) => `${period}: ${births}`) };
};

table('months without births stand between those that have some', () => {
  assert.equal(shown(counts('2026-02', '2025-11'), counts('2025', '2026')), {
    unit: 'month',
    periods: ['2025-11: 2', '2025-12: 0', '2026-01: 0', '2026-02: 2'],
  });
});

table('24 months are shown by month, 25 by year', () => {
  const years = counts('2024', '2026');
  assert.is(shown(counts('2024-01', '2025-12'), years).periods.length, 24);
  assert.equal(shown(counts('2024-01', '2026-01'), years), {
    unit: 'year',
    periods: ['2024: 2', '2025: 0', '2026: 2'],
  });
});

table('what has no year comes last', () => {
  assert.equal(shown({}, counts('2026', '2024', 'unknown')), {
    unit: 'year',
    periods: ['2024: 2', '2025: 0', '2026: 2', 'unknown: 2'],
  });
  assert.equal(shown({}, counts('unknown')), { unit: 'year', periods: ['unknown: 2'] });
});

table('a mistyped year does not stretch the chart over centuries', () => {
  assert.equal(shown(counts('1026-05', '2026-05'), counts('1026', '2026')).periods, [
    '1026: 2',
    '2026: 2',
  ]);
});

table('nothing is nothing', () => {
  assert.equal(shown({}, {}), { unit: 'year', periods: [] });
});

table.run();
