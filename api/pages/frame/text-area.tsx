import { FieldGroup, type FieldParts, inputAttributes } from './field-group.tsx';

/** A field for several lines of text. */
export interface TextAreaParts extends FieldParts {
  readonly value?: string | undefined;
  readonly rows?: number;
  readonly maxLength?: number;
}

/** A field for several lines of text. */
export const TextArea = (parts: TextAreaParts) => (
  <FieldGroup field={parts}>
    <textarea
      {...inputAttributes(parts)}
      class="usa-textarea field"
      rows={parts.rows ?? 4}
      maxLength={parts.maxLength}
    >
      {parts.value ?? ''}
    </textarea>
  </FieldGroup>
);
