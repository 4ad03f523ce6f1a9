import { countInWords } from '../../../domain/format-measures.ts';
import type { PracticeEvent } from '../../../domain/practice/events.ts';
import {
  type AccessEntry,
  type AccessedRecord,
  canShowChartNumbers,
} from '../../../projections/lists/access.ts';
import { findPurpose, isByBreakGlass, UNUSUAL_WORDS } from '../../access-log/purpose.ts';
import { type Column, DataTable } from '../layout/data-table.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { Tag } from '../layout/tag.tsx';
import { Time } from '../layout/time.tsx';
import type { Audience } from '../text/actor-name.ts';
import type { AccessFilter } from './access-path.ts';
import { buildAccessPath } from './access-path.ts';
import { formatAccess, formatSubject } from './access-text.ts';

/** Tag of an Admin admitted by the service staff. */
export const EMERGENCY_ACCESS = 'Emergency access';

/** Records of an entry that are shown with chart numbers. */
export const listNamedRecords = ({ place, records }: AccessEntry): readonly AccessedRecord[] =>
  canShowChartNumbers(place, records.length) ? records : [];

export interface AccessTableProps {
  readonly path: string;
  readonly audience: Audience;
  readonly filter: AccessFilter;
  readonly entries: readonly AccessEntry[];
  /** Latest time that the staff admitted an Admin to the practice. */
  readonly lastBreakGlass: PracticeEvent<'BreakGlassUsed'>['data'] | null;
  /** `purpose` if all entries are about one record. */
  readonly lastColumn: 'records' | 'purpose' | null;
}

export const AccessTable = (props: AccessTableProps) => (
  <DataTable
    caption="Access log"
    captionHidden
    rows={props.entries}
    keyOf={({ entryId }) => entryId}
    columns={buildColumns(props)}
  />
);

const buildColumns = ({
  path,
  audience,
  filter,
  lastBreakGlass,
  lastColumn,
}: AccessTableProps): readonly Column<AccessEntry>[] => [
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
      const words = formatSubject(entry, audience);
      const isOneOfTheirs = entry.by.kind === (audience === 'practice' ? 'member' : 'staff');
      return (
        <>
          {isOneOfTheirs && filter.person === null ? (
            <a href={buildAccessPath(path, { ...filter, person: entry.by.id })}>{words}</a>
          ) : (
            words
          )}
          {isByBreakGlass(entry, lastBreakGlass) && (
            <>
              {' '}
              <Tag kind="warning" text={EMERGENCY_ACCESS} />
            </>
          )}
        </>
      );
    },
  },
  {
    heading: 'What',
    cell: (entry) => (
      <>
        {formatAccess(entry)}
        {entry.unusual.map((mark) => (
          <span key={mark}>
            {' '}
            <Tag kind="warning" text={UNUSUAL_WORDS[mark]} />
          </span>
        ))}
      </>
    ),
  },
  ...(lastColumn === 'records'
    ? [{ heading: 'Records', cell: (entry: AccessEntry) => <Records entry={entry} /> }]
    : []),
  ...(lastColumn === 'purpose'
    ? [{ heading: 'Purpose', cell: (entry: AccessEntry) => findPurpose(entry) ?? 'Not known' }]
    : []),
];

const Records = ({ entry }: { readonly entry: AccessEntry }) => {
  const { records } = entry;
  const named = listNamedRecords(entry);
  if (records.length === 0) return <>–</>;
  if (named.length > 0)
    return (
      <>
        {named.map((record, index) => (
          <span key={record.submissionUuid}>
            {index > 0 && ', '}
            <RecordLink id={record.submissionUuid}>
              {record.chartNumber ?? 'no chart number'}
            </RecordLink>
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
            <RecordLink id={submissionUuid}>
              <span class="usa-sr-only">Record </span>
              {index + 1}
            </RecordLink>
          </li>
        ))}
      </ul>
    </details>
  );
};
