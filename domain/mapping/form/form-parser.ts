import type { Child, Mother } from '../../course/course.ts';
import type { FieldMessage } from '../../course/field-messages.ts';
import type { Field } from '../../course/fields.ts';
import { splitSuffix } from '../../fhir/human-names.ts';
import { removeStrayInvisible } from '../../text-input.ts';
import type { FormValues } from './form-fields.ts';
import { parseValue, type ValueContext } from './parse-values.ts';
import type { Parsed } from './parsed.ts';

export interface OmittedValue {
  readonly path: string;
  readonly raw: number;
  readonly id: 'code-for-unknown';
}

export interface FormParser {
  readonly errors: FieldMessage[];
  /** Values that are not stored, although they need no correction. */
  readonly leftOut: OmittedValue[];
  /** Warnings about values that are stored in another field, by key. */
  readonly moved: FieldMessage[];
  /** Returns the trimmed text of a key, without invisible characters; '' if absent. */
  text(key: string): string;
  /** True if a key is absent, or if its text is unchanged from the existing value. */
  isUnchanged(key: string): boolean;
  /** `null` if blank or invalid. */
  keepOrParse<T, U extends T>(
    key: string,
    existing: U | null,
    collect: (text: string) => Parsed<T>,
  ): T | null;
  read<T>(key: string, one: Parsed<T>): T | null;
}

/** @param existingTexts of the existing values: codes as in a form, and display names as in a file */
export const createFormParser = (
  values: FormValues,
  existingTexts: readonly FormValues[],
): FormParser => {
  const errors: FieldMessage[] = [];
  const leftOut: OmittedValue[] = [];
  const moved: FieldMessage[] = [];
  const text = (key: string): string => tidyValue(findText(values, key) ?? '');
  const isUntouched = (key: string): boolean =>
    findText(values, key) === undefined ||
    existingTexts.some((one) => text(key) === tidyValue(findText(one, key) ?? ''));
  const read = <T>(key: string, one: Parsed<T>): T | null => {
    if (one.kind === 'wrong') errors.push({ path: key, id: one.id, message: one.message });
    if (one.kind === 'left-out') leftOut.push({ path: key, raw: one.raw, id: one.id });
    return one.kind === 'value' ? one.value : null;
  };
  return {
    errors,
    leftOut,
    moved,
    text,
    isUnchanged: isUntouched,
    read,
    keepOrParse: (key, existing, readText) =>
      isUntouched(key) ? existing : read(key, readText(text(key))),
  };
};

const tidyValue = (text: string): string => removeStrayInvisible(text).trim();

// A key may be any text, including the name of an inherited property.
const findText = (values: FormValues, key: string): string | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;

/**
 * @param prefix `mother.`, `children.0.`
 * @param base existing object: an unchanged field keeps its value
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
      const existing = (base as Record<string, unknown>)[field.name] ?? null;
      const value = form.keepOrParse(`${prefix}${field.name}`, existing, (text) =>
        parseValue(field, text, context),
      );
      return [field.name, value ?? (isList(field) ? [] : null)];
    }),
  );

const isList = ({ type }: Field): boolean => type === 'texts' || type === 'codes';

/** Stored family names do not change. */
export const moveTypedSuffix = <T extends Pick<Child | Mother, 'family_name' | 'suffix'>>(
  prefix: string,
  own: T,
  form: FormParser,
): T => {
  if (form.isUnchanged(`${prefix}family_name`)) return own;
  const { family, suffix } = splitSuffix(own.family_name, own.suffix);
  if (suffix !== own.suffix)
    form.moved.push({
      path: `${prefix}suffix`,
      id: 'suffix-in-family-name',
      message: 'The suffix was taken from the end of the family name. Check both.',
    });
  return { ...own, family_name: family, suffix };
};
