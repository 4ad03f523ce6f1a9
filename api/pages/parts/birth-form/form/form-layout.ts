import {
  FIELDS,
  type Field,
  type FieldPath,
  FORM_PARTS,
} from '../../../../../domain/course/fields.ts';
import { MAX_CHILDREN, MAX_TRANSFERS } from '../../../../../domain/course/limits.ts';
import { EDITABLE_FIELDS } from '../../../../../domain/mapping/form/form-fields.ts';
import type { Choice } from '../../../layout/select-field.tsx';
import { DEFAULT_TIME_FORMAT } from '../../../text/format-times.ts';
import { formatValue } from '../../../text/format-values.ts';

export interface FormPart {
  readonly title: string | null;
  /** True for rarely used fields, which are collapsed. */
  readonly folds: boolean;
  readonly fields: readonly Field[];
}

type FormSection = (typeof FORM_PARTS)[keyof typeof FORM_PARTS]['section'];

export const FORM_FIELDS: readonly Field[] = EDITABLE_FIELDS.filter(
  ({ form }) => form !== undefined,
);

const buildParts = (section: FormSection): readonly FormPart[] =>
  Object.entries(FORM_PARTS)
    .filter(([, part]) => part.section === section)
    .map(([name, { title, folds }]) => ({
      title,
      folds,
      fields: FORM_FIELDS.filter(({ form }) => form === name).sort(
        ({ formOrder: one = Infinity }, { formOrder: other = Infinity }) =>
          one === other ? 0 : one - other,
      ),
    }));

/** The form in the chronological order of a birth. */
export const LAYOUT: Readonly<Record<FormSection, readonly FormPart[]>> = {
  record: buildParts('record'),
  mother: buildParts('mother'),
  pregnancy: buildParts('pregnancy'),
  birth: buildParts('birth'),
  child: buildParts('child'),
  'mother transfer': buildParts('mother transfer'),
  transfer: buildParts('transfer'),
  consent: buildParts('consent'),
};

/** Key of a field's value: its path, with the index of a child or transfer. */
export const buildKey = (field: Field, index: number | null): string =>
  index === null ? field.path : `${field.parent}.${index}.${field.name}`;

export type FormList = 'children' | 'transfers';

export const MAX_LISTED: Readonly<Record<FormList, number>> = {
  children: MAX_CHILDREN,
  transfers: MAX_TRANSFERS,
};

const LISTED_KEY = /^(children|transfers)\.(0|[1-9]\d{0,2})\.[a-z_]+$/;

/** Indexes of the children or transfers in a form, including blank ones. */
export const listIndexes = (
  list: FormList,
  values: Readonly<Record<string, unknown>>,
): readonly number[] => {
  const indexes = Object.keys(values).flatMap((key) => {
    const [, of, index] = LISTED_KEY.exec(key) ?? [];
    return of === list ? [Number(index)] : [];
  });
  return [...new Set(indexes)].sort((one, other) => one - other);
};

const listKeys = (section: FormSection, index: number | null): readonly string[] =>
  LAYOUT[section].flatMap(({ fields }) => fields.map((field) => buildKey(field, index)));

export const listSectionKeys = (
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<Exclude<FormSection, 'child' | 'transfer'>, readonly string[]>> & {
  readonly children: ReadonlyMap<number, readonly string[]>;
  readonly transfers: ReadonlyMap<number, readonly string[]>;
} => ({
  record: listKeys('record', null),
  mother: listKeys('mother', null),
  pregnancy: listKeys('pregnancy', null),
  birth: listKeys('birth', null),
  children: new Map(
    listIndexes('children', values).map((index) => [index, listKeys('child', index)]),
  ),
  'mother transfer': listKeys('mother transfer', null),
  consent: listKeys('consent', null),
  transfers: new Map(
    listIndexes('transfers', values).map((index) => [index, listKeys('transfer', index)]),
  ),
});

/** Sorts messages in the order of their fields on the page; those without a field come last. */
export const sortInPageOrder = <Said extends { readonly path: string }>(
  said: readonly Said[],
  values: Readonly<Record<string, unknown>>,
  first: readonly string[] = [],
): readonly Said[] => {
  const { children, transfers, ...sections } = listSectionKeys(values);
  const order = [
    ...first,
    ...sections.record,
    ...sections.mother,
    ...sections.pregnancy,
    ...sections.birth,
    'children',
    ...[...children.values()].flat(),
    ...sections['mother transfer'],
    'transfers',
    ...[...transfers.values()].flat(),
    ...sections.consent,
  ];
  // A key that also leads the form occurs twice: its first position counts.
  const places = new Map(order.map((key, place) => [key, place] as const).reverse());
  const findPlace = ({ path }: Said): number => places.get(path) ?? order.length;
  return [...said].sort((one, other) => findPlace(one) - findPlace(other));
};

/** Answers to a yes/no question. "Unknown" is stored like no answer. */
export const YES_NO_UNKNOWN: readonly Choice[] = [
  { value: 'yes', text: 'Yes' },
  { value: 'no', text: 'No' },
  { value: 'unknown', text: 'Unknown' },
];

/** Answers about consent. @see spec "Consent" */
export const GRANTED_OR_NOT: readonly Choice[] = [
  { value: 'yes', text: 'Granted' },
  { value: 'no', text: 'Not granted' },
];

/** Answers that a field offers, plus its current one if unknown to the registry. */
export const listChoices = (field: Field, value: string): readonly Choice[] =>
  addCurrentChoices(field, value === '' ? [] : [value]);

/** Answers that a list offers, plus its current ones. */
export const addCurrentChoices = (field: Field, current: readonly string[]): readonly Choice[] => {
  const choices = [...(OFFERS.get(field.path) ?? [])];
  const values = new Set(choices.map(({ value }) => value));
  const places = new Map(choices.map(({ text }, place) => [text, place] as const).reverse());
  for (const value of current) {
    if (values.has(value)) continue;
    // Shows a stored answer by name, but posts it unchanged: it may be an older code.
    const text = field.codes?.get(value) ?? value;
    const place = places.get(text) ?? choices.length;
    values.delete(choices[place]?.value ?? '');
    values.add(value);
    places.set(text, place);
    choices[place] = { value, text };
  }
  return choices;
};

const listOffers = (field: Field): readonly Choice[] => {
  if (field.values !== undefined)
    return field.values.map((value) => ({
      value,
      text: formatValue(field.path, value, DEFAULT_TIME_FORMAT) ?? value,
    }));
  return [...(field.codes ?? [])].flatMap(([value, text]) =>
    field.offeredCodes?.test(value) === true ? [{ value, text }] : [],
  );
};

const OFFERS: ReadonlyMap<FieldPath, readonly Choice[]> = new Map(
  FIELDS.map((field) => [field.path, listOffers(field)]),
);
