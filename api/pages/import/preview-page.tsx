import type { CustomField } from '../../../domain/custom-field/state.ts';
import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { NamedColumn } from '../../../domain/mapping/csv/column-names.ts';
import type { DateOrder } from '../../../domain/mapping/form/date-order.ts';
import type {
  PreviewRow,
  RowStatus,
  SheetOfFile,
} from '../../../domain/submission/staged-import.ts';
import type { ImportPreview } from '../../import/preview-import.ts';
import { CheckboxField } from '../layout/checkbox-field.tsx';
import { ErrorSummary } from '../layout/error-summary.tsx';
import { type FieldError, findError } from '../layout/field-errors.ts';
import { Notice } from '../layout/flash-messages.tsx';
import { Form } from '../layout/form.tsx';
import { Pagination } from '../layout/pagination.tsx';
import { RadioGroup } from '../layout/radio-group.tsx';
import { Section } from '../layout/section.tsx';
import { Time } from '../layout/time.tsx';
import { GRANTED_OR_NOT } from '../parts/birth-form/form/form-layout.ts';
import { ColumnsForm } from './columns-form.tsx';
import { FileForm, IMPORT_PATH } from './file-form.tsx';
import { countImportable, countRows, formatCounts, STATUS_WORDS, STATUSES } from './import-text.ts';
import { type PreviewRowRecords, PreviewRows } from './preview-rows.tsx';

export const ALL_REJECTED_MESSAGE = 'Every row was rejected. Correct the file and check it again.';

/** Precedes records that would lose values to rows. */
export const CLEARS_VALUES = 'would clear values in';

export const IMPORTED_BEFORE = 'This file was imported on';

export const REPEAT_FIELD = 'again';

export interface PreviewPageProps {
  readonly preview: ImportPreview;
  readonly rows: readonly PreviewRow[];
  readonly records: PreviewRowRecords;
  /** Number of rows that remove values from records; `null` if the seat cannot read records. */
  readonly emptying: number | null;
  /** Number of rows that describe another birth than an earlier row with their chart number. */
  readonly unlike: number;
  /** `null` for all, those that need attention first. */
  readonly status: RowStatus | null;
  readonly page: number;
  readonly pages: number;
  /** Name of the person who imported the same file earlier; `null` if it is new. */
  readonly earlierBy: string | null;
  /** True if the seat may see that earlier import. */
  readonly isEarlierReadable: boolean;
  /** Name of the person who checked the file; `null` for the reader. */
  readonly checkedBy: string | null;
  readonly errors: readonly FieldError[];
  readonly fields: readonly NamedColumn[];
  readonly customFields: readonly CustomField[];
  /** Rejected choices for columns by letter; `null` if nothing was submitted. */
  readonly typedColumns: ReadonlyMap<string, string> | null;
  /** Current choices of the practice by letter; `null` if nothing was submitted. */
  readonly savedColumns: ReadonlyMap<string, string> | null;
}

export const PreviewPage = (props: PreviewPageProps) => {
  const { preview, checkedBy, errors } = props;
  const { summary, staged } = preview;
  const { counts } = summary;
  return (
    <>
      <ErrorSummary errors={errors} />
      <p class="font-sans-md maxw-none">
        <strong>{formatCounts(counts)}.</strong>
      </p>
      {counts.refused > 0 && (
        <p>
          {counts.refused === countRows(counts)
            ? ALL_REJECTED_MESSAGE
            : `${describeLeftOut(counts.refused)} Import the others now, or correct the file first.`}{' '}
          {checkedBy === null && (
            <a href={`${IMPORT_PATH}/${staged.importId}/refused.csv`}>Download the rejected rows</a>
          )}
        </p>
      )}
      {summary.dateOrder !== undefined && (
        <p class="quiet">{describeDateOrder(summary.dateOrder)}</p>
      )}
      <SheetRead sheet={summary.sheet} />
      {checkedBy === null && (
        <ColumnsForm
          importId={staged.importId}
          summary={summary}
          errors={errors}
          fields={props.fields}
          customFields={props.customFields}
          typed={props.typedColumns}
          saved={props.savedColumns}
        />
      )}
      {props.emptying !== null && props.emptying > 0 && (
        <Notice kind="warning">
          {countInWords(props.emptying, 'row')} {CLEARS_VALUES}{' '}
          {props.emptying === 1 ? 'a record' : 'records'}. An amendment replaces the whole record,
          so values missing from the file are removed. Each row lists its columns.
        </Notice>
      )}
      {props.unlike > 0 && (
        <Notice kind="warning">
          {props.unlike === 1 ? '1 row has' : `${numberInWords(props.unlike)} rows have`} the same
          chart number as an earlier row, but a different mother or date of birth. One record holds
          one birth, so the later row replaces the earlier one.
        </Notice>
      )}
      {checkedBy === null ? (
        <Decision {...props} />
      ) : (
        <Notice kind="info">
          {describeChecker(checkedBy)} Only they can import or discard it.
        </Notice>
      )}
      <Rows {...props} />
      {checkedBy === null && (
        <Section id="check-again" heading="Corrected the file?">
          <FileForm
            label="Corrected file"
            insteadOf={staged.importId}
            sheet={summary.sheet}
            isPrimary={countImportable(counts) === 0}
          />
        </Section>
      )}
    </>
  );
};

