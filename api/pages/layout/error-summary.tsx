import { buildFieldId, type FieldError } from './field-errors.ts';

/** Links to all invalid fields; nothing without errors. */
export const ErrorSummary = ({ errors }: { readonly errors: readonly FieldError[] }) =>
  errors.length === 0 ? null : (
    <div class="error-summary notice notice--error" role="alert" tabIndex={-1} data-error-summary>
      <h2>{errors.length === 1 ? 'One thing to correct' : `${errors.length} things to correct`}</h2>
      <ul>
        {errors.map(({ field, id, message }) => (
          <li key={field}>
            <a href={`#${buildFieldId(field)}`} data-error={id}>
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
