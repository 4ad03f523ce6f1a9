import type { Range } from '../../fhir/quantities.ts';
import { CENTIMETRES, DAYS, GRAMS, KILOGRAMS, withoutNoise } from '../../fhir/units.ts';
import { DAYS_PER_WEEK } from '../gestational-age.ts';
import { BIRTH_WEIGHT_GRAMS, GESTATION_DAYS, HEIGHT_CM, WEIGHT_KG } from '../possible-ranges.ts';
import { type TypedValue, typed, wrong } from './typed-value.ts';

const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const DECIMAL = /^(?:\d+(?:[.,]\d+)?|\.\d+)$/;

/** A number as people type it: `3400`, `3,400`, `3.4`, `3,4`. Null: it is none. */
export const numberIn = (text: string): number | null => {
  if (THOUSANDS.test(text)) return Number(text.replaceAll(',', ''));
  return DECIMAL.test(text) ? Number(text.replace(',', '.')) : null;
};

/**
 * Reads a whole number within a range.
 * @param words what the field is called in a sentence
 */
export const typedWhole = (
  text: string,
  words: string,
  { from, to }: Range,
): TypedValue<number> => {
  const value = numberIn(text);
  return value !== null && Number.isInteger(value) && value >= from && value <= to
    ? typed(value)
    : wrong(`The ${words} needs to be a whole number from ${from} to ${to}.`);
};

/** A number with the unit that was typed behind it, '' for none. */
interface Part {
  readonly value: number;
  readonly unit: string;
}