export const describeSheet = ({ name, names }: SheetOfFile): string =>
  names.length === 1
    ? `Read from the sheet “${name}”.`
    : `Read from the sheet “${name}”, one of ${numberInWords(names.length)}. To read another one, choose the file again below and pick the sheet.`;

const SheetRead = ({ sheet }: { readonly sheet: SheetOfFile | undefined }) =>
  sheet === undefined ? null : <p class="quiet">{describeSheet(sheet)}</p>;

export const describeDateOrder = (order: DateOrder): string =>
  order === 'month-first'
    ? 'Dates in numbers were read with the month first: 5/12/2026 is May 12.'
    : 'Dates in numbers were read with the day first: 5/12/2026 is December 5.';

export const describeLeftOut = (refused: number): string =>
  refused === 1
    ? 'The rejected row will not be imported.'
    : `The ${numberInWords(refused)} rejected rows will not be imported.`;

export const describeChecker = (by: string): string => `${by} checked this file.`;

const Decision = (props: PreviewPageProps) => {
  const { preview, earlierBy, errors } = props;
  const { importId } = preview.staged;
  const importable = countImportable(preview.summary.counts);
  return (
    <div class="import-decision cluster flex-align-end margin-y-205">
      {importable > 0 && (
        <Form action={`${IMPORT_PATH}/${importId}/confirm`}>
          {preview.summary.asksConsent === true && (
            <div class="margin-bottom-2">
              <RadioGroup
                name={CONSENT_FIELD}
                label="Consent for every row of this file"
                hint="The file has no consent column. If the answer differs from row to row, add the column."
                choices={GRANTED_OR_NOT}
                value={getAnswer(preview.summary.consent)}
                error={findError(errors, CONSENT_FIELD)}
                inline
              />
            </div>
          )}
          {earlierBy !== null && <Repeated {...props} />}
          {earlierBy !== null && (
            <CheckboxField
              name={REPEAT_FIELD}
              label="Import this file again"
              error={findError(errors, REPEAT_FIELD)}
            />
          )}
          <button type="submit" class="usa-button">
            Import {countInWords(importable, 'row')}
          </button>
        </Form>
      )}
      <Form action={`${IMPORT_PATH}/${importId}/drop`}>
        <button type="submit" class="usa-button usa-button--outline">
          Discard file
        </button>
      </Form>
      <p class="quiet margin-0 flex-align-self-center">
        This check expires <Time at={preview.expiresAt} />.
      </p>
    </div>
  );
};

export const CONSENT_FIELD = 'consent';

const getAnswer = (consent: boolean | undefined): string | undefined => {
  if (consent === undefined) return undefined;
  return consent ? 'yes' : 'no';
};

const Repeated = ({ preview, earlierBy, isEarlierReadable }: PreviewPageProps) => {
  const { earlier } = preview;
  return earlier === null ? null : (
    <Notice kind="warning">
      {IMPORTED_BEFORE} <Time at={earlier.at} /> by {earlierBy}
      {isEarlierReadable && (
        <>
          {' '}
          (<a href={`${IMPORT_PATH}/${earlier.importId}/progress`}>see that import</a>)
        </>
      )}
      . If you import it again, rows with a chart number amend their records, and rows without one
      are recorded a second time.
    </Notice>
  );
};

const Rows = ({ preview, rows, records, status, page, pages, checkedBy }: PreviewPageProps) => {
  const { counts } = preview.summary;
  const path = `${IMPORT_PATH}/${preview.staged.importId}`;
  const buildAddress = (target: RowStatus | null, at = 1) => {
    const query = new URLSearchParams({
      ...(target === null ? {} : { show: target }),
      ...(at === 1 ? {} : { page: String(at) }),
    }).toString();
    return `${path}${query === '' ? '' : `?${query}`}#rows`;
  };
  const getAriaCurrent = (target: RowStatus | null) =>
    target === status ? ('page' as const) : undefined;
  const present = STATUSES.filter((one) => counts[one] > 0);
  return (
    <Section id="rows" heading="Rows">
      {present.length > 1 && (
        <nav class="cluster cluster--close margin-bottom-2" aria-label="Rows shown">
          <a class="filter-link" href={buildAddress(null)} aria-current={getAriaCurrent(null)}>
            All {numberInWords(countRows(counts))}
          </a>
          {present.map((one) => (
            <a
              key={one}
              class="filter-link"
              href={buildAddress(one)}
              aria-current={getAriaCurrent(one)}
            >
              {STATUS_WORDS[one]} {numberInWords(counts[one])}
            </a>
          ))}
        </nav>
      )}
      <PreviewRows rows={rows} records={records} path={checkedBy === null ? path : null} />
      <Pagination page={page} pages={pages} of="rows" href={(at) => buildAddress(status, at)} />
    </Section>
  );
};
