import { isUntidy, removeStrayInvisible } from '../text-input.ts';

/** A JSON object of unknown content, as `JSON.parse` returns it. */
export type JsonObject = { readonly [key: string]: unknown };

/** True if a value is a JSON object: not an array, not null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as an object, else an empty one. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : NOTHING);

const NOTHING: JsonObject = {};
const NONE: readonly never[] = [];

/** The elements of an array; a lone value counts as one element, nothing as none. */
export const asArray = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? NONE : [value];
};

/** The objects of an array; a lone object counts as an array of one, anything else as none. */
export const asObjects = (value: unknown): readonly JsonObject[] => {
  if (Array.isArray(value)) return areObjects(value) ? value : value.filter(isObject);
  return isObject(value) ? [value] : NONE;
};

// A loop: nearly every list of a Bundle comes by here, several times.
const areObjects = (values: readonly unknown[]): boolean => {
  for (const value of values) if (!isObject(value)) return false;
  return true;
};

/**
 * The trimmed text of a string, null for anything else and for blanks. Control characters become
 * spaces and unpaired surrogates U+FFFD, because no database keeps them; stray characters that show
 * nothing are dropped.
 */
export const asText = (value: unknown): string | null => {
  if (typeof value !== 'string') return null;
  const text = (isUntidy(value) ? printable(value) : value).trim();
  return text === '' ? null : text;
};

const printable = (text: string): string =>
  removeStrayInvisible(text)
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/\p{Cc}+/gu, ' ');

/** The first result that is not null when `read` is applied to each element in turn. */
export const firstMatch = <E, T>(
  elements: readonly E[],
  read: (element: E) => T | null,
): T | null => {
  for (const element of elements) {
    const result = read(element);
    if (result !== null) return result;
  }
  return null;
};
