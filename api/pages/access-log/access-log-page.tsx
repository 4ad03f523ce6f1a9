import {
  type AccessEntry,
  type AccessedRecord,
  type AccessQuery,
  namesRecords,
} from '../../../projections/access-entries.ts';
import type { Audience } from '../audit/doer-words.ts';
import { type Column, DataTable } from '../frame/data-table.tsx';
import { EmptyState } from '../frame/empty-state.tsx';
import { Notice } from '../frame/flash-messages.tsx';
import { Pagination } from '../frame/pagination.tsx';
import { type Choice, SelectField } from '../frame/select-field.tsx';
import { Time } from '../frame/time.tsx';
import { countInWords } from '../words/measures-in-words.ts';
import { accessAddress } from './access-address.ts';
import { accessWords, KIND_CHOICES, whoWords } from './access-words.ts';

/** What an access log shows. */
export interface AccessLogPageProps {
  /** Address of the log, without its query. */
  readonly path: string;
  readonly audience: Audience;
  readonly query: AccessQuery;
  readonly entries: readonly AccessEntry[];
  readonly found: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
  readonly page: number;
  readonly pages: number;
  /** Who can be asked for. */
  readonly people: readonly Choice[];
  /** The record that the log is narrowed down to; null: none. */
  readonly record: AccessedRecord | null;
}

/** The records of an entry that are called by their chart numbers. */
export const namedIn = ({ place, records }: AccessEntry): readonly AccessedRecord[] =>
  namesRecords(place, records.length) ? records : [];

/** Who signed in, who saw which records, and what was taken away; the latest first. */
export const AccessLogPage = (props: AccessLogPageProps) => {
  const { path, query, entries, found, isMore, page, pages, record, audience } = props;
  return (
    <>
      <p class="maxw-tablet">
        {audience === 'practice'
          ? 'Who signed in, who saw which records, and what was downloaded. No patient’s name and nothing that was searched for is kept in it, and no page and no command changes it.'
          : 'Sign-ins of the service staff and tries of accounts that there are not, pre-fills looked at before signing in, and copies of the whole registry. What concerns a practice is in its own access log.'}
      </p>
      {record !== null && (
        <Notice kind="info">
          Only what concerns the record <RecordLink record={record} />.{' '}
          <a href={accessAddress(path, { ...query, record: null })}>Show all records</a>
        </Notice>
      )}
      <FilterForm {...props} />
      {found === 0 ? (
        <EmptyState>
          Nothing yet. What is done and seen appears here within a few seconds.
        </EmptyState>
      ) : (
        <>
          <p class="quiet" role="status">
            {isMore && 'More than '}
            {countInWords(found, 'entry', 'entries')}, the latest first
          </p>
          <DataTable
            caption="Access log"
            captionHidden
            rows={entries}
            keyOf={({ entryId }) => entryId}
            columns={columnsOf(props)}
          />
        </>
      )}
      <Pagination
        page={page}
        pages={pages}
        of="the access log"
        href={(other) => accessAddress(path, query, other)}
      />
    </>
  );
};

const columnsOf = ({
  path,
  audience,
  query,
}: AccessLogPageProps): readonly Column<AccessEntry>[] => [
  {
    heading: 'When',
    cell: ({ at }) => (
      <span class="text-no-wrap">
        <Time at={at} />
      </span>
    ),
  },
  {
    heading: 'Who',
    cell: (entry) => {
      const words = whoWords(entry, audience);
      const isOneOfTheirs = entry.by.kind === (audience === 'practice' ? 'member' : 'staff');
      return (
        <span class="access-log__who">
          {isOneOfTheirs && query.person === null ? (
            <a href={accessAddress(path, { ...query, person: entry.by.id })}>{words}</a>
          ) : (
            words
          )}
        </span>
      );
    },
  },
  { heading: 'What', cell: accessWords },
  ...(audience === 'practice'
    ? [{ heading: 'Records', cell: (entry: AccessEntry) => <Records entry={entry} /> }]
    : []),
];

const Records = ({ entry }: { readonly entry: AccessEntry }) => {
  const { records } = entry;
  const named = namedIn(entry);
  if (records.length === 0) return <>–</>;
  if (named.length > 0)
    return (
      <>
        {named.map((record, index) => (
          <span key={record.submissionUuid}>
            {index > 0 && ', '}
            <RecordLink record={record} />
          </span>
        ))}
      </>
    );
  return (
    <details>
      <summary>{countInWords(records.length, 'record')}</summary>
      <ul class="cluster cluster--close usa-list--unstyled margin-top-05 maxw-mobile">
        {records.map(({ submissionUuid }, index) => (
          <li key={submissionUuid}>
            <a href={`/registry/records/${submissionUuid}`}>
              <span class="usa-sr-only">Record </span>
              {index + 1}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
};

const RecordLink = ({ record }: { readonly record: AccessedRecord }) => (
  <a href={`/registry/records/${record.submissionUuid}`}>
    {record.chartNumber ?? 'without chart number'}
  </a>
);

const FilterForm = ({ path, query, people }: AccessLogPageProps) => (
  <form method="get" action={path} class="search cluster flex-align-end margin-bottom-205">
    {query.record !== null && <input type="hidden" name="record" value={query.record} />}
    {people.length > 0 && (
      <SelectField
        name="person"
        label="Who"
        choices={people}
        value={query.person ?? ''}
        empty="Everybody"
      />
    )}
    <SelectField
      name="kind"
      label="What"
      choices={KIND_CHOICES}
      value={query.kind ?? ''}
      empty="Everything"
    />
    <button type="submit" class="usa-button">
      Show
    </button>
  </form>
);
