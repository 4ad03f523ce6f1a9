import { countInWords } from '../../../domain/format-measures.ts';
import type { BenchmarkRates } from '../../../domain/statistics/benchmark.ts';
import { COUNTS } from '../../../domain/statistics/definitions.ts';
import type { GroupName } from '../../../domain/statistics/figure-query.ts';
import type { RatedCounts } from '../../../domain/statistics/figures.ts';
import type { DatedStatistics } from '../../statistics/practice-statistics.ts';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { Notice } from '../layout/flash-messages.tsx';
import { NoRecordsYet } from '../layout/no-records-yet.tsx';
import { formatSource } from '../text/source-text.ts';
import { uncapitalize } from '../text/text-case.ts';
import { FilterForm } from './filter-form.tsx';
import { formatAttendant, formatBenchmark, formatGroup, formatRate } from './format-figures.ts';
import { Highlights } from './highlights.tsx';
import { KeyFigures } from './key-figures.tsx';
import { OverTimeSection } from './over-time-section.tsx';
import { CountLink, RateBase } from './rate-base.tsx';
import { RatesTable } from './rates-table.tsx';
import { buildStatisticsPath, type Filter, formatScope } from './statistics-filter.ts';

export const NOTHING_TO_COUNT = 'No births yet. Figures appear here once your practice enters one.';

export const NO_BIRTHS_MATCH = 'No births match this choice.';

export const SANDBOX_NOTE =
  'This practice is a sandbox. Its births are synthetic and don’t count in any benchmark. “Other practices” are real.';

export const CHARTS_NOTE =
  'In the charts, a circle is this practice with its interval and a diamond is other practices. Unknown values are excluded. Select a number to see its records.';

export interface StatisticsView {
  readonly statistics: DatedStatistics;
  readonly filter: Filter;
  /** Years with births in the practice, newest first. */
  readonly years: readonly number[];
  readonly mayEnter: boolean;
}