const PART = /(\d[\d,]*(?:\.\d+)?|\.\d+)\s*(['′’]{1,2}|["″”]|[a-z_]*)(?:\.|,|\band\b|\s)*/gy;

/** The numbers and units of a text such as `7 lb 8 oz`. Null: it has something else in it. */
const partsOf = (text: string): readonly Part[] | null => {
  const tidy = text.trim().toLowerCase();
  const parts: Part[] = [];
  let end = 0;
  for (const match of tidy.matchAll(PART)) {
    // A comma behind a number belongs to the list, not to the number.
    const value = numberIn(withoutCommas(match[1] ?? ''));
    if (value === null) return null;
    parts.push({ value, unit: signs(match[2] ?? '') });
    end = match.index + match[0].length;
  }
  return end === tidy.length && parts.length > 0 ? parts : null;
};

/** A number without the commas behind it. */
const withoutCommas = (text: string): string => {
  let end = text.length;
  while (text[end - 1] === ',') end -= 1;
  return text.slice(0, end);
};

const signs = (unit: string): string => {
  if (/^["″”]$|^['′’]{2}$/.test(unit)) return 'in';
  return /^['′’]$/.test(unit) ? 'ft' : unit;
};

/** A smaller unit: a number without one means it after the larger one. */
interface SmallerUnit {
  readonly unit: string;
  readonly names: ReadonlySet<string>;
}

const OUNCES: SmallerUnit = {
  unit: 'oz',
  names: new Set(['', 'oz', 'ozs', 'ounce', 'ounces', 'oz_av']),
};
const INCHES: SmallerUnit = {
  unit: 'in',
  names: new Set(['', 'in', 'ins', 'inch', 'inches', 'in_i']),
};

const SMALLER: ReadonlyMap<string, SmallerUnit> = new Map([
  ...['lb', 'lbs', 'pound', 'pounds', 'lb_av'].map((unit) => [unit, OUNCES] as const),
  ...['ft', 'foot', 'feet', 'ft_i'].map((unit) => [unit, INCHES] as const),
]);

interface Measure {
  readonly table: ReadonlyMap<string, number>;
  readonly range: Range;
  /** How to say it, behind "Use" and the like. */
  readonly units: string;
  /** The possible values, in words. */
  readonly possible: string;
  /** The unit of a number without one; null: a unit is needed. */
  readonly unitless: (value: number) => string | null;
}

const typedMeasure = (text: string, words: string, measure: Measure): TypedValue<number> => {
  const { table, range, units, possible } = measure;
  const parts = partsOf(text);
  const [first, second] = parts ?? [];
  if (parts === null || first === undefined || parts.length > 2)
    return wrong(`The ${words} is not understood. Use ${units}.`);
  const unit = first.unit === '' ? measure.unitless(first.value) : first.unit;
  if (unit === null) return wrong(`The ${words} is missing a unit. Use ${units}.`);
  const factor = table.get(unit);
  if (factor === undefined) return wrong(`The ${words} has an unknown unit. Use ${units}.`);
  let value = first.value * factor;
  if (second !== undefined) {
    const smaller = SMALLER.get(unit);
    if (smaller === undefined || !smaller.names.has(second.unit))
      return wrong(`The ${words} is not understood. Use ${units}.`);
    value += second.value * (table.get(smaller.unit) ?? 0);
  }
  const exact = withoutNoise(value);
  return exact >= range.from && exact <= range.to
    ? typed(exact)
    : wrong(`The ${words} is not possible. It needs to be ${possible}.`);
};

// A bare number in this range can only be grams.
const BARE_GRAMS: Range = { from: 500, to: BIRTH_WEIGHT_GRAMS.to };

/** Reads a birth weight as grams: `3400 g`, `3.4 kg`, `7 lb 8 oz`; a bare 500 to 9000 is grams. */
export const typedBirthWeight = (
  text: string,
  words: string,
  unitIsNamed: boolean,
): TypedValue<number> =>
  typedMeasure(text, words, {
    table: GRAMS,
    range: BIRTH_WEIGHT_GRAMS,
    units: 'grams, or pounds and ounces',
    possible: `from ${BIRTH_WEIGHT_GRAMS.from} g to ${BIRTH_WEIGHT_GRAMS.to} g`,
    unitless: (value) =>
      unitIsNamed || (value >= BARE_GRAMS.from && value <= BARE_GRAMS.to) ? 'g' : null,
  });

/** Reads a weight of the mother as kilograms: `65 kg`, `143 lb`. */
export const typedWeight = (
  text: string,
  words: string,
  unitIsNamed: boolean,
): TypedValue<number> =>
  typedMeasure(text, words, {
    table: KILOGRAMS,
    range: WEIGHT_KG,
    units: 'pounds or kilograms, such as 143 lb or 65 kg',
    possible: 'from 20 kg to 400 kg (44 lb to 880 lb)',
    unitless: () => (unitIsNamed ? 'kg' : null),
  });

/** Reads a height as centimetres: `170 cm`, `1.7 m`, `5 ft 7 in`, `5'7"`. */
export const typedHeight = (
  text: string,
  words: string,
  unitIsNamed: boolean,
): TypedValue<number> =>
  typedMeasure(text, words, {
    table: CENTIMETRES,
    range: HEIGHT_CM,
    units: 'feet and inches, or centimeters, such as 5 ft 7 in or 170 cm',
    possible: 'from 50 cm to 250 cm (20 in to 98 in)',
    unitless: () => (unitIsNamed ? 'cm' : null),
  });

/** A gestational age in days, and whether the days beyond the weeks were stated. */
export interface TypedGestation {
  readonly days: number;
  readonly hasDays: boolean;
}

const WEEKS_AND_DAYS = /^(\d{1,2})\s*[+/]\s*([0-6])$/;

/** Reads a gestational age: `39w4d`, `39 weeks 4 days`, `39+4`, `39.5` weeks, `39`, `277 days`. */
export const typedGestation = (text: string, words: string): TypedValue<TypedGestation> => {
  const unclear = wrong(
    `The ${words} is not understood. Type weeks and days like 39w4d, or weeks like 39.5.`,
  );
  const [, weeks = '', beyond = ''] = WEEKS_AND_DAYS.exec(text.trim()) ?? [];
  if (weeks !== '')
    return possibleGestation(Number(weeks) * DAYS_PER_WEEK + Number(beyond), true, words);
  const parts = partsOf(text);
  const [first, second] = parts ?? [];
  if (parts === null || first === undefined || parts.length > 2) return unclear;
  const factor = DAYS.get(first.unit === '' ? 'wk' : first.unit);
  if (factor === undefined) return unclear;
  if (second === undefined)
    return possibleGestation(
      first.value * factor,
      factor === 1 || !Number.isInteger(first.value),
      words,
    );
  const isBeyond =
    factor === 7 && (second.unit === '' || DAYS.get(second.unit) === 1) && second.value <= 6;
  return isBeyond && Number.isInteger(first.value) && Number.isInteger(second.value)
    ? possibleGestation(first.value * DAYS_PER_WEEK + second.value, true, words)
    : unclear;
};

// As for a Bundle: the range is judged first, then fractions go to the nearest day.
const possibleGestation = (
  days: number,
  hasDays: boolean,
  words: string,
): TypedValue<TypedGestation> =>
  days >= GESTATION_DAYS.from && days <= GESTATION_DAYS.to
    ? typed({ days: Math.round(days), hasDays })
    : wrong(
        `The ${words} is not possible. It needs to be from ${GESTATION_DAYS.from / DAYS_PER_WEEK} to ${GESTATION_DAYS.to / DAYS_PER_WEEK} weeks.`,
      );
