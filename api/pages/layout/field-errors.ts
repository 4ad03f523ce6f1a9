import type { RefusalReason } from '../../../domain/decision.ts';
import type { CommandRefused } from '../../commands/command-refused.ts';
import { formatRefusal } from '../../commands/refusal-messages.ts';

export interface FieldError {
  /** Name of the field; {@link buildFieldId} gives the id of its input. */
  readonly field: string;
  /** Stable id, independent of the wording. */
  readonly id: string;
  /** Sentence without the submitted value. */
  readonly message: string;
}

export const toFieldError = (field: string, why: RefusalReason): FieldError => ({
  field,
  id: why.code,
  message: formatRefusal(why),
});

export const toRefusalError = (field: string, { id, message }: CommandRefused): FieldError => ({
  field,
  id,
  message,
});

/** Id of a field's input. Dots and brackets are valid in an id, but need escaping in a selector. */
export const buildFieldId = (name: string): string =>
  `field-${name.replaceAll(/[^A-Za-z0-9_-]/g, '-')}`;

export const findError = (errors: readonly FieldError[], field: string): string | undefined =>
  errors.find((error) => error.field === field)?.message;