/** Figures and benchmark of a practice; each chart has a table. */
export const StatisticsPage = ({ statistics, filter, years, mayEnter }: StatisticsView) => {
  const isFiltered = filter.period + filter.place + filter.attendant !== '';
  return (
    <>
      <FilterForm filter={filter} years={years} />
      {statistics.sandbox && <Notice kind="info">{SANDBOX_NOTE}</Notice>}
      {statistics.births === 0 ? (
        <Nothing isFiltered={isFiltered} mayEnter={mayEnter} />
      ) : (
        <Figures statistics={statistics} filter={filter} />
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
        {NO_BIRTHS_MATCH}
      </EmptyState>
    );
  return (
    <NoRecordsYet
      mayEnter={mayEnter}
      invitation="No births yet. Enter one, import a spreadsheet, or connect your EHR."
    >
      {NOTHING_TO_COUNT}
    </NoRecordsYet>
  );
};

const Figures = ({ statistics, filter }: Pick<StatisticsView, 'statistics' | 'filter'>) => {
  const { by, benchmark, excluded } = statistics;
  return (
    <div class="statistics">
      <p class="scope">{formatScope(filter)}.</p>
      <Highlights statistics={statistics} filter={filter} />
      <KeyFigures of={statistics} filter={filter} />
      <nav class="cluster no-print margin-top-2" aria-label="On this page">
        <a href="#compared">This practice and other practices</a>
        {statistics.overTime !== null && <a href="#over-time">Over time</a>}
        <a href="#by-place">By place of birth</a>
        <a href="#by-attendant">By attendant</a>
      </nav>
      <h2 id="compared">This practice and other practices</h2>
      <p class="quiet">{CHARTS_NOTE}</p>
      <RatesTable statistics={statistics} filter={filter} />
      <OverTimeSection statistics={statistics} filter={filter} />
      <h2 id="by-place">By place of birth</h2>
      <RatedGroups
        caption="Births, cesareans and preterm births by place of birth"
        filter={filter}
        by="place"
        heading="Place"
        groups={by.place}
        benchmark={benchmark.by.place}
        inWords={formatGroup}
      />
      <h2 id="by-attendant">By attendant</h2>
      <p class="quiet">
        Attendants are known only for records from partners. The role “Other” is excluded from the
        rates of other practices.
      </p>
      <RatedGroups
        caption="Births, cesareans and preterm births by attendant"
        filter={filter}
        by="attendantRole"
        heading="Attendant"
        groups={by.attendantRole}
        benchmark={benchmark.by.attendantRole}
        leftOut={['other', 'unknown']}
        inWords={formatAttendant}
      />
      <div class="cards margin-top-4">
        <CountGroups
          filter={filter}
          by="plurality"
          heading="Plurality"
          groups={by.plurality}
          inWords={formatGroup}
        />
        <CountGroups filter={filter} by="sex" heading="Sex" groups={by.sex} inWords={formatGroup} />
        <CountGroups
          filter={filter}
          by="source"
          heading="Source"
          groups={by.source}
          inWords={formatSource}
        />
      </div>
      <h2>What is excluded</h2>
      <p>
        {excluded.voided > 0 && (
          <>
            <a href="/registry/records?state=voided">
              {countInWords(excluded.voided, 'voided record')}
            </a>{' '}
            {excluded.voided === 1 ? 'is' : 'are'} excluded from all figures.{' '}
          </>
        )}
        Other practices: {uncapitalize(COUNTS.benchmark)} Possible duplicates count until one of
        them is voided. <a href="/docs/statistics">How we count each figure</a>
      </p>
      <p>
        <a
          class="usa-button usa-button--outline no-print"
          href={buildStatisticsPath('/registry/statistics/figures.csv', filter)}
          download
        >
          Download figures as CSV
        </a>
      </p>
    </div>
  );
};

const RatedGroups = ({
  caption,
  filter,
  by,
  heading,
  groups,
  benchmark,
  leftOut = ['unknown'],
  inWords,
}: {
  readonly caption: string;
  readonly filter: Filter;
  readonly by: GroupName;
  readonly heading: string;
  readonly groups: RatedCounts;
  readonly benchmark: Readonly<Record<string, BenchmarkRates>>;
  /** Groups without a benchmark. */
  readonly leftOut?: readonly string[];
  readonly inWords: (name: string) => string;
}) => {
  const buildRateColumn = (name: string, title: string) => [
    {
      heading: title,
      figures: true,
      cell: ([group, { rates }]: [string, RatedCounts[string]]) => {
        const rate = rates[name];
        if (rate === undefined) return '';
        return (
          <>
            {formatRate(rate)}
            <RateBase rate={rate} of={{ figure: name, group: `${by}:${group}` }} filter={filter} />
          </>
        );
      },
    },
    {
      heading: `${title}, others`,
      figures: true,
      cell: ([group]: [string, RatedCounts[string]]) => {
        if (leftOut.includes(group)) return '–';
        // A group that occurs in no practice counts as too few.
        return formatBenchmark(benchmark[group]?.[name]);
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
        {
          heading: 'Births',
          figures: true,
          cell: ([name, { births }]) => (
            <CountLink
              count={births}
              of={{ figure: 'births', group: `${by}:${name}` }}
              filter={filter}
            />
          ),
        },
        ...buildRateColumn('cesarean', 'Cesarean'),
        ...buildRateColumn('preterm', 'Preterm birth'),
      ]}
    />
  );
};

const CountGroups = ({
  filter,
  by,
  heading,
  groups,
  inWords,
}: {
  readonly filter: Filter;
  readonly by: GroupName;
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
      {
        heading: 'Births',
        figures: true,
        cell: ([name, { births }]) => (
          <CountLink
            count={births}
            of={{ figure: 'births', group: `${by}:${name}` }}
            filter={filter}
          />
        ),
      },
    ]}
  />
);
