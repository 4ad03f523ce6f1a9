import { ErrorSummary } from '../../layout/error-summary.tsx';
import type { FieldError } from '../../layout/field-errors.ts';
import { buildInputAttributes, FieldGroup } from '../../layout/field-group.tsx';

export interface AsOfFormProps {
  readonly href: string;
  /** Value of the input, `2026-05-12T14:03`; '' for the present. */
  readonly value: string;
  /** Submitted text that is no time; a date input would drop it. `null` if there is none. */
  readonly invalidText: string | null;
  readonly error: Omit<FieldError, 'field'> | undefined;
}

export const AsOfForm = ({ href, value, invalidText, error }: AsOfFormProps) => {
  const field = { name: 'at', label: 'View as of', error: error?.message };
  return (
    <form
      method="get"
      action={href}
      class="as-of cluster flex-align-end margin-top-1 margin-bottom-3 no-print"
      noValidate
    >
      <FieldGroup field={field}>
        <input
          {...buildInputAttributes(field)}
          class="usa-input field"
          // The union of all input types is too large for the type checker.
          type={(invalidText === null ? 'datetime-local' : 'text') as 'text'}
          value={invalidText ?? value}
        />
      </FieldGroup>
      <button type="submit" class="usa-button usa-button--outline">
        Show
      </button>
    </form>
  );
};

export const AsOfError = ({ error }: Pick<AsOfFormProps, 'error'>) =>
  error === undefined ? null : (
    <ErrorSummary errors={[{ field: 'at', id: error.id, message: error.message }]} />
  );
