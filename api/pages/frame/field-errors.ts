/** What is wrong with one field of a form, and how to mend it. */
export interface FieldError {
  /** Name of the field; its input has the id {@link fieldId} gives. */
  readonly field: string;
  /** A sentence without the submitted value. */
  readonly message: string;
}

/** Id of the input of a field. Dots and brackets are no trouble in an id, but are in a selector. */
export const fieldId = (name: string): string => `field-${name.replaceAll(/[^A-Za-z0-9_-]/g, '-')}`;

/** What is wrong with a field; undefined if nothing is. */
export const errorOf = (errors: readonly FieldError[], field: string): string | undefined =>
  errors.find((error) => error.field === field)?.message;
