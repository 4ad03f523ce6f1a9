import type { ComponentChildren } from 'preact';
import type {
  EnteredValues,
  FieldMessage,
} from '../../../domain/course-of-care/entering/entered-fields.ts';
import { echoesOf } from './echoes.ts';
import { withFirstChild } from './form-values.ts';

/** What stands in the form, and what is wrong or hard to believe about it. */
export interface FormContent {
  readonly values: EnteredValues;
  /** What has to be corrected before it can be saved. */
  readonly errors: readonly FieldMessage[];
  /** What is hard to believe; it does not stand in the way. */
  readonly notices: readonly FieldMessage[];
}

/** The same with the values in other words, by their keys. */
export interface FormLook extends FormContent {
  readonly echoes: Readonly<Record<string, string>>;
  /** What stands below a field, by its key: where its value came from. */
  readonly beside?: (key: string) => ComponentChildren;
}

/** A form with these values, and one child at least. */
export const formContent = (
  values: EnteredValues,
  errors: readonly FieldMessage[] = [],
  notices: readonly FieldMessage[] = [],
): FormContent => ({ values: withFirstChild(values), errors, notices });

/** A form as it is shown. @param timeZone IANA name of the practice's zone */
export const formLook = (content: FormContent, timeZone: string): FormLook => ({
  ...content,
  echoes: echoesOf(content.values, timeZone),
});

/** What is said about one value; undefined if nothing is. */
export const saidAbout = (messages: readonly FieldMessage[], key: string): string | undefined =>
  messages.find(({ path }) => path === key)?.message;
