import type { RecordLine } from '../../../projections/lists/records.ts';
import type { Column } from '../frame/data-table.tsx';
import { RecordLink } from '../frame/record-link.tsx';
import { Tag } from '../frame/tag.tsx';
import { dateInWords } from '../words/dates-in-words.ts';
import {
  bornWord,
  DELIVERED,
  type FetalDeaths,
  fetalDeathInWords,
  motherInWords,
} from './record-titles.ts';

/** A record as far as every table of records names it. */
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
  cell: (record) => <RecordLink id={record.submissionUuid}>{motherInWords(record)}</RecordLink>,
};

/** The day of a birth as a list shows it; a fetal death was delivered. */
export const BornOn = ({ record }: { readonly record: FetalDeaths & Pick<RecordLine, 'born'> }) => (
  <span class="text-no-wrap">
    {bornWord(record) === 'delivered' && `${DELIVERED} `}
    {record.born === null ? 'Not recorded' : dateInWords(record.born)}
  </span>
);

/** Names fetal deaths; nothing for a record without one. */
export const FetalDeathTag = ({ record }: { readonly record: FetalDeaths }) => {
  const text = fetalDeathInWords(record);
  return text === null ? null : (
    <>
      {' '}
      <Tag kind="fetal-death" text={text} />
    </>
  );
};

/** The status of a record, its fetal deaths, and whether it may be the same birth as another. */
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
