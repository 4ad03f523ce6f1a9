import type { IdentityField } from '../../../domain/birth-record/birth-identity.ts';
import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { RowMessage } from '../../../domain/mapping/csv/row.ts';
import type { PreviewRow } from '../../../domain/submission/staged-import.ts';
import type { NamedRecord } from '../../../projections/lists/records.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Form } from '../layout/form.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { Tag } from '../layout/tag.tsx';
import { formatBirthOn } from '../text/record-titles.ts';
import { capitalize } from '../text/text-case.ts';
import { ColumnName } from './column-name.tsx';
import { STATUS_WORDS } from './import-text.ts';

export const AMENDS_MESSAGE = 'Changes the record with this chart number.';

/** Records that rows refer to; `null` if the seat cannot read records. */
export type PreviewRowRecords = {
  readonly byUuid: ReadonlyMap<string, NamedRecord>;
  readonly byChartNumber: ReadonlyMap<string, NamedRecord>;
} | null;

interface PreviewRowsProps {
  readonly rows: readonly PreviewRow[];
  readonly records: PreviewRowRecords;
  /** Path of the pages that resolve single rows; `null` if someone else checked the file. */
  readonly path: string | null;
}

export const PreviewRows = ({ rows, records, path }: PreviewRowsProps) => (
  <DataTable
    caption="Rows of the file and their results"
    captionHidden
    rows={rows}
    keyOf={({ row }) => String(row)}
    columns={[
      { heading: 'Row', namesRow: true, cell: ({ row }) => row },
      { heading: 'Chart number', cell: ({ chartNumber }) => chartNumber ?? <Unstated /> },
      { heading: 'Mother', cell: ({ mother }) => mother ?? <Unstated /> },
      { heading: 'Result', cell: (row) => <RowEffect {...{ row, records, path }} /> },
    ]}
  />
);

const Unstated = () => <span class="quiet">Not recorded</span>;

/** "the record of Ana Ruiz, birth on May 12, 2026, chart number MRN-1". */
const formatMatchedRecord = ({ chartNumber, motherName, born }: NamedRecord): string =>
  [
    motherName === null ? 'a record without the mother’s name' : `the record of ${motherName}`,
    ...(born === null ? [] : [formatBirthOn(born)]),
    ...(chartNumber === null ? [] : [`chart number ${chartNumber}`]),
  ].join(', ');

interface PreviewRowProps {
  readonly row: PreviewRow;
  readonly records: PreviewRowRecords;
  readonly path: string | null;
}

const RowEffect = ({ row, records, path }: PreviewRowProps) => (
  <div class="import-row">
    {row.status === 'refused' ? (
      <span class="tag tag--refused">{STATUS_WORDS.refused}</span>
    ) : (
      <Tag
        kind={row.status === 'flagged' ? 'suspected-duplicate' : 'plain'}
        text={STATUS_WORDS[row.status]}
      />
    )}
    {row.looksLike !== null && <PossibleDuplicate {...{ row, records }} />}
    {row.version !== null && <Amends {...{ row, records }} />}
    <Messages messages={listOtherMessages(row)} values={row.values} kind="notice" />
    {records !== null && row.empties.length > 0 && <ClearedValues columns={row.empties} />}
    <Messages messages={row.errors} values={row.values} kind="error" />
    {path !== null && row.anothers?.row === null && (
      <OtherMothersRecord {...{ row, records, path }} />
    )}
    <Messages messages={row.notices} values={row.values} kind="notice" />
  </div>
);

const OtherMothersRecord = ({
  row: { row, anothers: belongsToOther },
  records,
  path,
}: PreviewRowProps & { readonly path: string }) => {
  if (records !== null)
    return (
      <p>
        {belongsToOther?.isConfirmed === true &&
          'You confirmed that this row replaces another woman’s record. '}
        <a href={`${path}/rows/${row}`}>Compare row {row} with the record</a>
      </p>
    );
  return (
    <Form action={`${path}/rows/${row}/hand-over`}>
      <button type="submit" class="usa-button usa-button--outline">
        Send to a Provider for review<span class="usa-sr-only">: row {row}</span>
      </button>
    </Form>
  );
};

type RowAndRecords = Pick<PreviewRowProps, 'row' | 'records'>;

