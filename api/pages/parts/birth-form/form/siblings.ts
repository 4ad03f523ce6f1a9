import { findFieldAt } from '../../../../../domain/course/fields.ts';
import { MAX_CHILDREN } from '../../../../../domain/course/limits.ts';
import { CHILDREN_AT_ONCE } from '../../../../../domain/course/possible-ranges.ts';
import type { FormValues } from '../../../../../domain/mapping/form/form-fields.ts';
import { parseWholeNumber } from '../../../../../domain/mapping/form/parse-measures.ts';

const CHILD_KEY = /^children\.(0|[1-9]\d{0,2})\.[a-z_]+$/;

/** Values that siblings share, which the form copies from the first child. */
const SHARED = ['birth_date', 'family_name', 'gestational_age_weeks'] as const;

/**
 * New children, and blank values of others, get the first child's shared values. A smaller
 * plurality only removes children without values of their own.
 */
export const addSiblingsOfPlurality = (values: FormValues): FormValues => {
  const read = parseWholeNumber(values['plurality']?.trim() ?? '', WORDS, CHILDREN_AT_ONCE);
  const indexes = listChildren(values);
  if (read.kind !== 'value') return values;
  const count = Math.min(read.value, MAX_CHILDREN);
  if (count < indexes.length) return removeEmpty(values, count);
  const next = Math.max(-1, ...indexes) + 1;
  const added = Array.from({ length: count - indexes.length }, (_, place) => next + place);
  return copyShared(values, [...indexes, ...added]);
};

const WORDS = findFieldAt('plurality').inSentence;

export const addSibling = (values: FormValues): FormValues => {
  const indexes = listChildren(values);
  const [first = 0] = indexes;
  const last = indexes.at(-1) ?? first;
  return { ...addBirthOrder(values, indexes), ...listShared(values, first, last) };
};

const copyShared = (values: FormValues, indexes: readonly number[]): FormValues => {
  const [first = 0, ...others] = indexes;
  const shared = others.map((index) => listShared(values, first, index));
  return Object.assign({}, addBirthOrder(values, indexes), ...shared);
};

const listShared = (values: FormValues, first: number, index: number): FormValues =>
  Object.fromEntries(
    SHARED.map((name) => {
      const own = readText(values, index, name);
      return [buildKey(index, name), own === '' ? readText(values, first, name) : own];
    }),
  );

/** A single birth has no order. */
const addBirthOrder = (values: FormValues, indexes: readonly number[]): FormValues =>
  indexes.length < 2
    ? values
    : {
        ...values,
        ...Object.fromEntries(
          indexes.map((index, place) => {
            const own = readText(values, index, 'birth_order');
            return [buildKey(index, 'birth_order'), own === '' ? String(place + 1) : own];
          }),
        ),
      };

const removeEmpty = (values: FormValues, count: number): FormValues => {
  const indexes = listChildren(values);
  const [first = 0] = indexes;
  const surplus = new Set(
    indexes
      .slice(Math.max(count, 1))
      .filter((index) => isOnlyCopied(values, first, index, indexes.indexOf(index) + 1)),
  );
  const remaining = Object.entries(values).filter(([key]) => !surplus.has(parseIndex(key)));
  return Object.fromEntries(
    // The only child of a single birth loses its birth order.
    remaining.filter(
      ([key, text]) => count > 1 || key !== buildKey(first, 'birth_order') || text.trim() !== '1',
    ),
  );
};

const isOnlyCopied = (values: FormValues, first: number, index: number, place: number): boolean => {
  const copied: FormValues = {
    ...Object.fromEntries(
      SHARED.map((name) => [buildKey(index, name), readText(values, first, name)] as const),
    ),
    [buildKey(index, 'birth_order')]: String(place),
  };
  return Object.entries(values)
    .filter(([key]) => parseIndex(key) === index)
    .every(([key, text]) => text.trim() === '' || text.trim() === copied[key]);
};

const buildKey = (index: number, name: string): string => `children.${index}.${name}`;

const readText = (values: FormValues, index: number, name: string): string =>
  values[buildKey(index, name)]?.trim() ?? '';

/** Index of the child in a key; -1 if none. */
const parseIndex = (key: string): number => Number(CHILD_KEY.exec(key)?.[1] ?? -1);

const listChildren = (values: FormValues): readonly number[] => {
  const indexes = Object.keys(values).map(parseIndex);
  return [...new Set(indexes)].filter((index) => index >= 0).sort((one, other) => one - other);
};
