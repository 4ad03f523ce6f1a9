import { buildInputAttributes, FieldGroup, type FieldProps } from './field-group.tsx';

export interface TextAreaProps extends FieldProps {
  readonly value?: string | undefined;
  readonly rows?: number;
  readonly maxLength?: number;
}

/** Multi-line text field. */
export const TextArea = (props: TextAreaProps) => (
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
