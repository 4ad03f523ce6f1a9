import { DataTable } from '../frame/data-table.tsx';
import { EmptyState } from '../frame/empty-state.tsx';
import type { Place } from '../frame/places.ts';
import { sourceWords } from '../frame/source-words.ts';
import { Tag } from '../frame/tag.tsx';
import { Time } from '../frame/time.tsx';
import type { Attention, RecordLine, SubmissionLine } from './activity.ts';

/** What the first page of a practice shows. */
export interface PracticeHomeParts {
  readonly attention: Attention;
  readonly submissions: readonly SubmissionLine[];
  readonly records: readonly RecordLine[];
  /** The places that the seat may open. */
  readonly places: readonly Place[];
}

/** What needs attention, then the latest activity. */
export const PracticeHome = (parts: PracticeHomeParts) =>
  parts.submissions.length === 0 && parts.records.length === 0 ? (
    <NothingYet places={parts.places} />
  ) : (
    <>
      <NeedsAttention {...parts} />
      <LatestRecords {...parts} />
      <LatestSubmissions {...parts} />
    </>
  );

const NothingYet = ({ places }: Pick<PracticeHomeParts, 'places'>) => {
  const ways = [
    { href: '/registry/records/new', text: 'Enter one' },
    { href: '/registry/import', text: 'import a CSV' },
    { href: '/registry/integrations', text: 'connect your EHR' },
  ].filter(({ href }) => places.some((place) => place.href === href));
  if (ways.length === 0)
    return <EmptyState>No births yet. They appear here once your practice enters one.</EmptyState>;
  return (
    <EmptyState>
      No births yet.{' '}
      {ways.map(({ href, text }, index) => (
        <span key={href}>
          {index > 0 && (index === ways.length - 1 ? ', or ' : ', ')}
          <a href={href}>{text}</a>
        </span>
      ))}
      .
    </EmptyState>
  );
};

const NeedsAttention = ({ attention, places }: PracticeHomeParts) => {
  const { suspectedDuplicates, failedSubmissions, refusedRecords } = attention;
  const lines = [
    {
      count: suspectedDuplicates,
      text: suspectedDuplicates === 1 ? 'suspected duplicate' : 'suspected duplicates',
      href: '/registry/duplicates',
    },
    {
      count: refusedRecords,
      text: `${refusedRecords === 1 ? 'record' : 'records'} refused in the last 7 days`,
      href: '/registry/integrations',
    },
    {
      count: failedSubmissions,
      text: `${failedSubmissions === 1 ? 'submission' : 'submissions'} failed in the last 7 days`,
      href: '/registry/integrations',
    },
  ].filter(({ count }) => count > 0);
  const mayOpen = (href: string) => places.some((place) => place.href === href);
  return (
    <section aria-labelledby="needs-attention">
      <h2 id="needs-attention">Needs attention</h2>
      {lines.length === 0 ? (
        <p>Nothing right now.</p>
      ) : (
        <ul class="attention">
          {lines.map(({ count, text, href }) => (
            <li key={text}>
              <span class="attention__count">{count}</span>{' '}
              {mayOpen(href) ? <a href={href}>{text}</a> : text}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

const LatestRecords = ({ records }: PracticeHomeParts) => (
  <section aria-labelledby="latest-records">
    <h2 id="latest-records">Latest records</h2>
    <DataTable
      caption="Records that were entered or changed last"
      captionHidden
      rows={records}
      keyOf={({ submissionUuid }) => submissionUuid}
      rowClass={({ status }) => (status === 'voided' ? 'is-voided' : undefined)}
      columns={[
        {
          heading: 'Mother',
          namesRow: true,
          cell: ({ submissionUuid, motherName }) => (
            <a href={`/registry/records/${submissionUuid}`}>{motherName ?? 'Name not stated'}</a>
          ),
        },
        { heading: 'Chart number', cell: ({ chartNumber }) => chartNumber ?? 'None' },
        { heading: 'State', cell: (record) => <RecordTags {...record} /> },
        { heading: 'How it came', cell: ({ source }) => sourceWords(source) },
        { heading: 'Changed', cell: ({ changedAt }) => <Time at={changedAt} />, figures: true },
      ]}
    />
  </section>
);

const RecordTags = ({ status, isSuspectedDuplicate }: RecordLine) => (
  <>
    <Tag kind={status} />
    {isSuspectedDuplicate && status === 'live' && (
      <>
        {' '}
        <Tag kind="suspected-duplicate" />
      </>
    )}
  </>
);

const LatestSubmissions = ({ submissions }: PracticeHomeParts) =>
  submissions.length === 0 ? null : (
    <section aria-labelledby="latest-submissions">
      <h2 id="latest-submissions">Latest submissions</h2>
      <DataTable
        caption="What was sent to the registry last"
        captionHidden
        rows={submissions}
        keyOf={({ ingestionId }) => ingestionId}
        columns={[
          { heading: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
          { heading: 'How it came', cell: ({ source, sentBy }) => sourceWords(source, sentBy) },
          { heading: 'State', cell: ({ status }) => STATES[status] },
          { heading: 'Records', cell: ({ records }) => records, figures: true },
          { heading: 'Accepted', cell: ({ accepted }) => accepted ?? '–', figures: true },
          { heading: 'Refused', cell: ({ rejected }) => rejected ?? '–', figures: true },
        ]}
      />
    </section>
  );

const STATES: Readonly<Record<SubmissionLine['status'], string>> = {
  queued: 'Waiting',
  processing: 'Being read',
  completed: 'Done',
  failed: 'Failed',
};
