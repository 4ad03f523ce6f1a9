import { buildFieldId, type FieldError } from './field-errors.ts';
import { useFrame } from './frame-context.ts';
import { CHANGED_SINCE_OPENED } from './opened-values.ts';

/** Links to all invalid fields; nothing without errors. */
export const ErrorSummary = ({ errors }: { readonly errors: readonly FieldError[] }) => {
  if (errors.length === 0) return null;
  const links = (
    <ul>
      {errors.map(({ field, id, message }) => (
        <li key={field}>
          <a href={`#${buildFieldId(field)}`} data-error={id}>
            {message}
          </a>
        </li>
      ))}
    </ul>
  );
  if (errors.some(({ id }) => id === CHANGED_SINCE_OPENED))
    return (
      <div class="notice notice--warning" role="alert" tabIndex={-1} data-error-summary>
        <h2 data-message="changed-after-opening">This changed after you opened it</h2>
        {links}
        <KeepOrReplace />
      </div>
    );
  return (
    <div class="error-summary notice notice--error" role="alert" tabIndex={-1} data-error-summary>
      <h2>{errors.length === 1 ? 'One thing to correct' : `${errors.length} things to correct`}</h2>
      {links}
    </div>
  );
};

const KeepOrReplace = () => (
  <p class="margin-top-1 margin-bottom-0">
    Someone else saved this, or you did in another tab. Nothing of yours is saved yet, and
    everything you typed is still here. To replace what is saved, press the form’s button again. Or{' '}
    <a href={useFrame().path} data-message="keep-saved">
      keep what is saved
    </a>
    .
  </p>
);
