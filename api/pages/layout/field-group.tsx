import type { ComponentChildren } from 'preact';
import { buildFieldId } from './field-errors.ts';

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly optional?: boolean;
}

export const buildInputAttributes = ({ name, hint, error }: FieldProps) => {
  const id = buildFieldId(name);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return {
    id,
    name,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
  };
};

export const FieldGroup = ({
  field: { name, label, hint, error, optional = false },
  children,
}: {
  readonly field: FieldProps;
  readonly children: ComponentChildren;
}) => {
  const id = buildFieldId(name);
  return (
    <div class={error === undefined ? 'usa-form-group' : 'usa-form-group usa-form-group--error'}>
      <label class="usa-label" for={id}>
        {label}
        {optional && <span class="usa-hint"> (optional)</span>}
      </label>
      <FieldNotes id={id} hint={hint} error={error} />
      {children}
    </div>
  );
};

/** @param id of its input or group */
export const FieldNotes = ({
  id,
  hint,
  error,
}: {
  readonly id: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
}) => (
  <>
    {hint !== undefined && (
      <div class="usa-hint" id={`${id}-hint`}>
        {hint}
      </div>
    )}
    {error !== undefined && (
      <p class="usa-error-message" id={`${id}-error`}>
        {error}
      </p>
    )}
  </>
);
