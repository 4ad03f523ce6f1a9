import type { ComponentChildren } from 'preact';
import { fieldId } from './field-errors.ts';

/** What every field of a form has. */
export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with it; undefined if nothing is. */
  readonly error?: string | undefined;
  /** Says that the field may stay empty. */
  readonly optional?: boolean;
}

/** Attributes that tie an input to its label, hint and error. */
export const inputAttributes = ({ name, hint, error }: FieldProps) => {
  const id = fieldId(name);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return {
    id,
    name,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
  };
};

/** Label, hint and error of a field around its input. */
export const FieldGroup = ({
  field: { name, label, hint, error, optional = false },
  children,
}: {
  readonly field: FieldProps;
  readonly children: ComponentChildren;
}) => {
  const id = fieldId(name);
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

/** Hint and error of a field. @param id of its input or group */
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
