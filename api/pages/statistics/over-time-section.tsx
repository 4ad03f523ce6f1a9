import { countInWords } from '../../../domain/format-measures.ts';
import {
  MIN_CELL_SIZE,
  RATES,
  type RateDefinition,
} from '../../../domain/statistics/definitions.ts';
import type { Rate } from '../../../domain/statistics/figures.ts';
import type { PeriodFigures, Series, TimeUnit } from '../../../domain/statistics/over-time.ts';
import type { DatedStatistics } from '../../statistics/practice-statistics.ts';
import { DataTable } from '../layout/data-table.tsx';
import { formatMonth } from '../text/format-dates.ts';
import { capitalize } from '../text/text-case.ts';
import { CountBars } from './count-bars.tsx';
import { buildFigurePath, formatOutside, formatPeriodName, formatSpan } from './figure-query.ts';
import { formatInterval, formatRate, formatWholePercent, TOO_FEW } from './format-figures.ts';
import { CountLink, RateBase } from './rate-base.tsx';
import { RateChart } from './rate-chart.tsx';
import type { Filter } from './statistics-filter.ts';

const UNIT_WORDS: Readonly<Record<TimeUnit, string>> = {
  month: 'month',
  quarter: 'quarter',
  year: 'year',
};

interface SectionProps {
  readonly statistics: DatedStatistics;
  readonly filter: Filter;
}

export const OverTimeSection = ({ statistics, filter }: SectionProps) => {
  const { overTime } = statistics;
  if (overTime === null) return null;
  return (
    <>
      <BirthsOverTime series={overTime.births} filter={filter} />
      <LeftOut statistics={statistics} filter={filter} />
      <RatesOverTime statistics={statistics} filter={filter} />
    </>
  );
};

const BirthsOverTime = ({
  series,
  filter,
}: {
  readonly series: Series;
  readonly filter: Filter;
}) => {
  const { unit, periods } = series;
  const heading = `Births by ${UNIT_WORDS[unit]}`;
  return (
    <>
      <h2 id="over-time">{heading}</h2>
      <div class="chart">
        <CountBars
          bars={periods.map(({ name, births }) => ({
            name,
            short: formatShort(name),
            count: births,
          }))}
        />
        <details class="chart-table">
          <summary>{heading} as a table</summary>
          <DataTable
            caption={heading}
            captionHidden
            rows={periods}
            keyOf={({ name }) => name}
            columns={[
              {
                heading: capitalize(UNIT_WORDS[unit]),
                namesRow: true,
                cell: ({ name }) => capitalize(formatPeriodName(name)),
              },
              {
                heading: 'Births',
                figures: true,
                cell: ({ name, births }) => (
                  <CountLink
                    count={births}
                    of={{ figure: 'births', dated: name }}
                    filter={filter}
                  />
                ),
              },
              {
                heading: 'Deliveries',
                figures: true,
                cell: ({ name, coursesOfCare }) => (
                  <CountLink
                    count={coursesOfCare}
                    of={{ figure: 'deliveries', dated: name }}
                    filter={filter}
                  />
                ),
              },
            ]}
          />
        </details>
      </div>
    </>
  );
};

/** Without this note, births that would stretch the charts or have no date would seem missing. */
const LeftOut = ({ statistics: { overTime }, filter }: SectionProps) => {
  if (overTime === null) return null;
  const { births, outside, undated } = overTime;
  const parts = [
    ...(outside === null
      ? []
      : [
          {
            count: outside.births,
            words: `with a date outside ${formatSpan(outside)}`,
            dated: formatOutside(outside),
          },
        ]),
    ...(births.yearOnly === 0
      ? []
      : [{ count: births.yearOnly, words: 'known by year only', dated: 'year-only' }]),
    ...(undated === 0 ? [] : [{ count: undated, words: 'without a date', dated: 'not' }]),
  ];
  if (parts.length === 0) return null;
  return (
    <p class={outside === null ? 'quiet' : 'caution'}>
      Not in the charts:{' '}
      {parts.map(({ count, words, dated }, at) => (
        <>
          {at > 0 && ', '}
          <a key={dated} href={buildFigurePath({ figure: 'births', dated }, filter)}>
            {countInWords(count, 'birth')} {words}
          </a>
        </>
      ))}
      .
    </p>
  );
};

