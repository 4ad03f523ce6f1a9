import { readDate } from './dates.ts';
import { isAbsent } from './extensions.ts';
import { type JsonObject, objectIn, objectsOf, textOf } from './json.ts';
import { leftOut, NOTHING_READ, type Reading } from './readings.ts';
import { statedValues } from './stated-values.ts';

// Of the common library of vital records, and of the death records' guide before it.
const PARTIAL = /\/(?:Extension-)?partial-?date(?:-?time)?(?:-vr)?$/i;
const NAMES = { year: /(?:^|[/-])year$/i, month: /(?:^|[/-])month$/i, day: /(?:^|[/-])day$/i };
const TIME = /(?:^|[/-])time$/i;

/** The parts of a date that an element states one by one; empty where it does not. */
export const partialDateOf = (element: unknown): readonly JsonObject[] => {
  const { extension } = objectIn(element);
  if (extension === undefined) return [];
  const partial = objectsOf(extension).find(({ url }) => PARTIAL.test(textOf(url) ?? ''));
  return objectsOf(partial?.['extension']);
};

const partIn = (parts: readonly JsonObject[], name: RegExp): JsonObject | undefined =>
  parts.find(({ url }) => name.test(textOf(url) ?? ''));

/** A part of a date in digits; null where it is not stated, or said to be absent. */
const digitsIn = (part: JsonObject | undefined, width: number): string | null => {
  if (part === undefined || isAbsent(part)) return null;
  const stated = statedValues(part);
  if (stated.isAbsent) return null;
  const digits = String(stated.numbers[0] ?? stated.texts[0] ?? '');
  return /^\d{1,4}$/.test(digits) ? digits.padStart(width, '0') : null;
};

/**
 * Reads the date that stands under a name, with what stands under the same name with `_`: a date that is
 * stated in parts, or that it is not known. The latter counts more than a value beside it.
 */
export const readDateBeside = (value: unknown, element: unknown): Reading<string> => {
  const stated = readDate(value);
  if (element === undefined) return stated;
  const parts = partialDateOf(element);
  const [year, month, day] = [
    digitsIn(partIn(parts, NAMES.year), 4),
    digitsIn(partIn(parts, NAMES.month), 2),
    digitsIn(partIn(parts, NAMES.day), 2),
  ];
  const isInParts = Object.values(NAMES).some((name) => partIn(parts, name) !== undefined);
  if (isInParts && year !== null && month !== null && day !== null && !isAbsent(element)) {
    const date = `${year}-${month}-${day}`;
    return stated.kind === 'none' ? readDate(date) : stated;
  }
  if (!isInParts && !isAbsent(element)) return stated;
  if (stated.kind !== 'none') return leftOut(value, 'said-absent');
  const known = [year, month, day].filter((part) => part !== null).join('-');
  return known === '' ? NOTHING_READ : leftOut(known, 'date-impossible');
};

/** The time of day that stands among the parts of a date; null where there is none. */
export const timeInParts = (element: unknown): string | null => {
  const part = partIn(partialDateOf(element), TIME);
  if (part === undefined || isAbsent(part)) return null;
  const stated = statedValues(part);
  return stated.isAbsent ? null : (stated.texts[0] ?? null);
};
