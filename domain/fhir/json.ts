import { isUntidy, removeStrayInvisible } from '../text-input.ts';
import { countList, countText, spendBudget } from './steps.ts';

/** JSON object with unknown content, as returned by `JSON.parse`. */
export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : NOTHING);

const AMBIGUOUS = Symbol('a name twice');

/** Marks an object whose JSON text, or that of an object in it, has the same name twice. */
export const markAmbiguous = (value: unknown): void => {
  if (isObject(value)) Object.assign(value, { [AMBIGUOUS]: true });
};

export const isAmbiguous = (object: JsonObject): boolean => AMBIGUOUS in object;

const NOTHING: JsonObject = {};
const NONE: readonly never[] = [];

/** Wraps a single value in an array; null and undefined become an empty array. */
export const asArray = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) {
    countList(value);
    return value;
  }
  return value === undefined || value === null ? NONE : [value];
};

export const asObjects = (value: unknown): readonly JsonObject[] => {
  if (Array.isArray(value)) {
    countList(value);
    return areObjects(value) ? value : value.filter(isObject);
  }
  return isObject(value) ? [value] : NONE;
};

// Hot path, so a loop: this runs several times for nearly every list of a Bundle.
const areObjects = (values: readonly unknown[]): boolean => {
  for (const value of values) if (!isObject(value)) return false;
  return true;
};

/**
 * Returns the trimmed text of a string; null if it is blank or not a string. Control characters
 * become spaces and unpaired surrogates become U+FFFD, because databases cannot store them. Stray
 * invisible characters are dropped.
 */
export const asText = (value: unknown): string | null => {
  if (typeof value !== 'string') return null;
  countText(value);
  const text = (isUntidy(value) ? printable(value) : value).trim();
  return text === '' ? null : text;
};

const printable = (text: string): string => {
  // Each invisible character is looked at by itself, whether it is dropped or not.
  spendBudget(text.length >> 2);
  const visible = removeStrayInvisible(text);
  spendBudget(text.length - visible.length);
  return visible.replace(/\p{Cs}/gu, '\ufffd').replace(/\p{Cc}+/gu, ' ');
};

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

const MAX_CACHED = 500;
const MAX_CACHED_LENGTH = 200;

/** For texts that nearly all documents share, such as addresses of profiles. Long ones are not cached. */
export const cacheTexts = <T>(make: (text: string) => T): ((text: string) => T) => {
  const made = new Map<string, T>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const value = make(text);
    if (made.size >= MAX_CACHED) made.clear();
    if (text.length <= MAX_CACHED_LENGTH) made.set(text, value);
    return value;
  };
};

export const cacheBy = <T>(make: (object: JsonObject) => T): ((object: JsonObject) => T) => {
  const made = new Map<JsonObject, T>();
  return (object) => {
    const known = made.get(object);
    if (known !== undefined) return known;
    const value = make(object);
    made.set(object, value);
    return value;
  };
};
