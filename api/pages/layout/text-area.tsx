import { buildInputAttributes, FieldGroup, type FieldProps } from './field-group.tsx';
import { useField } from './form-context.ts';

export interface TextAreaProps extends FieldProps {
  readonly value?: string | undefined;
  readonly rows?: number;
  readonly maxLength?: number;
}

export const TextArea = (given: TextAreaProps) => {
  const props = useField(given);
  return (
    <FieldGroup field={props}>
      <textarea
        {...buildInputAttributes(props)}
        class="usa-textarea field"
        rows={props.rows ?? 4}
        maxLength={props.maxLength}
      >
        {props.value ?? ''}
      </textarea>
    </FieldGroup>
  );
};
