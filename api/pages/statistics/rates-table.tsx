import { RATES } from '../../../domain/statistics/definitions.ts';
import type { PracticeStatistics } from '../../../domain/statistics/figures.ts';
import { type Column, DataTable } from '../frame/data-table.tsx';
import { baseInWords, benchmarkInWords, intervalInWords, rateInWords } from './figures-in-words.ts';
import { IntervalChart } from './interval-chart.tsx';

/** Every rate with its base, its interval and the benchmark; the chart says what the figures say. */
export const RatesTable = ({
  rates,
  benchmark,
}: Pick<PracticeStatistics, 'rates' | 'benchmark'>) => {
  const rows = RATES.flatMap(({ name, title, counts, among }) => {
    const own = rates[name];
    const others = benchmark.rates[name];
    return own === undefined || others === undefined
      ? []
      : [{ name, title, counts, among, own, others }];
  });
  const most = scaleEndOf(rows.flatMap(({ own, others }) => [own.high ?? 0, others.value ?? 0]));
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
      heading: 'Other practices',
      figures: true,
      cell: ({ others }) => benchmarkInWords(others),
    },
    {
      heading: `0 to ${Math.round(most * 100)} %`,
      cell: ({ own, others }) => <IntervalChart own={own} others={others} most={most} />,
    },
  ];
  return (
    <DataTable
      caption="Rates of this practice and of others"
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
