import type { FieldMessage } from '../../course/field-messages.ts';
import type { Field } from '../../course/fields.ts';
import { removeStrayInvisible } from '../../text-input.ts';
import type { FormValues } from './form-fields.ts';
import { parseValue, type ValueContext } from './parse-values.ts';
import type { Parsed } from './parsed.ts';

/** A value that is not kept, under its key, and why. */
export interface OmittedValue {
  readonly path: string;
  readonly raw: number;
  readonly id: 'code-for-unknown';
}

/** Reads the values of one form, and collects what is wrong with them. */
export interface FormParser {
  readonly errors: FieldMessage[];
  /** Values that are not kept, though nothing has to be corrected. */
  readonly leftOut: OmittedValue[];
  /** The trimmed text under a key, without stray characters that show nothing; '' if it is absent. */
  text(key: string): string;
  /** Whether a key is absent, or its text says what was shown for the held value. */
  isUnchanged(key: string): boolean;
  /**
   * The value under a key: the held one while it is untouched, else what `read` makes of the text.
   * Null: nothing, or an error that was noted.
   */
  keepOrParse<T, U extends T>(
    key: string,
    held: U | null,
    collect: (text: string) => Parsed<T>,
  ): T | null;
  /** The value that was read; an error is noted under the key. */
  read<T>(key: string, one: Parsed<T>): T | null;
}

/**
 * @param shown the texts that may have stood in the form for the held values: codes, or the names
 *   that forms of release 0.1 held
 * @see FormParser
 */
export const createFormParser = (values: FormValues, shown: readonly FormValues[]): FormParser => {
  const errors: FieldMessage[] = [];
  const leftOut: OmittedValue[] = [];
  const text = (key: string): string => tidied(textIn(values, key) ?? '');
  const isUntouched = (key: string): boolean =>
    textIn(values, key) === undefined ||
    shown.some((one) => text(key) === tidied(textIn(one, key) ?? ''));
  const read = <T>(key: string, one: Parsed<T>): T | null => {
    if (one.kind === 'wrong') errors.push({ path: key, id: one.id, message: one.message });
    if (one.kind === 'left-out') leftOut.push({ path: key, raw: one.raw, id: one.id });
    return one.kind === 'value' ? one.value : null;
  };
  return {
    errors,
    leftOut,
    text,
    isUnchanged: isUntouched,
    read,
    keepOrParse: (key, held, readText) =>
      isUntouched(key) ? held : read(key, readText(text(key))),
  };
};

const tidied = (text: string): string => removeStrayInvisible(text).trim();

// A key may be anything, the name of an inherited property too.
const textIn = (values: FormValues, key: string): string | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;

/**
 * The values of the fields of one object, such as the mother, as a person typed them.
 * @param prefix what stands before the names of the fields in the form: `mother.`, `children.0.`
 * @param base the object as it was held: a field that was not touched keeps its value
 */
export const parseFields = (
  prefix: string,
  fields: readonly Field[],
  base: object,
  form: FormParser,
  context: ValueContext,
): unknown =>
  Object.fromEntries(
    fields.map((field) => {
      const held = (base as Record<string, unknown>)[field.name] ?? null;
      const value = form.keepOrParse(`${prefix}${field.name}`, held, (text) =>
        parseValue(field, text, context),
      );
      return [field.name, value ?? (isList(field) ? [] : null)];
    }),
  );

const isList = ({ type }: Field): boolean => type === 'texts' || type === 'codes';
