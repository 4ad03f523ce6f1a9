import { readDate } from './dates.ts';
import { isAbsent } from './extensions.ts';
import { asObject, asObjects, asText, type JsonObject } from './json.ts';
import { leftOut, NOTHING_READ, type Reading } from './readings.ts';
import { statedValues } from './stated-values.ts';

// Of the common library of vital records, and of the death records' guide before it.
const PARTIAL = /\/(?:Extension-)?partial-?date(?:-?time)?(?:-vr)?$/i;
/** In the order of a date, with how many digits each has. */
const PARTS = [
  { name: /(?:^|[/-])year$/i, width: 4 },
  { name: /(?:^|[/-])month$/i, width: 2 },
  { name: /(?:^|[/-])day$/i, width: 2 },
] as const;
const TIME = /(?:^|[/-])time$/i;

/** The parts of a date that an element states one by one; empty where it does not. */
export const findPartialDate = (element: unknown): readonly JsonObject[] => {
  const { extension } = asObject(element);
  if (extension === undefined) return [];
  const partial = asObjects(extension).find(
    ({ url }) => typeof url === 'string' && PARTIAL.test(url.trim()),
  );
  return asObjects(partial?.['extension']);
};

const partIn = (parts: readonly JsonObject[], name: RegExp): JsonObject | undefined =>
  parts.find(({ url }) => name.test(asText(url) ?? ''));

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
  const all = findPartialDate(element);
  const parts = PARTS.map(({ name, width }) => ({ part: partIn(all, name), width }));
  const isInParts = parts.some(({ part }) => part !== undefined);
  const saysAbsent = isAbsent(element);
  if (!isInParts && !saysAbsent) return stated;
  const known = parts.flatMap(({ part, width }) => digitsIn(part, width) ?? []);
  if (isInParts && !saysAbsent && known.length === parts.length)
    return stated.kind === 'none' ? readDate(known.join('-')) : stated;
  if (stated.kind !== 'none') return leftOut(value, 'said-absent');
  return known.length === 0 ? NOTHING_READ : leftOut(known.join('-'), 'date-impossible');
};

/** The time of day that stands among the parts of a date; null where there is none. */
export const timeInParts = (element: unknown): string | null => {
  const part = partIn(findPartialDate(element), TIME);
  if (part === undefined || isAbsent(part)) return null;
  const stated = statedValues(part);
  return stated.isAbsent ? null : (stated.texts[0] ?? null);
};
