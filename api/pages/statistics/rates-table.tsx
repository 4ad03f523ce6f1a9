import { RATES } from '../../../domain/statistics/definitions.ts';
import type { DatedStatistics } from '../../statistics/practice-statistics.ts';
import { type Column, DataTable } from '../layout/data-table.tsx';
import { ComparisonChart } from './comparison-chart.tsx';
import { formatBenchmark, formatInterval, formatRate } from './format-figures.ts';
import { CountLink, RateBase } from './rate-base.tsx';
import type { Filter } from './statistics-filter.ts';

/** Rates with their bases, intervals, and benchmarks; the chart shows the same numbers. */
export const RatesTable = ({
  statistics: { rates, unknown, benchmark, notable },
  filter,
}: {
  readonly statistics: DatedStatistics;
  readonly filter: Filter;
}) => {
  const rows = RATES.flatMap(({ name, title, counts, among }) => {
    const own = rates[name];
    const others = benchmark.rates[name];
    const elsewhere = notable.findings.find((finding) => finding.name === name)?.elsewhere;
    return own === undefined || others === undefined
      ? []
      : [{ name, title, counts, among, own, others, direction: elsewhere?.direction }];
  });
  const columns: readonly Column<(typeof rows)[number]>[] = [
    {
      heading: 'Rate',
      namesRow: true,
      cell: ({ title, counts, among }) => (
        <>
          {title}
          <span class="beneath text-normal">
            {counts}, of {among}
          </span>
        </>
      ),
    },
    {
      heading: 'This practice',
      figures: true,
      cell: ({ name, own }) => (
        <>
          <strong class="font-sans-md">{formatRate(own)}</strong>
          {own.value !== null && (
            <span class="beneath text-normal">95% interval {formatInterval(own)}</span>
          )}
          <RateBase rate={own} unknown={unknown[name] ?? 0} of={{ figure: name }} filter={filter} />
        </>
      ),
    },
    {
      heading: 'Other practices',
      figures: true,
      cell: ({ others, direction }) => (
        <>
          <span class={others.value === null ? undefined : 'font-sans-md'}>
            {formatBenchmark(others)}
          </span>
          {direction !== undefined && (
            <span class="display-block font-sans-2xs text-bold">
              {direction === 'higher' ? 'higher here' : 'lower here'}
            </span>
          )}
        </>
      ),
    },
    { heading: 'Chart', cell: ({ own, others }) => <ComparisonChart own={own} others={others} /> },
  ];
  const isKnown = ({ own, others }: (typeof rows)[number]): boolean =>
    own.denominator > 0 || others.value !== null;
  const notKnown = rows.filter((row) => !isKnown(row));
  return (
    <div class="rates">
      <DataTable
        caption="Rates of this practice and of other practices"
        captionHidden
        columns={columns}
        rows={rows.filter(isKnown)}
        keyOf={({ name }) => name}
      />
      {notKnown.length > 0 && (
        <p class="quiet margin-top-1">
          No known values:{' '}
          {notKnown.map(({ name, title }, at) => (
            <>
              {at > 0 && ', '}
              <span key={name}>{title}</span>
              {(unknown[name] ?? 0) > 0 && (
                <>
                  {' '}
                  (
                  <CountLink
                    count={unknown[name] ?? 0}
                    of={{ figure: name, part: 'unknown' }}
                    filter={filter}
                  />{' '}
                  unknown)
                </>
              )}
            </>
          ))}
          .
        </p>
      )}
    </div>
  );
};
