import { countInWords } from '../../../domain/format-measures.ts';
import type { AccessedRecord } from '../../../projections/lists/access.ts';
import type { AccessSummary } from '../../access-log/access-summary.ts';
import { type Column, DataTable } from '../layout/data-table.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { Time } from '../layout/time.tsx';
import { type AccessLogPageProps, FilteredAccess, UnusualAccessRules } from './access-log-page.tsx';
import { ACTION_WORDS, formatSubject } from './access-text.ts';

export interface RecordAccessPageProps extends AccessLogPageProps {
  readonly record: AccessedRecord;
  readonly summary: readonly AccessSummary[];
  /** `null` if the record was never exported. */
  readonly lastExport: { readonly version: number; readonly at: Date } | null;
  readonly version: number;
}

export const RecordAccessPage = (props: RecordAccessPageProps) => {
  const { record, summary, lastExport, version } = props;
  return (
    <>
      <p class="maxw-tablet">
        Everyone who viewed, printed, exported or pre-filled{' '}
        <RecordLink id={record.submissionUuid}>
          {record.chartNumber === null
            ? 'the record with no chart number'
            : `the record ${record.chartNumber}`}
        </RecordLink>
        , and every API key that received its result. The registry cannot know about a photo of the
        screen, or about printing with the browser’s own command when scripts are off.
      </p>
      <p class="maxw-tablet" data-message="last-export">
        <strong>Exported:</strong>{' '}
        {lastExport === null ? (
          'never'
        ) : (
          <>
            last on <Time at={lastExport.at} />, as version {lastExport.version}.
            {version > lastExport.version && ' The record has changed since.'}
          </>
        )}
      </p>
      {summary.length > 0 && (
        <DataTable
          caption="Summary"
          rows={summary}
          keyOf={({ by }) => `${by.kind}:${by.id}`}
          columns={SUMMARY}
        />
      )}
      <h2>Every access</h2>
      <UnusualAccessRules />
      <FilteredAccess {...props} />
    </>
  );
};

const SUMMARY: readonly Column<AccessSummary>[] = [
  {
    heading: 'Who',
    namesRow: true,
    cell: (one) => formatSubject(one, 'practice'),
  },
  {
    heading: 'How',
    cell: ({ ways }) =>
      ways
        .map(({ way, times }) => `${ACTION_WORDS[way]} ${countInWords(times, 'time')}`)
        .join(', '),
  },
  { heading: 'First', cell: ({ first }) => <Moment at={first} /> },
  { heading: 'Last', cell: ({ last }) => <Moment at={last} /> },
];

const Moment = ({ at }: { readonly at: Date }) => (
  <span class="text-no-wrap">
    <Time at={at} />
  </span>
);
