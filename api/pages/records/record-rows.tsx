import type { RecordLine } from '../../../projections/record-listing.ts';
import type { Column } from '../frame/data-table.tsx';
import { Tag } from '../frame/tag.tsx';
import { motherInWords } from './record-titles.ts';

/** A record as far as every table of records names it. */
export type ListedRecord = Pick<
  RecordLine,
  'submissionUuid' | 'motherName' | 'keyKind' | 'status' | 'isSuspectedDuplicate'
>;

/** The rows of a table of records. */
export const RECORD_ROWS = {
  keyOf: ({ submissionUuid }: ListedRecord): string => submissionUuid,
  rowClass: ({ status }: ListedRecord): string | undefined =>
    status === 'voided' ? 'is-voided' : undefined,
} as const;

/** Names a record by its mother, and leads to it. */
export const MOTHER_COLUMN: Column<ListedRecord> = {
  heading: 'Mother',
  namesRow: true,
  cell: (record) => (
    <a href={`/registry/records/${record.submissionUuid}`}>{motherInWords(record)}</a>
  ),
};

/** The state of a record, and whether it is suspected to be the same birth as another. */
export const RecordTags = ({ status, isSuspectedDuplicate }: ListedRecord) => (
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
