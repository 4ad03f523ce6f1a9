import type { CustomField } from '../../../domain/custom-field/state.ts';
import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import {
  findColumn,
  type NamedColumn,
  normalizeHeader,
} from '../../../domain/mapping/csv/column-names.ts';
import type { ChosenColumn, UnknownColumn } from '../../../domain/mapping/csv/header.ts';
import type { ImportSummary } from '../../../domain/submission/staged-import.ts';
import { type FieldError, findError } from '../layout/field-errors.ts';
import { buildInputAttributes, FieldGroup, type FieldProps } from '../layout/field-group.tsx';
import { Form } from '../layout/form.tsx';
import { hashValues } from '../layout/opened-values.ts';
import { buildFullLabel, parseValuePlace } from '../text/field-labels.ts';
import { IMPORT_PATH } from './file-form.tsx';

export const LEAVE_OUT = 'leave-out';

export const getColumnField = (letter: string): string => `column_${letter}`;

export const READ_COLUMNS = 'Use these columns';

export const describeUnknownColumns = (count: number): string =>
  count === 1
    ? 'One column wasn’t recognized and will be left out.'
    : `${numberInWords(count)} columns weren’t recognized and will be left out.`;

/** @param path of its heading; `undefined` if unmapped */
export const toColumnValue = (path: string | null | undefined): string =>
  path === null ? LEAVE_OUT : (path ?? '');

export const toFields = (values: ReadonlyMap<string, string>): Readonly<Record<string, string>> =>
  Object.fromEntries([...values].map(([letter, value]) => [getColumnField(letter), value]));

export const describeSavedColumn = (
  header: string,
  value: string,
  customFields: readonly CustomField[],
): string => {
  if (value === '') return `“${header}” is no longer matched with a field.`;
  if (value === LEAVE_OUT) return `“${header}” is now left out.`;
  const field = findColumn(value, customFields);
  return `“${header}” is now read as “${field === null ? value : formatField(field, customFields)}”.`;
};

export const describeChosenColumns = (count: number): string =>
  `${countInWords(count, 'column')} ${count === 1 ? 'is' : 'are'} read the way your practice chose.`;

export const describeSameField = (letter: string, otherLetter: string, field: string): string =>
  `Columns ${otherLetter} and ${letter} would both fill “${field}”. Choose another field for one of them, or leave it out.`;

export interface HeadedColumn {
  readonly letter: string;
  readonly header: string;
  /** Absent if unmapped. */
  readonly path?: string | null;
  readonly suggestions: readonly string[];
  readonly takenBy?: string | undefined;
}

/** Columns with distinct headings, in file order. */
export const listHeadedColumns = ({
  unknownColumns,
  chosenColumns = [],
}: ImportSummary): readonly HeadedColumn[] => {
  const all: readonly (UnknownColumn | ChosenColumn)[] = [...unknownColumns, ...chosenColumns];
  const seen = new Set<string>();
  return all
    .map((column) => ({ suggestions: [], ...column }))
    .sort((a, b) => a.letter.length - b.letter.length || (a.letter < b.letter ? -1 : 1))
    .filter(({ header }) => {
      const heading = normalizeHeader(header);
      const isFirst = heading !== '' && !seen.has(heading);
      seen.add(heading);
      return isFirst;
    })
    .slice(0, MAX_SELECTS);
};

/** Files with more unknown columns must be fixed in the file. */
const MAX_SELECTS = 100;

export const formatField = (
  { name, path }: NamedColumn,
  customFields: readonly CustomField[],
): string => {
  const own = customFields.find(({ fieldId }) => path === `custom.${fieldId}`);
  const place = parseValuePlace(path);
  if (own !== undefined) return own.label;
  return place === null ? name : buildFullLabel(place, CHILDREN_TOLD_APART);
};

const CHILDREN_TOLD_APART = 2;

