import { type Coding, readCoding } from './coded-values.ts';
import { isAbsent } from './extensions.ts';
import {
  asArray,
  asObjects,
  asText,
  cacheTexts,
  firstMatch,
  isObject,
  type JsonObject,
} from './json.ts';
import { ABSENT, leaveOut, type Reading } from './readings.ts';
import { countName } from './steps.ts';

/**
 * Senders quote numbers and booleans and use the names of other types, so the value counts, not the
 * name.
 */
export interface StatedValues {
  readonly quantities: readonly JsonObject[];
  readonly numbers: readonly number[];
  readonly booleans: readonly boolean[];
  /** Strings of any type: text, code, date, time. A period is represented by its start. */
  readonly texts: readonly string[];
  readonly codings: readonly Coding[];
  readonly conceptTexts: readonly string[];
  readonly other: unknown;
  /** True if the element states that its value is absent, even if it has one. */
  readonly isAbsent: boolean;
}

export const getPrimitiveElement = (resource: JsonObject, name: string): JsonObject => {
  const [value, beside] = [resource[name], resource[toSibling(name)]];
  return value === undefined && beside === undefined ? NO_ELEMENT : { value, _value: beside };
};

const toSibling = cacheTexts((name) => `_${name}`);

const NO_ELEMENT: JsonObject = {};

type Sorted = {
  -readonly [Name in keyof StatedValues]: StatedValues[Name] extends readonly (infer T)[]
    ? T[]
    : StatedValues[Name];
};

const PREFIX = 'value';

export const collectStatedValues = (holder: JsonObject): StatedValues => {
  const reason = holder['dataAbsentReason'];
  // Created on demand, because most of the requested elements are absent.
  let sorted: Sorted | null = null;
  if (reason !== undefined && reason !== null) sorted = nothingSorted(true);
  let keys = 0;
  for (const key in holder) {
    countName(keys);
    keys += 1;
    if (key.startsWith(PREFIX)) {
      const value = holder[key];
      const isList = Array.isArray(value);
      if (isList ? asArray(value).length === 0 : (value ?? null) === null) continue;
      sorted ??= nothingSorted(false);
      if (isList) for (const one of value) sort(key, one, sorted);
      else sort(key, value, sorted);
    } else if (key.startsWith('_value') && isAbsent(holder[key])) {
      sorted ??= nothingSorted(true);
      sorted.isAbsent = true;
    }
  }
  return sorted ?? NOTHING_STATED;
};

// Shared empty list, never changed: most elements have values of one type and need no other list.
const NONE: never[] = [];

const addValue = <T>(list: T[], value: T): T[] => {
  if (list === NONE) return [value];
  list.push(value);
  return list;
};

const nothingSorted = (saysAbsent: boolean): Sorted => ({
  quantities: NONE,
  numbers: NONE,
  booleans: NONE,
  texts: NONE,
  codings: NONE,
  conceptTexts: NONE,
  other: undefined,
  isAbsent: saysAbsent,
});

const NOTHING_STATED: StatedValues = nothingSorted(false);

/** Hot path: the common case. */
export const statesNothing = (stated: StatedValues): boolean => stated === NOTHING_STATED;

const sort = (key: string, value: unknown, sorted: Sorted): void => {
  if (typeof value === 'number') sorted.numbers = addValue(sorted.numbers, value);
  else if (typeof value === 'boolean') sorted.booleans = addValue(sorted.booleans, value);
  else if (typeof value === 'string') {
    const text = asText(value);
    if (text === null) return;
    if (key === 'valueCode')
      sorted.codings = addValue(sorted.codings, { system: null, code: text, display: null });
    else sorted.texts = addValue(sorted.texts, text);
  } else if (isObject(value)) sortObject(key, value, sorted);
};

const sortObject = (key: string, value: JsonObject, sorted: Sorted): void => {
  if (isAbsent(value) || isAbsent(value['_value'])) sorted.isAbsent = true;
  if (key === 'valueCoding') addCoding(value, sorted);
  else if ('coding' in value || 'text' in value) {
    for (const coding of asObjects(value['coding'])) addCoding(coding, sorted);
    const text = asText(value['text']);
    if (text !== null) sorted.conceptTexts = addValue(sorted.conceptTexts, text);
  } else if ('value' in value || 'unit' in value || key === 'valueQuantity')
    sorted.quantities = addValue(sorted.quantities, value);
  else if ('start' in value) {
    const start = asText(value['start']);
    if (start !== null) sorted.texts = addValue(sorted.texts, start);
  } else sorted.other ??= value;
};

/** Without a code, its display is what it says. */
const addCoding = (sent: JsonObject, sorted: Sorted): void => {
  const coding = readCoding(sent);
  sorted.codings = addValue(sorted.codings, coding);
  if (coding.code === null && coding.display !== null)
    sorted.conceptTexts = addValue(sorted.conceptTexts, coding.display);
};

/** Codes, then words. */
export const listStatedWords = ({
  codings,
  conceptTexts,
  texts,
}: StatedValues): readonly string[] => [
  ...codings.flatMap(({ code }) => code ?? []),
  ...conceptTexts,
  ...texts,
];

// Birth records state "unknown" as -1.
const UNKNOWN = -1;

export const isUnknownNumber = (value: unknown): boolean =>
  value === UNKNOWN || value === String(UNKNOWN);

export const omitAbsent = <T>(
  { isAbsent: saysAbsent }: StatedValues,
  reading: Reading<T>,
  raw: unknown,
): Reading<T> => {
  if (!saysAbsent || reading.kind === 'none') return reading;
  return leaveOut(reading.kind === 'left-out' ? reading.raw : raw, 'said-absent');
};

export const findUnusedValue = (
  stated: StatedValues,
  ...others: readonly ('numbers' | 'quantities' | 'booleans')[]
): Reading<never> => {
  const stray = firstMatch(others, (name) => findStray(stated[name]));
  return stray === null && stated.other === undefined ? ABSENT : leaveOut(stray, 'not-understood');
};

const findStray = (values: readonly unknown[]): unknown =>
  firstMatch(values, (value) => {
    const stray = isObject(value) ? value['value'] : value;
    return isUnknownNumber(stray) ? null : (stray ?? null);
  });
