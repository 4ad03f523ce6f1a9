import type { RecordLine } from '../../../projections/lists/records.ts';
import { formatDate } from '../text/format-dates.ts';
import {
  DELIVERED,
  type FetalDeaths,
  formatFetalDeath,
  formatMother,
  getBornText,
} from '../text/record-titles.ts';
import type { Column } from './data-table.tsx';
import { RecordLink } from './record-link.tsx';
import { Tag } from './tag.tsx';

export type ListedRecord = Pick<
  RecordLine,
  | 'submissionUuid'
  | 'motherName'
  | 'keyKind'
  | 'children'
  | 'fetalDeaths'
  | 'status'
  | 'isSuspectedDuplicate'
>;

export const RECORD_ROWS = {
  keyOf: ({ submissionUuid }: ListedRecord): string => submissionUuid,
  rowClass: ({ status }: ListedRecord): string | undefined =>
    status === 'voided' ? 'is-voided' : undefined,
} as const;

export const MOTHER_COLUMN: Column<ListedRecord> = {
  heading: 'Mother',
  namesRow: true,
  cell: (record) => <RecordLink id={record.submissionUuid}>{formatMother(record)}</RecordLink>,
};

/** Date of birth in a list; a fetal death is "delivered". */
export const BornOn = ({ record }: { readonly record: FetalDeaths & Pick<RecordLine, 'born'> }) => (
  <span class="text-no-wrap">
    {getBornText(record) === 'delivered' && `${DELIVERED} `}
    {record.born === null ? 'Not recorded' : formatDate(record.born)}
  </span>
);

/** Tag for fetal deaths; empty if there are none. */
export const FetalDeathTag = ({ record }: { readonly record: FetalDeaths }) => {
  const text = formatFetalDeath(record);
  return text === null ? null : (
    <>
      {' '}
      <Tag kind="fetal-death" text={text} />
    </>
  );
};

export const RecordTags = ({ status, isSuspectedDuplicate, ...record }: ListedRecord) => (
  <>
    <Tag kind={status} />
    <FetalDeathTag record={record} />
    {isSuspectedDuplicate && status === 'live' && (
      <>
        {' '}
        <Tag kind="suspected-duplicate" />
      </>
    )}
  </>
);
