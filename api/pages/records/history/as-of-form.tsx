import { ErrorSummary } from '../../layout/error-summary.tsx';
import type { FieldError } from '../../layout/field-errors.ts';
import { buildInputAttributes, FieldGroup } from '../../layout/field-group.tsx';

export interface AsOfFormProps {
  /** Address of the record's page. */
  readonly href: string;
  /** Value of the input, `2026-05-12T14:03`; '' for the present. */
  readonly value: string;
  /** Invalid text that was submitted; `null` if none. */
  readonly typed: string | null;
  readonly error: Omit<FieldError, 'field'> | undefined;
}

/** Asks for the record as of a date and time in the practice's time zone. */
export const AsOfForm = ({ href, value, typed, error }: AsOfFormProps) => {
  const field = { name: 'at', label: 'View as of', error: error?.message };
  return (
    <form
      method="get"
      action={href}
      class="as-of cluster flex-align-end margin-top-205 no-print"
      noValidate
    >
      <FieldGroup field={field}>
        {typed === null ? (
          <input
            {...buildInputAttributes(field)}
            class="usa-input field"
            type="datetime-local"
            value={value}
          />
        ) : (
          // A date input would drop invalid text; a text input keeps it for correction.
          <input
            {...buildInputAttributes(field)}
            class="usa-input field"
            type="text"
            value={typed}
          />
        )}
      </FieldGroup>
      <button type="submit" class="usa-button usa-button--outline">
        Show
      </button>
    </form>
  );
};

/** Error in the requested time, linked to its field. */
export const AsOfError = ({ error }: Pick<AsOfFormProps, 'error'>) =>
  error === undefined ? null : (
    <ErrorSummary errors={[{ field: 'at', id: error.id, message: error.message }]} />
  );
