import { MAX_FILE_MEGABYTES, MAX_ROWS_TEXT } from '../../../domain/mapping/csv/file-limits.ts';
import type { SheetOfFile } from '../../../domain/submission/staged-import.ts';
import { type FieldError, findError } from '../layout/field-errors.ts';
import { buildInputAttributes, FieldGroup, type FieldProps } from '../layout/field-group.tsx';
import { Form } from '../layout/form.tsx';
import { SelectField } from '../layout/select-field.tsx';
import { TextField } from '../layout/text-field.tsx';

export const IMPORT_PATH = '/registry/import';

export const FILE_FIELD = 'file';

export const SHEET_FIELD = 'sheet';

export const INSTEAD_FIELD = 'instead_of';

export interface FileFormProps {
  readonly label: string;
  readonly errors?: readonly FieldError[];
  /** Check that the corrected file replaces; `null` for a first file. */
  readonly insteadOf?: string | null;
  readonly sheet?: SheetOfFile | undefined;
  /** True if it is the main action of its page. */
  readonly isPrimary?: boolean;
}

/** Upload form; with script, a file can be dropped anywhere on it. */
export const FileForm = (props: FileFormProps) => {
  const { label, errors = [], insteadOf = null, sheet, isPrimary = true } = props;
  const field: FieldProps = {
    name: FILE_FIELD,
    label,
    hint: `An Excel workbook (.xlsx) or CSV in UTF-8, up to ${MAX_ROWS_TEXT} rows and ${MAX_FILE_MEGABYTES} MB.`,
    error: findError(errors, FILE_FIELD),
  };
  return (
    <Form
      action={IMPORT_PATH}
      class="drop-zone card card--ground maxw-tablet padding-205 margin-bottom-3"
      files
    >
      {insteadOf !== null && <input type="hidden" name={INSTEAD_FIELD} value={insteadOf} />}
      <FieldGroup field={field}>
        <input
          {...buildInputAttributes(field)}
          class="width-full margin-top-1"
          type="file"
          accept=".xlsx,.xlsm,.csv,.tsv,.txt,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        />
      </FieldGroup>
      {sheet === undefined || sheet.names.length === 1 ? (
        <TextField
          name={SHEET_FIELD}
          label="Sheet of the workbook"
          hint="Name on the sheet’s tab. If left blank, we read the first sheet."
          value=""
          error={findError(errors, SHEET_FIELD)}
          optional
        />
      ) : (
        <SelectField
          name={SHEET_FIELD}
          label="Sheet of the workbook"
          choices={sheet.names.map((name) => ({ value: name, text: name }))}
          value={sheet.name}
        />
      )}
      <p class="drop-zone__hint quiet margin-top-105 margin-bottom-0" hidden>
        Or drop the file anywhere in this box. We’ll check it right away.
      </p>
      <div class="buttons margin-top-2">
        <button type="submit" class={`usa-button${isPrimary ? '' : ' usa-button--outline'}`}>
          Check file
        </button>
        <span class="drop-zone__busy" role="status" />
      </div>
    </Form>
  );
};
