import { isObject, type JsonObject, textOf } from './json.ts';
import { leftOut, NOTHING_READ, type Reading, type ReadingReason, read } from './readings.ts';
import { type Units, withoutNoise } from './units.ts';

// No unit that anybody writes is longer; keeps the patterns that read it from long texts.
const MAX_UNIT = 40;

/** The unit of a Quantity: `code`, else `unit`, in lower case without brackets; '' for none. */
const unitOf = (quantity: JsonObject): string => {
  const unit = (textOf(quantity['code']) ?? textOf(quantity['unit']) ?? '').slice(0, MAX_UNIT);
  return unit.toLowerCase().replaceAll('[', '').replaceAll(']', '');
};

// Birth records state "unknown" as -1.
const UNKNOWN = -1;

/** A number as it was stated. */
export type Stated = {
  readonly value: number;
  readonly unit: string;
  readonly comparator: boolean;
};

/** Reads a Quantity, or a bare integer: the two forms in which senders state numbers. */
export const statedIn = (holder: JsonObject): Reading<Stated> => {
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

/** A value if it is a possible one. @param raw as it was stated, for the reason against it */
export const inRange = (value: number, raw: number, range: Range): Reading<number> =>
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
): ReadingReason | null => {
  if (comparator) return 'The quantity has a comparator';
  if (!unitKnown) return 'The unit is unknown';
  return Number.isInteger(value) ? null : 'The number is not whole';
};