export interface ColumnsFormProps {
  readonly importId: string;
  readonly summary: ImportSummary;
  readonly errors: readonly FieldError[];
  /** Fields that no column maps to by name. */
  readonly fields: readonly NamedColumn[];
  readonly customFields: readonly CustomField[];
  /** Rejected choices by letter; `null` if nothing was submitted. */
  readonly typed: ReadonlyMap<string, string> | null;
  /** Current choices of the practice by letter; `null` for those that the file was read with. */
  readonly saved: ReadonlyMap<string, string> | null;
}

export const ColumnsForm = (props: ColumnsFormProps) => {
  const { importId, summary, errors, saved } = props;
  const { unknownColumns, chosenColumns = [] } = summary;
  const columns = listHeadedColumns(summary);
  const others = unknownColumns.filter(
    ({ letter }) => !columns.some((column) => column.letter === letter),
  );
  if (unknownColumns.length + chosenColumns.length === 0) return null;
  const values = saved ?? new Map(columns.map(({ letter, path }) => [letter, toColumnValue(path)]));
  return (
    <details
      class={unknownColumns.length === 0 ? undefined : 'notice notice--warning'}
      open={unknownColumns.length > 0 || errors.some(({ field }) => field.startsWith('column_'))}
    >
      <summary>
        <strong>
          {[
            ...(unknownColumns.length === 0 ? [] : [describeUnknownColumns(unknownColumns.length)]),
            ...(chosenColumns.length === 0 ? [] : [describeChosenColumns(chosenColumns.length)]),
          ].join(' ')}
        </strong>
      </summary>
      {others.length > 0 && <Unnamed columns={others} />}
      {columns.length > 0 && (
        <Form
          action={`${IMPORT_PATH}/${importId}/columns`}
          openedHash={hashValues(toFields(values))}
        >
          <p>
            Choose a field for each column. We’ll check the file again, and read your practice’s
            future files the same way. <a href={`${IMPORT_PATH}/columns`}>See all columns</a>
          </p>
          <div class="cards flex-align-end">
            {columns.map((column) => (
              <ColumnSelect key={column.letter} column={column} {...props} />
            ))}
          </div>
          <div class="buttons">
            <button type="submit" class="usa-button usa-button--outline">
              {READ_COLUMNS}
            </button>
          </div>
        </Form>
      )}
    </details>
  );
};

const Unnamed = ({ columns }: { readonly columns: readonly UnknownColumn[] }) => (
  <ul>
    {columns.slice(0, MAX_NAMED).map(({ letter, header }) => (
      <li key={letter}>
        Column {letter}
        {header === ''
          ? ' has no heading. Add one in the file.'
          : `, “${header}”: another column has the same heading, or the file has too many. Change it in the file.`}
      </li>
    ))}
    {columns.length > MAX_NAMED && (
      <li>and {countInWords(columns.length - MAX_NAMED, 'more column')}</li>
    )}
  </ul>
);

const MAX_NAMED = 20;

const ColumnSelect = ({
  column: { letter, header, path, suggestions, takenBy },
  fields,
  customFields,
  typed,
  errors,
}: ColumnsFormProps & { readonly column: HeadedColumn }) => {
  const name = getColumnField(letter);
  const value = typed?.get(letter) ?? toColumnValue(path);
  const field: FieldProps = {
    name,
    label: `Column ${letter}, “${header}”`,
    hint:
      takenBy === undefined
        ? undefined
        : `Column ${takenBy} already fills the field that was chosen for this heading before.`,
    error: findError(errors, name),
  };
  const likely = fields.filter((one) => suggestions.includes(normalizeHeader(one.name)));
  const renderOption = (one: NamedColumn) => (
    <option key={one.path} value={one.path} selected={one.path === value}>
      {formatField(one, customFields)}
    </option>
  );
  return (
    <FieldGroup field={field}>
      <select {...buildInputAttributes(field)} class="usa-select field">
        <option value="">Choose a field (left out until then)</option>
        <option value={LEAVE_OUT} selected={value === LEAVE_OUT}>
          Leave out
        </option>
        {likely.length > 0 && <optgroup label="Suggested">{likely.map(renderOption)}</optgroup>}
        <optgroup label="All fields">
          {fields.filter((one) => !likely.includes(one)).map(renderOption)}
        </optgroup>
      </select>
    </FieldGroup>
  );
};
