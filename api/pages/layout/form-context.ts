import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldError } from './field-errors.ts';
import type { FieldProps } from './field-group.tsx';

export interface FormState {
  readonly errors: readonly FieldError[];
  readonly values: object;
}

export const FormContext = createContext<FormState>({ errors: [], values: {} });

/** Completes the properties of a field with the error and the text that its form has for it. */
export const useField = <Props extends FieldProps & { readonly value?: string | undefined }>(
  props: Props,
): Props => {
  const { errors, values } = useContext(FormContext);
  const { name, error = errors.find(({ field }) => field === name)?.message } = props;
  const formValue: unknown = Reflect.get(values, name);
  const { value = typeof formValue === 'string' ? formValue : undefined } = props;
  return { ...props, error, value };
};
