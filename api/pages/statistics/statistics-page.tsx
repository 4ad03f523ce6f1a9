import type { BenchmarkRates } from '../../../domain/statistics/benchmark.ts';
import { COUNTS } from '../../../domain/statistics/definitions.ts';
import type {
  Counts,
  PracticeStatistics,
  RatedCounts,
} from '../../../domain/statistics/figures.ts';
import { DataTable } from '../frame/data-table.tsx';
import { EmptyState } from '../frame/empty-state.tsx';
import { Notice } from '../frame/flash-messages.tsx';
import { NothingEntered } from '../frame/nothing-entered.tsx';
import { sourceWords } from '../frame/source-words.ts';
import { monthInWords } from '../words/dates-in-words.ts';
import { CountBars } from './count-bars.tsx';
import {
  attendantInWords,
  baseInWords,
  benchmarkInWords,
  groupInWords,
  inFigures,
  rateInWords,
} from './figures-in-words.ts';
import { FilterForm } from './filter-form.tsx';
import { KeyFigures } from './key-figures.tsx';
import { overTime } from './over-time.ts';
import { type Asked, addressOf, periodInWords } from './period.ts';
import { RatesTable } from './rates-table.tsx';

/** What the page shows. */
export interface StatisticsView {
  readonly statistics: PracticeStatistics;
  readonly asked: Asked;
  /** Years that the practice has births of, newest first. */
  readonly years: readonly number[];
  /** The seat may enter births. */
  readonly mayEnter: boolean;
}

const scopeInWords = ({ period, place, attendant }: Asked): string =>
  [
    `Births of ${periodInWords(period)}`,
    ...(place === '' ? [] : [`place: ${place}`]),
    ...(attendant === '' ? [] : [`attendant: ${attendantInWords(attendant)}`]),
  ].join(', ');

/** Figures and benchmark of a practice, with every chart's table. */
export const StatisticsPage = ({ statistics, asked, years, mayEnter }: StatisticsView) => {
  const isFiltered = asked.period + asked.place + asked.attendant !== '';
  return (
    <>
      <FilterForm asked={asked} years={years} />
      {statistics.sandbox && (
        <Notice kind="info">
          These are the figures of a sandbox: synthetic data, in no benchmark. "Other practices" are
          the real ones.
        </Notice>
      )}
      {statistics.births === 0 ? (
        <Nothing isFiltered={isFiltered} mayEnter={mayEnter} />
      ) : (
        <Figures statistics={statistics} asked={asked} />
      )}
    </>
  );
};

const Nothing = ({
  isFiltered,
  mayEnter,
}: {
  readonly isFiltered: boolean;
  readonly mayEnter: boolean;
}) => {
  if (isFiltered)
    return (
      <EmptyState links={[{ href: '/registry/statistics', text: 'Show all births' }]}>
        No births match this choice.
      </EmptyState>
    );
  return (
    <NothingEntered
      mayEnter={mayEnter}
      invitation="No births yet, so there is nothing to count. Enter one, import a CSV, or connect your EHR."
    >
      No births yet, so there is nothing to count. Figures appear here once your practice enters
      one.
    </NothingEntered>
  );
};

const Figures = ({ statistics, asked }: Pick<StatisticsView, 'statistics' | 'asked'>) => {
  const { by, benchmark, excluded } = statistics;
  return (
    <div class="statistics">
      <p class="scope">{scopeInWords(asked)}.</p>
      <KeyFigures of={statistics} />
      <h2>Rates</h2>
      <p class="quiet">
        A circle is this practice on its interval, a diamond the other practices. What is not known
        is left out of the base.
      </p>
      <RatesTable rates={statistics.rates} benchmark={benchmark} />
      <BirthsOverTime by={by} />
      <h2>By place of birth</h2>
      <RatedGroups
        caption="Births, cesarean and preterm by place of birth"
        heading="Place"
        groups={by.place}
        benchmark={benchmark.by.place}
        inWords={groupInWords}
      />
      <h2>By attendant</h2>
      <p class="quiet">
        Attendants are known for records that a partner's feed sends. The role "other" is left out
        of what other practices have.
      </p>
      <RatedGroups
        caption="Births, cesarean and preterm by attendant"
        heading="Attendant"
        groups={by.attendantRole}
        benchmark={benchmark.by.attendantRole}
        leftOut={['other', 'unknown']}
        inWords={attendantInWords}
      />
      <div class="cards margin-top-4">
        <CountGroups heading="Plurality" groups={by.plurality} inWords={groupInWords} />
        <CountGroups heading="Sex" groups={by.sex} inWords={groupInWords} />
        <CountGroups heading="Source" groups={by.source} inWords={sourceWords} />
      </div>
      <h2>What is left out</h2>
      <p>
        {inFigures(excluded.voided)} voided {excluded.voided === 1 ? 'record is' : 'records are'} in
        no figure. {COUNTS.benchmark} Suspected duplicates count until one of them is voided.{' '}
        <a href="/docs/statistics">How each figure is counted</a>
      </p>
      <p>
        <a
          class="usa-button usa-button--outline no-print"
          href={addressOf('/registry/statistics/figures.csv', asked)}
          download
        >
          Download figures as CSV
        </a>
      </p>
    </div>
  );
};

