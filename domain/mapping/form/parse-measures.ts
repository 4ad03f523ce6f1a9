import { DAYS_PER_WEEK } from '../../course/gestational-age.ts';
import {
  BIRTH_WEIGHT_GRAMS,
  GESTATION_DAYS,
  GESTATION_WEEKS,
} from '../../course/possible-ranges.ts';
import {
  CENTIMETERS,
  DAYS,
  GRAMS,
  isInRange,
  KILOGRAMS,
  type Range,
  removeNoise,
} from '../../fhir/quantities.ts';
import { invalid, ok, type Parsed } from './parsed.ts';

export const MISSING_UNIT = 'is missing a unit.';

const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const DECIMAL = /^(?:\d+(?:[.,]\d+)?|\.\d+)$/;

/** `3400`, `3,400`, `3.4`, `3,4`; `null` for other texts. */
export const parseNumber = (text: string): number | null => {
  if (THOUSANDS.test(text)) return Number(text.replaceAll(',', ''));
  return DECIMAL.test(text) ? Number(text.replace(',', '.')) : null;
};

export const parseWholeNumber = (
  text: string,
  words: string,
  { from, to }: Range,
): Parsed<number> => {
  const value = parseNumber(text);
  return value !== null && Number.isInteger(value) && value >= from && value <= to
    ? ok(value)
    : invalid(
        'whole-number-out-of-range',
        `The ${words} needs to be a whole number from ${from} to ${to}.`,
      );
};

const PACKS =
  /^(?:(\d{1,2}(?:\.\d{1,2})?|\.\d{1,2})|(?:(\d) )?([1-3])\/([2-4])|(half)(?: an?)?|an?|one) ?(?:packs?|ppd)(?: ?(?:an?|per|\/) ?day)?$/i;

/** `1 pack`, `1/2 pack`, `1.5 packs a day`; `null` for other texts. */
export const parsePacks = (text: string): number | null => {
  const match = PACKS.exec(text);
  if (match === null) return null;
  const [, decimal, whole, part, of, half] = match;
  if (decimal !== undefined) return Number(decimal);
  if (part !== undefined) return Number(whole ?? 0) + Number(part) / Number(of);
  return half === undefined ? 1 : 1 / 2;
};

interface Part {
  readonly value: number;
  readonly unit: string;
}

