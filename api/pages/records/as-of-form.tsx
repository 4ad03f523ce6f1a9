import { ErrorSummary } from '../frame/error-summary.tsx';
import type { FieldError } from '../frame/field-errors.ts';
import { FieldGroup, inputAttributes } from '../frame/field-group.tsx';

/** What the control shows that goes back in time. */
export interface AsOfFormProps {
  /** Address of the record's page. */
  readonly href: string;
  /** As the input takes it, `2026-05-12T14:03`; '' for now. */
  readonly value: string;
  /** What was asked for and is no moment; null: nothing such. */
  readonly typed: string | null;
  readonly error: Omit<FieldError, 'field'> | undefined;
}

/** Asks for the record as it was on a day and time of the practice's zone. */
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
            {...inputAttributes(field)}
            class="usa-input field"
            type="datetime-local"
            value={value}
          />
        ) : (
          // An input for date and time would drop it: it stays as a text, to be mended.
          <input {...inputAttributes(field)} class="usa-input field" type="text" value={typed} />
        )}
      </FieldGroup>
      <button type="submit" class="usa-button usa-button--outline">
        Show
      </button>
    </form>
  );
};

/** What is wrong with the moment that was asked for, linked to its field. */
export const AsOfError = ({ error }: Pick<AsOfFormProps, 'error'>) =>
  error === undefined ? null : (
    <ErrorSummary errors={[{ field: 'at', id: error.id, message: error.message }]} />
  );