const PossibleDuplicate = ({ row: { looksLike, othersAlike }, records }: RowAndRecords) => {
  if (looksLike === null) return null;
  if ('row' in looksLike)
    return (
      <p>
        {describeLookAlikeRow(looksLike.row, othersAlike)}{' '}
        {othersAlike === undefined ? 'Both' : 'All'} will be recorded, and this one flagged for
        review.
      </p>
    );
  const { submissionUuid } = looksLike;
  const record = records?.byUuid.get(submissionUuid);
  return (
    <p>
      Same mother and time of birth as{' '}
      {records === null ? (
        'a record of your practice'
      ) : (
        <RecordLink id={submissionUuid}>
          {record === undefined ? 'another record' : formatMatchedRecord(record)}
        </RecordLink>
      )}
      {describeOthersAlike(othersAlike)}. It will be recorded and flagged for review.
    </p>
  );
};

const listOtherMessages = ({ amendsRow, unlike = [] }: PreviewRow): readonly RowMessage[] => {
  if (amendsRow === null || unlike.length === 0) return [];
  const other = unlike.map((one) => UNLIKE_WORDS[one]).join(' and ');
  const message = `Row ${amendsRow} has the same chart number but ${other}. One record holds one birth, so this row replaces that one. Check both chart numbers.`;
  return [{ column: null, id: 'chart-number-of-another-row', message }];
};

const UNLIKE_WORDS: Readonly<Record<IdentityField, string>> = {
  mother: 'a different mother',
  birthDate: 'a different date of birth',
};

export const describeLookAlikeRow = (row: number, others?: number): string =>
  `Same mother and time of birth as row ${row}${describeOthersAlike(others)}.`;

const describeOthersAlike = (others: number | undefined): string =>
  others === undefined ? '' : ` and ${countInWords(others, 'other')} like it`;

export const BECOMES_VERSION = 'becomes version';

const Amends = ({ row: { chartNumber, amendsRow, version }, records }: RowAndRecords) => {
  if (amendsRow !== null) return <p>Changes what row {amendsRow} records.</p>;
  if (records === null) return <p>{AMENDS_MESSAGE}</p>;
  const record = chartNumber === null ? undefined : records.byChartNumber.get(chartNumber);
  return (
    <p>
      {record === undefined ? (
        'The record with this chart number'
      ) : (
        <RecordLink id={record.submissionUuid}>
          {capitalize(formatMatchedRecord(record))}
        </RecordLink>
      )}{' '}
      {BECOMES_VERSION} {version}.
    </p>
  );
};

export const CLEARS = 'Clears:';

/** Maximum number of columns listed; the rest unfold. */
const NAMED_IN_SIGHT = 4;

const ClearedValues = ({ columns }: { readonly columns: readonly string[] }) => {
  const [inSight, others] = [columns.slice(0, NAMED_IN_SIGHT), columns.slice(NAMED_IN_SIGHT)];
  return (
    <>
      <p>
        {CLEARS} <Names names={inSight} />
      </p>
      {others.length > 0 && (
        <details>
          <summary>and {numberInWords(others.length)} more</summary>
          <p>
            <Names names={others} />
          </p>
        </details>
      )}
    </>
  );
};

const Names = ({ names }: { readonly names: readonly string[] }) => (
  <>
    {names.map((name, index) => (
      <>
        {index > 0 && ', '}
        <ColumnName key={name} name={name} />
      </>
    ))}
  </>
);

/** Value from the file, shown before its errors. */
export const formatRowValue = (value: string): string => (value === '' ? '(empty)' : `“${value}”`);

const Messages = ({
  messages,
  values,
  kind,
}: {
  readonly messages: readonly RowMessage[];
  readonly values: PreviewRow['values'];
  readonly kind: 'error' | 'notice';
}) =>
  messages.length === 0 ? null : (
    <ul class={kind === 'notice' ? 'usa-list margin-y-05 quiet' : 'usa-list margin-y-05'}>
      {messages.map(({ column, message }, index) => {
        const value = column === null ? '' : (values[column] ?? '');
        return (
          <li key={`${index}`}>
            {column !== null && (
              <>
                <ColumnName name={column} />
                {` ${formatRowValue(value)}: `}
              </>
            )}
            {message}
          </li>
        );
      })}
    </ul>
  );