const PART = /(\d[\d,]*(?:\.\d+)?|\.\d+)\s*(['′’]{1,2}|["″”]|[a-z_]*)(?:\.|,|\band\b|\s)*/gy;

/** `7 lb 8 oz`; null if it contains anything else. */
const splitParts = (text: string): readonly Part[] | null => {
  const tidy = text.trim().toLowerCase();
  const parts: Part[] = [];
  let end = 0;
  for (const match of tidy.matchAll(PART)) {
    // A comma after a number is a separator, not part of the number.
    const value = parseNumber(removeCommas(match[1] ?? ''));
    if (value === null) return null;
    parts.push({ value, unit: splitSign(match[2] ?? '') });
    end = match.index + match[0].length;
  }
  return end === tidy.length && parts.length > 0 ? parts : null;
};

const removeCommas = (text: string): string => {
  let end = text.length;
  while (text[end - 1] === ',') end -= 1;
  return text.slice(0, end);
};

const splitSign = (unit: string): string => {
  if (/^["″”]$|^['′’]{2}$/.test(unit)) return 'in';
  return /^['′’]$/.test(unit) ? 'ft' : unit;
};

/** Smaller unit: implied for a second number without a unit. */
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
  readonly units: string;
  readonly other?: { readonly unit: string; readonly perUnit: number };
  /** Range of numbers that are only plausible in the stored unit. */
  readonly unitless?: Range;
}

const MEASURES: Readonly<Record<'g' | 'kg' | 'cm', Measure>> = {
  g: {
    table: GRAMS,
    units: 'grams, or pounds and ounces',
    unitless: { from: 500, to: BIRTH_WEIGHT_GRAMS.to },
  },
  kg: {
    table: KILOGRAMS,
    units: 'pounds or kilograms, such as 143 lb or 65 kg',
    other: { unit: 'lb', perUnit: 2.2046226218 },
  },
  cm: {
    table: CENTIMETERS,
    units: 'feet and inches, or centimeters, such as 5 ft 7 in or 170 cm',
    other: { unit: 'in', perUnit: 1 / 2.54 },
  },
};

export const isUnitName = (word: string, unit: keyof typeof MEASURES): boolean =>
  MEASURES[unit].table.has(word);

/**
 * `3400 g`, `7 lb 8 oz`, `65 kg`, `143 lb`, `170 cm`, `5'7"`.
 * @param unitIsNamed a bare number is in the unit of the label or column
 */
export const parseMeasure = (
  text: string,
  words: string,
  { unit, range }: { readonly unit: keyof typeof MEASURES; readonly range: Range },
  unitIsNamed: boolean,
): Parsed<number> => {
  const { table, units, other, unitless } = MEASURES[unit];
  const parts = splitParts(text);
  const [first, second] = parts ?? [];
  if (parts === null || first === undefined || parts.length > 2)
    return invalid('measure-not-understood', `The ${words} is not understood. Use ${units}.`);
  const isPlain = unitIsNamed || (unitless !== undefined && isInRange(unitless, first.value));
  if (first.unit === '' && !isPlain)
    return invalid('unit-missing', `The ${words} ${MISSING_UNIT} Use ${units}.`);
  const typedUnit = first.unit === '' ? unit : first.unit;
  const factor = table.get(typedUnit);
  if (factor === undefined)
    return invalid('unit-unknown', `The ${words} has an unknown unit. Use ${units}.`);
  let value = first.value * factor;
  if (second !== undefined) {
    const smaller = SMALLER.get(typedUnit);
    if (smaller === undefined || !smaller.names.has(second.unit))
      return invalid('measure-not-understood', `The ${words} is not understood. Use ${units}.`);
    value += second.value * (table.get(smaller.unit) ?? 0);
  }
  const exact = removeNoise(value);
  if (isInRange(range, exact)) return ok(exact);
  const possible = `from ${range.from} ${unit} to ${range.to} ${unit}`;
  const inOther = other === undefined ? '' : ` (${toOtherUnit(range, other)})`;
  return invalid(
    'measure-out-of-range',
    `The ${words} is not possible. It needs to be ${possible}${inOther}.`,
  );
};

const toOtherUnit = (
  { from, to }: Range,
  { unit, perUnit }: NonNullable<Measure['other']>,
): string => `${roundMeasure(from * perUnit)} ${unit} to ${roundMeasure(to * perUnit)} ${unit}`;

/** Two digits are enough for a limit in a message. */
const roundMeasure = (value: number): number => Number(value.toPrecision(2));

/** Gestational age in days; `hasDays` if days beyond the weeks were stated. */
export interface ParsedGestation {
  readonly days: number;
  readonly hasDays: boolean;
}

const WEEKS_AND_DAYS = /^(\d{1,2})(?:\s*[+/]\s*([0-6])(?:\/7)?|(?:\s+|-)([0-6])\/7)$/;
// One digit after the point may be the days.
const DAYS_OR_FRACTION = /^\d{1,2}[.,][1-6]$/;

/**
 * `39w4d`, `39 weeks 4 days`, `39+4`, `39 4/7`, `39.4 weeks`, `39`, `277 days`; `39.4` alone is
 * ambiguous.
 */
export const parseGestation = (text: string, words: string): Parsed<ParsedGestation> => {
  const unclear = invalid(
    'gestation-not-understood',
    `The ${words} is not understood. Type weeks and days like 39w4d, or weeks like 39.4 weeks.`,
  );
  const [, weeks = '', plus = '', sevenths = ''] = WEEKS_AND_DAYS.exec(text.trim()) ?? [];
  const beyond = plus === '' ? sevenths : plus;
  if (weeks !== '')
    return checkGestation(Number(weeks) * DAYS_PER_WEEK + Number(beyond), true, words);
  if (DAYS_OR_FRACTION.test(text.trim()))
    return invalid(
      'gestation-ambiguous',
      `Is the ${words} in weeks and days, or in a fraction of weeks? Type 39w4d for 39 weeks 4 days, or 39.4 weeks.`,
    );
  const parts = splitParts(text);
  const [first, second] = parts ?? [];
  if (parts === null || first === undefined || parts.length > 2) return unclear;
  const factor = DAYS.get(first.unit === '' ? 'wk' : first.unit);
  if (factor === undefined) return unclear;
  if (second === undefined)
    return checkGestation(
      first.value * factor,
      factor === 1 || !Number.isInteger(first.value),
      words,
    );
  const isBeyond =
    factor === 7 && (second.unit === '' || DAYS.get(second.unit) === 1) && second.value <= 6;
  return isBeyond && Number.isInteger(first.value) && Number.isInteger(second.value)
    ? checkGestation(first.value * DAYS_PER_WEEK + second.value, true, words)
    : unclear;
};

// Same as for a Bundle: checks the range first, then rounds to the nearest day.
const checkGestation = (days: number, hasDays: boolean, words: string): Parsed<ParsedGestation> =>
  isInRange(GESTATION_DAYS, days)
    ? ok({ days: Math.round(days), hasDays })
    : invalid(
        'gestation-out-of-range',
        `The ${words} is not possible. It needs to be from ${GESTATION_WEEKS.from} to ${GESTATION_WEEKS.to} weeks.`,
      );
