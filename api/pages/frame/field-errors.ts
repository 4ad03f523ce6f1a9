import type { RefusalReason } from '../../../domain/decision.ts';
import type { CommandRefused } from '../../commands/command-refused.ts';
import { formatRefusal } from '../../commands/refusal-messages.ts';

/** What is wrong with one field of a form, and how to mend it. */
export interface FieldError {
  /** Name of the field; its input has the id {@link fieldId} gives. */
  readonly field: string;
  /** What the error is known by: its words may change. */
  readonly id: string;
  /** A sentence without the submitted value. */
  readonly message: string;
}

/** A reason to refuse what was posted, at the field that it is about. */
export const errorAt = (field: string, why: RefusalReason): FieldError => ({
  field,
  id: why.code,
  message: formatRefusal(why),
});

/** A refused command, at the field that it is about. */
export const refusedAt = (field: string, { id, message }: CommandRefused): FieldError => ({
  field,
  id,
  message,
});

/** Id of the input of a field. Dots and brackets are no trouble in an id, but are in a selector. */
export const fieldId = (name: string): string => `field-${name.replaceAll(/[^A-Za-z0-9_-]/g, '-')}`;

/** What is wrong with a field; undefined if nothing is. */
export const errorOf = (errors: readonly FieldError[], field: string): string | undefined =>
  errors.find((error) => error.field === field)?.message;
