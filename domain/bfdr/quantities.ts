import type { WarningReason } from '../course-of-care/canonical-record.ts';
import { isObject, type JsonObject, objectsOf, textOf } from './json.ts';
import { leftOut, NOTHING_READ, type Reading, read } from './readings.ts';

/** How many canonical units one of each known unit is; units in lower case without brackets. */
export type Units = ReadonlyMap<string, number>;

const units = (table: Readonly<Record<string, number>>): Units =>
  new Map(
    Object.entries(table).flatMap(([names, factor]) =>
      names.split(' ').map((name) => [name, factor] as const),
    ),
  );

/** Units of mass, in grams: UCUM g, kg, mg, [lb_av], [oz_av] and the words senders use. */
export const GRAMS: Units = units({
  'g gm gr gram grams': 1,
  'kg kgs kilogram kilograms': 1000,
  'mg milligram milligrams': 0.001,
  'lb_av lb lbs pound pounds': 453.59237,
  'oz_av oz ounce ounces': 28.349523125,
});

/** Units of mass, in kilograms. */
export const KILOGRAMS: Units = new Map([...GRAMS].map(([unit, grams]) => [unit, grams / 1000]));

/** Units of length, in centimetres: UCUM [in_i], cm, m, mm, [ft_i] and the words senders use. */
export const CENTIMETRES: Units = units({
  'cm centimeter centimeters centimetre centimetres': 1,
  'mm millimeter millimeters millimetre millimetres': 0.1,
  'm meter meters metre metres': 100,
  'in_i in_us in inch inches': 2.54,
  'ft_i ft_us ft foot feet': 30.48,
});

/** Units of gestational age, in days: UCUM wk and d. */
export const DAYS: Units = units({ 'wk wks w week weeks': 7, 'd day days': 1 });

const SCORES: Units = units({ '1 score {score} {apgar} {points} points': 1 });
const COUNTS_IN_BRACES = /^\{(?!pack)[^{}]*\}$/;
const CIGARETTES = /^(?:1|\{#\}|\{cig[^{}]*\}|cig[a-z]*)?(?:\/(?:d|day|\{day\}))?$/;

/** Says whether a unit can count things: none, 1, or a UCUM annotation other than packs. */
export const isCount = (unit: string): boolean => unit === '1' || COUNTS_IN_BRACES.test(unit);

/** Says whether a unit can be that of an Apgar score, `{score}`. */
export const isScore = (unit: string): boolean => SCORES.has(unit);

/** Says whether a unit can be that of cigarettes a day. */
export const isCigarettesPerDay = (unit: string): boolean => CIGARETTES.test(unit);

// No unit that anybody writes is longer; keeps the patterns above from long texts.
const MAX_UNIT = 40;

/** The unit of a Quantity: `code`, else `unit`, in lower case without brackets; '' for none. */
const unitOf = (quantity: JsonObject): string => {
  const unit = (textOf(quantity['code']) ?? textOf(quantity['unit']) ?? '').slice(0, MAX_UNIT);
  return unit.toLowerCase().replaceAll('[', '').replaceAll(']', '');
};

/**
 * A converted value without the noise that a conversion such as 7 × 453.59237 leaves in its last
 * bits; nine decimals hold every product of a table factor with a measured value.
 */
export const withoutNoise = (value: number): number => {
  const rounded = Math.round(value * 1e9) / 1e9;
  return Number.isFinite(rounded) ? rounded : value;
};

// BFDR records state "unknown" as -1.
const UNKNOWN = -1;

/** A number with its Quantity, or a bare integer: the two forms in which senders state numbers. */
type Stated = { readonly value: number; readonly unit: string; readonly comparator: boolean };

const statedIn = (holder: JsonObject): Reading<Stated> => {
  const quantity = holder['valueQuantity'];
  if (isObject(quantity)) {
    return numberIn(quantity['value'], unitOf(quantity), textOf(quantity['comparator']) !== null);
  }
  return numberIn(holder['valueInteger'], '', false);
};

const numberIn = (value: unknown, unit: string, comparator: boolean): Reading<Stated> => {
  if (value === undefined || value === null || value === UNKNOWN) return NOTHING_READ;
  if (typeof value !== 'number' || !Number.isFinite(value))
    return leftOut(value, 'The value is not a number');
  return read({ value, unit, comparator });
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
  const { value, unit, comparator } = stated.value;
  if (comparator) return leftOut(value, 'The quantity has a comparator');
  if (unit === '' && unitless === null) return leftOut(value, 'The unit is missing');
  const factor = table.get(unit === '' ? (unitless ?? '') : unit);
  if (factor === undefined) return leftOut(value, 'The unit is unknown');
  return inRange(withoutNoise(value * factor), value, range);
};

const inRange = (value: number, raw: number, range: Range): Reading<number> =>
  value >= range.from && value <= range.to
    ? read(value)
    : leftOut(raw, 'The number is outside the possible range');

/** Reads a whole number whose unit, if any, `isUnit` accepts. */
export const readWhole = (
  observation: JsonObject,
  isUnit: (unit: string) => boolean,
  range: Range,
): Reading<number> => {
  const stated = statedIn(observation);
  if (stated.kind !== 'value') return stated;
  const { value, unit, comparator } = stated.value;
  const reason = reasonAgainstWhole(value, comparator, unit === '' || isUnit(unit));
  return reason === null ? inRange(value, value, range) : leftOut(value, reason);
};

const reasonAgainstWhole = (
  value: number,
  comparator: boolean,
  unitKnown: boolean,
): WarningReason | null => {
  if (comparator) return 'The quantity has a comparator';
  if (!unitKnown) return 'The unit is unknown';
  return Number.isInteger(value) ? null : 'The number is not whole';
};

const POUNDS: ReadonlySet<string> = new Set(['lb_av', 'lb', 'lbs', 'pound', 'pounds']);
const OUNCES: ReadonlySet<string> = new Set(['oz_av', 'oz', 'ounce', 'ounces']);

/**
 * Reads a birth weight in grams, exactly as converted. Pounds in the value and ounces in a
 * component, or both in components, add up; no unit means grams.
 */
export const readBirthWeight = (observation: JsonObject, range: Range): Reading<number> => {
  const parts = poundsAndOunces(observation);
  if (parts === null) return readMeasure(observation, GRAMS, 'g', range);
  const broken = parts.find((part) => part.value < 0);
  if (broken !== undefined) {
    return leftOut(broken.value, 'The number is outside the possible range');
  }
  if (parts.some((part) => part.comparator))
    return leftOut(parts[0]?.value, 'The quantity has a comparator');
  const grams = parts.reduce((sum, { value, unit }) => sum + value * (GRAMS.get(unit) ?? 0), 0);
  return inRange(withoutNoise(grams), parts[0]?.value ?? 0, range);
};

// Null when the Observation is not one in pounds with components.
const poundsAndOunces = (observation: JsonObject): readonly Stated[] | null => {
  const components = objectsOf(observation['component']);
  if (components.length === 0) return null;
  const main = statedIn(observation);
  if (main.kind === 'left-out' || (main.kind === 'value' && !POUNDS.has(main.value.unit)))
    return null;
  const parts = [main, ...components.map(statedIn)].flatMap((stated) =>
    stated.kind === 'value' ? [stated.value] : [],
  );
  const pounds = parts.find((part) => POUNDS.has(part.unit));
  const ounces = parts.find((part) => OUNCES.has(part.unit));
  if (pounds === undefined) return null;
  return ounces === undefined ? [pounds] : [pounds, ounces];
};
