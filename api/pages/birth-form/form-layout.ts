import { ENTERED_FIELDS } from '../../../domain/course-of-care/entering/entered-fields.ts';
import {
  FIELDS,
  type Field,
  type FieldPath,
  FORM_PARTS,
} from '../../../domain/course-of-care/fields.ts';
import type { Choice } from '../frame/select-field.tsx';
import { valueInWords } from '../words/values-in-words.ts';

/** Fields that stand together; those with a title are rarely needed and fold away. */
export interface FormPart {
  readonly title: string | null;
  readonly fields: readonly Field[];
}

type FormSection = (typeof FORM_PARTS)[keyof typeof FORM_PARTS]['section'];

/** The fields of the form. */
export const FORM_FIELDS: readonly Field[] = ENTERED_FIELDS.filter(
  ({ form }) => form !== undefined,
);

const partsOf = (section: FormSection): readonly FormPart[] =>
  Object.entries(FORM_PARTS)
    .filter(([, part]) => part.section === section)
    .map(([name, { title }]) => ({
      title,
      fields: FORM_FIELDS.filter(({ form }) => form === name).sort(
        ({ formPlace: one = Infinity }, { formPlace: other = Infinity }) =>
          one === other ? 0 : one - other,
      ),
    }));

/** The form in the order of a birth. */
export const LAYOUT: Readonly<Record<FormSection, readonly FormPart[]>> = {
  mother: partsOf('mother'),
  pregnancy: partsOf('pregnancy'),
  birth: partsOf('birth'),
  child: partsOf('child'),
  transfer: partsOf('transfer'),
  consent: partsOf('consent'),
};

/** The key of a field's value: the path, with the position for a child or transfer. */
export const keyOf = (field: Field, index: number | null): string =>
  index === null ? field.path : `${field.holder}.${index}.${field.name}`;

/** What a form has several of. */
export type Listed = 'children' | 'transfers';

const LISTED_KEY = /^(children|transfers)\.(0|[1-9]\d{0,2})\.[a-z_]+$/;

/** The positions under which a form has children or transfers, blank ones too. */
export const indexesOf = (
  list: Listed,
  values: Readonly<Record<string, unknown>>,
): readonly number[] => {
  const indexes = Object.keys(values).flatMap((key) => {
    const [, of, index] = LISTED_KEY.exec(key) ?? [];
    return of === list ? [Number(index)] : [];
  });
  return [...new Set(indexes)].sort((one, other) => one - other);
};

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
