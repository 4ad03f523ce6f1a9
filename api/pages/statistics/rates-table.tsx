import { RATES } from '../../../domain/statistics/definitions.ts';
import type { PracticeStatistics } from '../../../domain/statistics/figures.ts';
import { type Column, DataTable } from '../frame/data-table.tsx';
import { baseInWords, intervalInWords, rateInWords } from './figures-in-words.ts';
import { IntervalChart } from './interval-chart.tsx';

/** Every rate with its base, its interval and the benchmark; the chart says what the figures say. */
export const RatesTable = ({
  rates,
  benchmark,
}: Pick<PracticeStatistics, 'rates' | 'benchmark'>) => {
  const rows = RATES.flatMap(({ name, title, counts, among }) => {
    const own = rates[name];
    const all = benchmark.rates[name];
    return own === undefined || all === undefined ? [] : [{ name, title, counts, among, own, all }];
  });
  const most = scaleEndOf(rows.flatMap(({ own, all }) => [own.high ?? 0, all.high ?? 0]));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    {
      heading: 'Rate',
      namesRow: true,
      cell: ({ title, counts, among }) => (
        <>
          {title}
          <span class="rate__means">
            {counts}, of {among}
          </span>
        </>
      ),
    },
    {
      heading: 'This practice',
      figures: true,
      cell: ({ own }) => (
        <>
          <strong>{rateInWords(own)}</strong>
          <span class="rate__base">{baseInWords(own)}</span>
        </>
      ),
    },
    {
      heading: '95 % interval',
      figures: true,
      cell: ({ own }) => <span class="rate__interval">{intervalInWords(own)}</span>,
    },
    {
      heading: 'All practices',
      figures: true,
      cell: ({ all }) => (
        <>
          {rateInWords(all)}
          <span class="rate__base">{intervalInWords(all)}</span>
        </>
      ),
    },
    {
      heading: `0 to ${Math.round(most * 100)} %`,
      cell: ({ own, all }) => <IntervalChart own={own} all={all} most={most} />,
    },
  ];
  return (
    <DataTable
      caption="Rates of this practice and of all practices"
      captionHidden
      columns={columns}
      rows={rows}
      keyOf={({ name }) => name}
    />
  );
};

/** A tenth above the highest interval: room for all, and few empty charts. */
const scaleEndOf = (highs: readonly number[]): number =>
  Math.min(1, Math.ceil(Math.max(0.1, ...highs) * 10) / 10);