const BirthsOverTime = ({ by }: Pick<PracticeStatistics, 'by'>) => {
  const { unit, counts } = overTime(by);
  const isByMonth = unit === 'month';
  const rows = counts.map(([name, { births, coursesOfCare }]) => ({
    name: isByMonth ? monthInWords(name) : groupInWords(name),
    short: isByMonth ? shortMonth(name) : groupInWords(name),
    births,
    coursesOfCare,
  }));
  const heading = isByMonth ? 'Births by month' : 'Births by year';
  return (
    <>
      <h2>{heading}</h2>
      {isByMonth ? <YearOnly by={by} /> : <ByMonthInstead months={Object.keys(by.month).length} />}
      <div class="chart">
        <CountBars bars={rows.map(({ name, short, births }) => ({ name, short, count: births }))} />
        <details class="chart-table">
          <summary>{heading} as a table</summary>
          <DataTable
            caption={heading}
            captionHidden
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              { heading: isByMonth ? 'Month' : 'Year', namesRow: true, cell: ({ name }) => name },
              { heading: 'Births', figures: true, cell: ({ births }) => inFigures(births) },
              {
                heading: 'Deliveries begun',
                figures: true,
                cell: ({ coursesOfCare }) => inFigures(coursesOfCare),
              },
            ]}
          />
        </details>
      </div>
    </>
  );
};

/** `May 26`: two years may stand side by side. */
const shortMonth = (period: string): string =>
  `${monthInWords(period).slice(0, 3)} ${period.slice(2, 4)}`;

const ByMonthInstead = ({ months }: { readonly months: number }) =>
  months === 0 ? null : (
    <p class="quiet no-print">Choose a year as the period to see its births by month.</p>
  );

/** Births that a partner's feed sent have no month; the page says so, or they would seem to be missing. */
const YearOnly = ({ by }: Pick<PracticeStatistics, 'by'>) => {
  const sum = (counts: Counts) =>
    Object.values(counts).reduce((total, { births }) => total + births, 0);
  const without = sum(by.year) - sum(by.month);
  if (without === 0) return null;
  return (
    <p class="quiet">
      {inFigures(without)} {without === 1 ? 'birth is' : 'births are'} known by year only, or not
      dated, and not in this chart.
    </p>
  );
};

const RatedGroups = ({
  caption,
  heading,
  groups,
  benchmark,
  leftOut = ['unknown'],
  inWords,
}: {
  readonly caption: string;
  readonly heading: string;
  readonly groups: RatedCounts;
  readonly benchmark: Readonly<Record<string, BenchmarkRates>>;
  /** Groups that the benchmark does not go by. */
  readonly leftOut?: readonly string[];
  readonly inWords: (name: string) => string;
}) => {
  const rateColumn = (name: string, title: string) => [
    {
      heading: title,
      figures: true,
      cell: ([, { rates }]: [string, RatedCounts[string]]) => {
        const rate = rates[name];
        return rate === undefined ? '' : <RateCell rate={rate} />;
      },
    },
    {
      heading: `${title}, others`,
      figures: true,
      cell: ([group]: [string, RatedCounts[string]]) => {
        if (leftOut.includes(group)) return '–';
        // A group that no practice has is one that too few have.
        return benchmarkInWords(benchmark[group]?.[name]);
      },
    },
  ];
  return (
    <DataTable
      caption={caption}
      captionHidden
      rows={Object.entries(groups)}
      keyOf={([name]) => name}
      columns={[
        { heading, namesRow: true, cell: ([name]) => inWords(name) },
        { heading: 'Births', figures: true, cell: ([, { births }]) => inFigures(births) },
        ...rateColumn('cesarean', 'Cesarean'),
        ...rateColumn('preterm', 'Preterm'),
      ]}
    />
  );
};

const RateCell = ({ rate }: { readonly rate: RatedCounts[string]['rates'][string] }) => (
  <>
    {rateInWords(rate)}
    <span class="rate__base">{baseInWords(rate)}</span>
  </>
);

const CountGroups = ({
  heading,
  groups,
  inWords,
}: {
  readonly heading: string;
  readonly groups: Readonly<Record<string, { readonly births: number }>>;
  readonly inWords: (name: string) => string;
}) => (
  <DataTable
    caption={`By ${heading.toLowerCase()}`}
    rows={Object.entries(groups)}
    keyOf={([name]) => name}
    columns={[
      { heading, namesRow: true, cell: ([name]) => inWords(name) },
      { heading: 'Births', figures: true, cell: ([, { births }]) => inFigures(births) },
    ]}
  />
);