const RatesOverTime = ({ statistics, filter }: SectionProps) => {
  const series = statistics.overTime?.rates;
  // A single point shows no trend.
  if (series === undefined || series.periods.length < 2) return null;
  const known = RATES.filter(({ name }) =>
    series.periods.some(({ rates }) => isKnown(rates[name])),
  );
  const drawn = known.filter(({ name }) =>
    series.periods.some(({ rates }) => getDisplayRate(rates[name]) !== null),
  );
  const hidden = known.filter((rate) => !drawn.includes(rate));
  return (
    <>
      <h2>Rates by {UNIT_WORDS[series.unit]}</h2>
      <p class="quiet">
        Each point is this practice with its 95% interval; the broken line is the other practices
        over the whole period. A point needs at least {MIN_CELL_SIZE} known values.
      </p>
      {drawn.length > 0 && (
        <div class="rate-charts">
          {drawn.map((rate) => (
            <RateOverTime
              key={rate.name}
              rate={rate}
              series={series}
              statistics={statistics}
              filter={filter}
            />
          ))}
        </div>
      )}
      {hidden.length > 0 && (
        <p class="quiet">Too few to chart: {hidden.map(({ title }) => title).join(', ')}.</p>
      )}
    </>
  );
};

const isKnown = (rate: Rate | undefined): boolean => rate !== undefined && rate.denominator > 0;

/** Rate of a period; `null` if below the minimum cell size. */
export const getDisplayRate = (rate: Rate | undefined): Rate | null =>
  rate !== undefined && rate.denominator >= MIN_CELL_SIZE ? rate : null;

const RateOverTime = ({
  rate: { name, title },
  series: { unit, periods },
  statistics,
  filter,
}: SectionProps & { readonly rate: RateDefinition; readonly series: Series }) => {
  const others = statistics.benchmark.rates[name]?.value ?? null;
  const own = statistics.rates[name];
  return (
    <div class="rate-chart">
      <h3>{title}</h3>
      <p class="quiet">
        {own === undefined ? '' : formatRate(own)}
        {others !== null && `, other practices ${formatWholePercent(others)}`}
      </p>
      <RateChart
        points={periods.map((period) => ({
          name: period.name,
          short: formatShort(period.name),
          rate: getDisplayRate(period.rates[name]),
        }))}
        others={others}
      />
      <details class="no-print">
        <summary>
          As a table<span class="usa-sr-only">: {title}</span>
        </summary>
        <RateTable name={name} title={title} unit={unit} periods={periods} filter={filter} />
      </details>
    </div>
  );
};

const RateTable = ({
  name,
  title,
  unit,
  periods,
  filter,
}: {
  readonly name: string;
  readonly title: string;
  readonly unit: TimeUnit;
  readonly periods: readonly PeriodFigures[];
  readonly filter: Filter;
}) => (
  <table class="usa-table data-table">
    <caption class="usa-sr-only">
      {title} by {UNIT_WORDS[unit]}
    </caption>
    <thead>
      <tr>
        <th scope="col">{capitalize(UNIT_WORDS[unit])}</th>
        <th scope="col" class="figures">
          Rate
        </th>
        <th scope="col" class="figures">
          Of
        </th>
      </tr>
    </thead>
    <tbody>
      {periods.map((period) => {
        const rate = period.rates[name];
        if (rate === undefined) return null;
        const displayRate = getDisplayRate(rate);
        return (
          <tr key={period.name}>
            <th scope="row">{formatShort(period.name)}</th>
            <td class="figures">
              {displayRate === null ? TOO_FEW : formatRate(displayRate)}
              {displayRate !== null && (
                <span class="beneath text-normal">{formatInterval(displayRate)}</span>
              )}
            </td>
            <td class="figures">
              <RateBase rate={rate} of={{ figure: name, dated: period.name }} filter={filter} />
            </td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

/** `May 26`, `Q2 26`, or `2026`: the year distinguishes labels of adjacent years. */
export const formatShort = (period: string): string => {
  const [year = '', quarter] = period.split('-Q');
  if (quarter !== undefined) return `Q${quarter} ${year.slice(2)}`;
  return period.length === 4 ? period : `${formatMonth(period).slice(0, 3)} ${period.slice(2, 4)}`;
};
