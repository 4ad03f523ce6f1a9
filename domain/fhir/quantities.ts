import { UCUM } from './code-systems.ts';
import { codingsOf, statesUnknown } from './coded-values.ts';
import { isObject, type JsonObject, textOf } from './json.ts';
import { leftOut, NOTHING_READ, type Reading, type ReadingReason, read } from './readings.ts';
import { type Units, withoutNoise } from './units.ts';

// No unit that anybody writes is longer; keeps the patterns that read it from long texts.
const MAX_UNIT = 40;

const unitIn = (text: string): string =>
  text.slice(0, MAX_UNIT).toLowerCase().replaceAll('[', '').replaceAll(']', '');

/**
 * The units that a Quantity states, in lower case without brackets: its `code`, then its `unit`.
 * A UCUM code stands alone; beside a code of SNOMED CT or of no system the text may be the known one.
 */
const unitsOf = (quantity: JsonObject): readonly string[] => {
  const code = textOf(quantity['code']);
  const isUcum = code !== null && textOf(quantity['system']) === UCUM;
  const texts = isUcum ? [code] : [code, textOf(quantity['unit'])];
  return texts.filter((text) => text !== null).map(unitIn);
};

// Birth records state "unknown" as -1.
const UNKNOWN = -1;

/** A number as it was stated. `units` are the names that its unit has, none if none was stated. */
export type Stated = {
  readonly value: number;
  readonly units: readonly string[];
  readonly comparator: boolean;
};

/** Reads a number from a Quantity, an integer, a text, or the words of a coded answer. */
export const statedIn = (holder: JsonObject): Reading<Stated> => {
  const quantity = holder['valueQuantity'];
  if (isObject(quantity))
    return numberIn(quantity['value'], unitsOf(quantity), textOf(quantity['comparator']) !== null);
  const integer = holder['valueInteger'];
  if (integer !== undefined && integer !== null) return numberIn(integer, [], false);
  return numberInWords(wordsIn(holder));
};

const numberIn = (
  value: unknown,
  units: readonly string[],
  comparator: boolean,
): Reading<Stated> => {
  if (value === undefined || value === null || value === UNKNOWN) return NOTHING_READ;
  if (typeof value !== 'number' || !Number.isFinite(value)) return leftOut(value, 'not-a-number');
  return read({ value, units, comparator });
};

/** What a coded answer says. Its codes speak only where no words do: 3 may stand for "6 to 10". */
const wordsIn = (holder: JsonObject): readonly string[] => {
  const concept = holder['valueCodeableConcept'];
  const codings = codingsOf(concept);
  const codes = codings.map(({ code }) => code).filter((code) => code !== null);
  const words = [
    textOf(holder['valueString']),
    isObject(concept) ? textOf(concept['text']) : null,
    ...codings.map(({ display }) => display),
  ].filter((word) => word !== null);
  return words.length === 0 ? codes : [...words, ...codes.filter(statesUnknown)];
};

// Up to six digits: the codes of terminologies that are numbers have more.
const NUMBER_AND_UNIT = /^(-?\d{1,6}(?:\.\d{1,6})?)\s*((?:[a-z[{/#][^\s\d]*|\/\s*10)?)$/i;

const numberInWords = (words: readonly string[]): Reading<Stated> => {
  for (const word of words) {
    const [, number, unit = ''] = NUMBER_AND_UNIT.exec(word) ?? [];
    if (number !== undefined)
      return numberIn(Number(number), unit === '' ? [] : [unitIn(unit.replace(/\s/g, ''))], false);
  }
  const [first] = words;
  return first === undefined || words.some(statesUnknown)
    ? NOTHING_READ
    : leftOut(first, 'not-understood');
};

/** The possible values of a number, both ends included. */
export type Range = { readonly from: number; readonly to: number };

/**
 * Reads a measured value as `units` convert it. `unitless` is the unit meant when none is stated,
 * null when a unit has to be there.
 */
export const readMeasure = (
  observation: JsonObject,
  table: Units,
  unitless: string | null,
  range: Range,
): Reading<number> => {
  const stated = statedIn(observation);
  if (stated.kind !== 'value') return stated;
  const { value, comparator } = stated.value;
  const units = stated.value.units.length > 0 ? stated.value.units : unitsMeant(unitless);
  if (comparator) return leftOut(value, 'has-comparator');
  if (units.length === 0) return leftOut(value, 'unit-missing');
  const factor = table.get(units.find((unit) => table.has(unit)) ?? '');
  if (factor === undefined) return leftOut(value, 'unit-unknown');
  return inRange(withoutNoise(value * factor), value, range);
};

const unitsMeant = (unitless: string | null): readonly string[] =>
  unitless === null ? [] : [unitless];

/** A value if it is a possible one. @param raw as it was stated, for the reason against it */
export const inRange = (value: number, raw: number, range: Range): Reading<number> =>
  value >= range.from && value <= range.to ? read(value) : leftOut(raw, 'out-of-range');

/** Reads a whole number whose unit, if any, `isUnit` accepts. */
export const readWhole = (
  observation: JsonObject,
  isUnit: (unit: string) => boolean,
  range: Range,
): Reading<number> => {
  const stated = statedIn(observation);
  if (stated.kind !== 'value') return stated;
  const { value, units, comparator } = stated.value;
  const isKnown = units.length === 0 || units.some(isUnit);
  const reason = reasonAgainstWhole(value, comparator, isKnown);
  return reason === null ? inRange(value, value, range) : leftOut(value, reason);
};

const reasonAgainstWhole = (
  value: number,
  comparator: boolean,
  unitKnown: boolean,
): ReadingReason | null => {
  if (comparator) return 'has-comparator';
  if (!unitKnown) return 'unit-unknown';
  return Number.isInteger(value) ? null : 'not-whole';
};
