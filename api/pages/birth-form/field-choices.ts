import type { Field, FieldPath } from '../../../domain/course-of-care/fields.ts';
import { FIELDS } from '../../../domain/course-of-care/fields.ts';
import type { Choice } from '../frame/select-field.tsx';
import { valueInWords } from '../words/values-in-words.ts';

/** Yes, no, and what stands there while neither is known. */
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
export const choicesOf = (field: Field, value: string): readonly Choice[] =>
  choicesWith(field, value === '' ? [] : [value]);

/** The answers that a list offers, with those it holds beside. */
export const choicesWith = (field: Field, held: readonly string[]): readonly Choice[] => {
  const choices = [...(OFFERS.get(field.path) ?? [])];
  for (const value of held) {
    if (choices.some((choice) => choice.value === value)) continue;
    // A held answer stands there by its name, and goes back as it came: an older code, or the name
    // itself in a draft of release 0.1.
    const text = field.codes?.get(value) ?? value;
    const place = choices.findIndex((choice) => choice.text === text);
    choices.splice(place < 0 ? choices.length : place, place < 0 ? 0 : 1, { value, text });
  }
  return choices;
};

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
