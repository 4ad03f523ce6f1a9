import { countInWords } from '../../../../domain/format-measures.ts';
import type { RecordLine } from '../../../../projections/lists/records.ts';
import {
  findMatchReasons,
  type MatchReason,
  parseSearch,
} from '../../../../projections/lists/records.ts';
import { CheckboxField } from '../../layout/checkbox-field.tsx';
import { type Column, DataTable } from '../../layout/data-table.tsx';
import { EmptyState } from '../../layout/empty-state.tsx';
import { Form } from '../../layout/form.tsx';
import { NoRecordsYet } from '../../layout/no-records-yet.tsx';
import { Pagination } from '../../layout/pagination.tsx';
import { BornOn, MOTHER_COLUMN, RECORD_ROWS, RecordTags } from '../../layout/record-rows.tsx';
import { SearchExpired } from '../../layout/search-expired.tsx';
import { SelectField } from '../../layout/select-field.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { Time } from '../../layout/time.tsx';
import { CHOICE_COLUMN, ExportForm } from '../../parts/export-choice.tsx';
import {
  buildRecordsPath,
  hasFilters,
  isFiltered,
  type RecordQuery,
  SOURCE_CHOICES,
  STATUS_CHOICES,
} from '../../parts/record-query.ts';
import { formatSource } from '../../text/source-text.ts';
import { capitalize } from '../../text/text-case.ts';

export interface RecordsPageProps {
  readonly query: RecordQuery;
  /** True if the address contains a search of another session. */
  readonly isSearchExpired: boolean;
  readonly records: readonly RecordLine[];
  readonly found: number;
  /** True if there are more than `found`. */
  readonly isMore: boolean;
  readonly pages: number;
  readonly mayEnter: boolean;
}

export const NO_RECORDS = 'No records yet. Enter a birth, import a CSV, or connect your EHR.';

export const NO_MATCHES = 'No matches. Choose other filters.';

export const describeNoMatch = (query: RecordQuery): string =>
  query.q === ''
    ? NO_MATCHES
    : `No matches. Try fewer letters${hasFilters(query) ? ', or fewer filters' : ''}.`;

/** @param isSearch true if the list is narrowed */
export const describeFound = (found: number, isMore: boolean, isSearch: boolean): string =>
  `${isMore ? 'More than ' : ''}${countInWords(found, 'record')}${isSearch ? ' found' : ''}, most recently changed first`;

/** Most recently changed first. */
export const RecordsPage = (props: RecordsPageProps) => {
  const { query, isSearchExpired, found, isMore, pages, mayEnter } = props;
  if (found === 0 && !isFiltered(query))
    return (
      <NoRecordsYet mayEnter={mayEnter} invitation={NO_RECORDS}>
        No records yet. They appear here once your practice enters one.
      </NoRecordsYet>
    );
  return (
    <>
      {isSearchExpired && <SearchExpired />}
      <SearchForm query={query} />
      {found === 0 ? (
        <EmptyState links={[{ href: '/registry/records', text: 'Show all records' }]}>
          {describeNoMatch(query)}
        </EmptyState>
      ) : (
        <ExportForm query={query} found={found} isMore={isMore} mayExport={mayEnter}>
          <Matches {...props} />
        </ExportForm>
      )}
      <Pagination
        page={query.page}
        pages={pages}
        of="Records"
        href={(page) => buildRecordsPath(query, page)}
      />
    </>
  );
};

const SearchForm = ({ query }: { readonly query: RecordQuery }) => (
  <Form action="/registry/records" class="search cluster flex-align-end margin-bottom-205">
    <TextField
      name="q"
      type="search"
      label="Name, date of birth, chart number or record number"
      hint="The beginning of a name, a date such as 5/12/2026, or the start or end of a chart number"
      value={query.q}
    />
    <SelectField
      name="state"
      label="Status"
      choices={STATUS_CHOICES}
      value={query.state}
      empty="Active and voided"
    />
    <SelectField
      name="came"
      label="Source"
      choices={SOURCE_CHOICES}
      value={query.came}
      empty="All sources"
    />
    <CheckboxField
      name="duplicates"
      value="1"
      label="Possible duplicates only"
      checked={query.onlyDuplicates}
    />
    <CheckboxField
      name="unexported"
      value="1"
      label="Changed since the last export"
      checked={query.onlyUnexported}
    />
    <button type="submit" class="usa-button">
      Find records
    </button>
  </Form>
);

const Matches = ({ query, records, found, isMore, mayEnter }: RecordsPageProps) => {
  const search = parseSearch(query.q);
  const matched: readonly Column<RecordLine>[] =
    query.q === ''
      ? []
      : [
          {
            heading: 'Found by',
            cell: (record) =>
              capitalize(findMatchReasons(search, record).map(formatReason).join('; ')),
          },
        ];
  return (
    <div class="record-list">
      <p class="quiet" role="status">
        {describeFound(found, isMore, isFiltered(query))}
      </p>
      <DataTable
        caption="Records"
        captionHidden
        rows={records}
        {...RECORD_ROWS}
        columns={[
          ...(mayEnter ? [CHOICE_COLUMN] : []),
          MOTHER_COLUMN,
          { heading: 'Children', cell: formatChildren },
          { heading: 'Born', cell: (record) => <BornOn record={record} /> },
          {
            heading: 'Chart number',
            cell: ({ chartNumber }) => <ChartNumber chartNumber={chartNumber} />,
          },
          ...matched,
          { heading: 'Status', cell: (record) => <RecordTags {...record} /> },
          {
            heading: 'Last change',
            cell: ({ changedAt, source }) => (
              <>
                <Time at={changedAt} />
                <span class="record-list__source quiet display-block">{formatSource(source)}</span>
              </>
            ),
          },
        ]}
      />
    </div>
  );
};

/** Chart numbers up to this length stay on one line, for reading and copying. */
const USUAL_CHART_NUMBER = 20;

const ChartNumber = ({ chartNumber }: Pick<RecordLine, 'chartNumber'>) => {
  if (chartNumber === null) return <>None</>;
  return (
    <span class={chartNumber.length > USUAL_CHART_NUMBER ? undefined : 'record-list__chart'}>
      {chartNumber}
    </span>
  );
};

const formatChildren = ({ children, childNames }: RecordLine): string =>
  childNames ?? countInWords(children, 'child', 'children');

const formatReason = (reason: MatchReason): string => {
  switch (reason.kind) {
    case 'mother':
      return 'mother’s name';
    case 'child':
      return 'child’s name';
    case 'other-name':
      return 'surname at birth';
    case 'born':
      return 'date of birth';
    case 'mother-or-child-born':
      return 'date of birth of the mother or another child';
    case 'record-number':
      return 'record number';
    case 'chart-starts':
      return `chart number starts with ${reason.text}`;
    case 'chart-ends':
      return `chart number ends with ${reason.text}`;
  }
};
