import type { Field, FieldPath } from '../../../domain/course-of-care/fields.ts';
import { FIELDS } from '../../../domain/course-of-care/fields.ts';
import type { Choice } from '../frame/select-field.tsx';
import { valueInWords } from '../words/values-in-words.ts';

/** Yes, no, and what stands there while nobody has said either. */
export const YES_NO_UNKNOWN: readonly Choice[] = [
  { value: 'yes', text: 'Yes' },
  { value: 'no', text: 'No' },
  { value: '', text: 'Not known' },
];

/** Consent is granted or it is not. @see spec "Consent" */
export const GRANTED_OR_NOT: readonly Choice[] = [
  { value: 'yes', text: 'Granted' },
  { value: 'no', text: 'Not granted' },
];

/** The answers that a field offers, and the one it holds if the registry does not know it. */
export const choicesOf = (field: Field, value: string): readonly Choice[] => {
  const offered = OFFERS.get(field.path) ?? [];
  if (value === '' || offered.some((choice) => choice.value === value)) return offered;
  // A held answer stands there by its name: it goes back as it came.
  return offered.some(({ text }) => text === value)
    ? offered.map((choice) => (choice.text === value ? { value, text: value } : choice))
    : [...offered, { value, text: value }];
};

/** The answers of a list by their names, with those it holds beside. */
export const namesOf = (field: Field, held: readonly string[]): readonly string[] => [
  ...new Set([...(OFFERS.get(field.path) ?? []).map(({ text }) => text), ...held]),
];

const offersOf = (field: Field): readonly Choice[] => {
  if (field.values !== undefined)
    return field.values.map((value) => ({
      value,
      text: valueInWords(field.path, value, { timeZone: 'UTC' }) ?? value,
    }));
  return [...(field.codes ?? [])].flatMap(([value, text]) =>
    field.offered?.test(value) === true ? [{ value, text }] : [],
  );
};

const OFFERS: ReadonlyMap<FieldPath, readonly Choice[]> = new Map(
  FIELDS.map((field) => [field.path, offersOf(field)]),
);
