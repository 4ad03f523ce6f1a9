import { readSystem, statesUnknown, UCUM } from './coded-values.ts';
import { readRecordedBeside } from './extensions.ts';
import { asObjects, asText, cacheTexts, type JsonObject } from './json.ts';
import { ABSENT, leaveOut, present, type Reading, type ReadingReason } from './readings.ts';
import {
  collectStatedValues,
  findUnusedValue,
  isUnknownNumber,
  omitAbsent,
  type StatedValues,
  statesNothing,
} from './stated-values.ts';

// Longer than any real unit. Protects the patterns below from long texts.
const MAX_UNIT = 40;

const findUnit = cacheTexts((text) =>
  text.slice(0, MAX_UNIT).toLowerCase().replaceAll('[', '').replaceAll(']', ''),
);

/**
 * Lower case, without brackets. The `unit` is ignored next to a UCUM code, but may be the known one next
 * to any other.
 */
const listUnits = (quantity: JsonObject): readonly string[] => {
  const code = asText(quantity['code']);
  const isUcum = code !== null && readSystem(quantity['system']) === UCUM;
  const texts = isUcum ? [code] : [code, asText(quantity['unit'])];
  return texts.filter((text) => text !== null).map(findUnit);
};

/** Number as sent. `units` are the names of its unit; empty if it has none. */
export type Stated = {
  readonly value: number;
  readonly units: readonly string[];
  readonly comparator: boolean;
};

/** Reads a number from a Quantity, an integer or decimal, a string, or the words of a coded answer. */
export const readStatedValue = (holder: JsonObject): Reading<Stated> => {
  const stated = collectStatedValues(holder);
  if (statesNothing(stated)) return ABSENT;
  const number = readStatedNumber(stated);
  return omitAbsent(stated, number, number.kind === 'value' ? number.value.value : null);
};

const readStatedNumber = (stated: StatedValues): Reading<Stated> => {
  for (const quantity of stated.quantities) {
    const comparator = asText(quantity['comparator']) !== null;
    const sent = findExactValue(quantity) ?? quantity['value'];
    const number = findNumber(sent, listUnits(quantity), comparator);
    if (number.kind !== 'none') return number;
  }
  for (const value of stated.numbers) {
    const number = findNumber(value, [], false);
    if (number.kind !== 'none') return number;
  }
  const inWords = parseNumberWords(findWords(stated));
  return inWords.kind === 'none' ? findUnusedValue(stated, 'booleans') : inWords;
};

const findExactValue = (quantity: JsonObject): string | null =>
  quantity['extension'] === undefined
    ? null
    : readRecordedBeside(
        quantity,
        (recorded) => Math.abs(Number(recorded) - Number(quantity['value'])) <= HALF,
      );
const HALF = 0.5;

const findNumber = (
  value: unknown,
  units: readonly string[],
  comparator: boolean,
): Reading<Stated> => {
  const number = typeof value === 'string' ? parseNumberText(value) : value;
  if (number === undefined || number === null || isUnknownNumber(number)) return ABSENT;
  if (typeof number !== 'number' || !Number.isFinite(number))
    return leaveOut(value, 'not-a-number');
  return present({ value: number, units, comparator });
};

// Longer than any real number.
const MAX_NUMBER = 40;
const NUMBER = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d{1,2})?$/i;

/** Parses a number sent as text; null if it is blank or unknown, the text itself if it is not a number. */
const parseNumberText = (text: string): number | string | null => {
  const tidy = asText(text);
  if (tidy === null || statesUnknown(tidy)) return null;
  return tidy.length <= MAX_NUMBER && NUMBER.test(tidy) ? Number(tidy.replaceAll(',', '')) : tidy;
};

/** Words of a coded answer. Its codes are used only if it has no words, because 3 may mean "6 to 10". */
const findWords = ({ texts, conceptTexts, codings }: StatedValues): readonly string[] => {
  const codes = codings.map(({ code }) => code).filter((code) => code !== null);
  const displays = codings.map(({ display }) => display).filter((display) => display !== null);
  const words = [...texts, ...conceptTexts, ...displays];
  return words.length === 0 ? codes : [...words, ...codes.filter(statesUnknown)];
};

// Up to six digits, because numeric codes of terminologies have more.
const NUMBER_AND_UNIT =
  /^(-?(?:\d{1,3},\d{3}|\d{1,6})(?:\.\d{1,6})?)\s*((?:[a-z[{/#][^\s\d]*|\/\s*10)?)$/i;

const parseNumberWords = (words: readonly string[]): Reading<Stated> => {
  for (const word of words) {
    const [, number, unit = ''] = NUMBER_AND_UNIT.exec(word) ?? [];
    if (number !== undefined)
      return findNumber(number, unit === '' ? [] : [findUnit(unit.replace(/\s/g, ''))], false);
  }
  const [first] = words;
  return first === undefined || words.some(statesUnknown)
    ? ABSENT
    : leaveOut(first, 'not-understood');
};

/** Possible values of a number, inclusive. */
export type Range = { readonly from: number; readonly to: number };

/**
 * A component in a smaller unit is added: weeks and days, feet and inches, pounds and ounces.
 * @param unitless default unit; null if a unit is required
 */
export const readMeasure = (
  observation: JsonObject,
  table: Units,
  unitless: string | null,
  range: Range,
): Reading<number> => {
  const whole = measureQuantity(readStatedValue(observation), table, unitless);
  if (whole.kind === 'left-out') return whole;
  const components = asObjects(observation['component']);
  if (components.length === 0) return whole.kind === 'none' ? whole : addParts(whole.value, range);
  const parts = components.map((component) =>
    measureQuantity(readStatedValue(component), table, unitless),
  );
  const known = parts.flatMap((part) => (part.kind === 'value' ? [part.value] : []));
  const broken = parts.flatMap((part) => (part.kind === 'left-out' ? [part] : []));
  const largest = whole.kind === 'value' ? whole.value : findLargest(known);
  if (largest === undefined) return broken[0] ?? ABSENT;
  const unusable = broken.find(({ reason }) => !UNIT_REASONS.has(reason));
  if (unusable !== undefined) return unusable;
  const smaller = findLargest(known.filter(({ factor }) => factor < largest.factor));
  return smaller === undefined ? addParts(largest, range) : addQuantities(largest, smaller, range);
};

// A component without a unit of this table is not part of the value.
const UNIT_REASONS: ReadonlySet<ReadingReason> = new Set(['unit-missing', 'unit-unknown']);

type Measured = { readonly value: number; readonly factor: number };

const measureQuantity = (
  stated: Reading<Stated>,
  table: Units,
  unitless: string | null,
): Reading<Measured> => {
  if (stated.kind !== 'value') return stated;
  const { value, comparator } = stated.value;
  const units = stated.value.units.length > 0 ? stated.value.units : guessUnits(unitless);
  if (comparator) return leaveOut(value, 'has-comparator');
  if (units.length === 0) return leaveOut(value, 'unit-missing');
  const factor = table.get(units.find((unit) => table.has(unit)) ?? '');
  return factor === undefined ? leaveOut(value, 'unit-unknown') : present({ value, factor });
};

const addParts = ({ value, factor }: Measured, range: Range): Reading<number> =>
  checkRange(removeNoise(value * factor), value, range);

const findLargest = (parts: readonly Measured[]): Measured | undefined =>
  parts.reduce<Measured | undefined>(
    (largest, part) => (largest === undefined || part.factor > largest.factor ? part : largest),
    undefined,
  );

/** Parts of one value, or the same value twice; otherwise a contradiction. */
const addQuantities = (largest: Measured, smaller: Measured, range: Range): Reading<number> => {
  const broken = [largest, smaller].find(({ value }) => value < 0);
  if (broken !== undefined) return leaveOut(broken.value, 'out-of-range');
  const inLarge = largest.value * largest.factor;
  const inSmall = smaller.value * smaller.factor;
  if (inSmall < largest.factor && Number.isInteger(largest.value))
    return checkRange(removeNoise(inLarge + inSmall), largest.value, range);
  if (inSmall >= largest.factor && Math.abs(inLarge - inSmall) < largest.factor)
    return addParts(smaller, range);
  const fraction = inLarge % largest.factor;
  return Math.abs(fraction - inSmall) < smaller.factor
    ? addParts(largest, range)
    : leaveOut(largest.value, 'not-understood');
};

const guessUnits = (unitless: string | null): readonly string[] =>
  unitless === null ? [] : [unitless];

export const isInRange = ({ from, to }: Range, value: number): boolean =>
  value >= from && value <= to;

export const checkRange = (value: number, raw: number, range: Range): Reading<number> =>
  isInRange(range, value) ? present(value) : leaveOut(raw, 'out-of-range');

export const readWhole = (
  observation: JsonObject,
  isUnit: (unit: string) => boolean,
  range: Range,
): Reading<number> => {
  const stated = readStatedValue(observation);
  if (stated.kind !== 'value') return stated;
  const { value, units, comparator } = stated.value;
  const isKnown = units.length === 0 || units.some(isUnit);
  const reason = checkWhole(value, comparator, isKnown);
  return reason === null ? checkRange(value, value, range) : leaveOut(value, reason);
};

const checkWhole = (
  value: number,
  comparator: boolean,
  unitKnown: boolean,
): ReadingReason | null => {
  if (comparator) return 'has-comparator';
  if (!unitKnown) return 'unit-unknown';
  return Number.isInteger(value) ? null : 'not-whole';
};

/** Factor from each known unit to the canonical one; units in lower case without brackets. */
export type Units = ReadonlyMap<string, number>;

const buildUnits = (table: Readonly<Record<string, number>>): Units =>
  new Map(
    Object.entries(table).flatMap(([names, factor]) =>
      names.split(' ').map((name) => [name, factor] as const),
    ),
  );

/** Units of mass, in grams: UCUM g, kg, mg, [lb_av], [oz_av], and the words that senders use. */
export const GRAMS: Units = buildUnits({
  'g gm gr gram grams': 1,
  'kg kgs kilogram kilograms': 1000,
  'mg milligram milligrams': 0.001,
  'lb_av lb lbs pound pounds': 453.59237,
  'oz_av oz ounce ounces': 28.349523125,
});

export const KILOGRAMS: Units = new Map([...GRAMS].map(([unit, grams]) => [unit, grams / 1000]));

/** Units of length, in centimeters: UCUM [in_i], cm, m, mm, [ft_i], and the words that senders use. */
export const CENTIMETERS: Units = buildUnits({
  'cm centimeter centimeters centimetre centimetres': 1,
  'mm millimeter millimeters millimetre millimetres': 0.1,
  'm meter meters metre metres': 100,
  'in_i in_us in inch inches': 2.54,
  'ft_i ft_us ft foot feet': 30.48,
});

/** Units of gestational age, in days: UCUM wk and d. */
export const DAYS: Units = buildUnits({ 'wk wks w week weeks': 7, 'd day days': 1 });

const COUNTS_IN_BRACES = /^\{(?!pack)[^{}]*\}$/;

/** True if a unit is a count: 1, or a UCUM annotation other than packs. */
export const isCount = (unit: string): boolean => unit === '1' || COUNTS_IN_BRACES.test(unit);

/** Nine decimals are enough for every product of a table factor and a measured value. */
export const removeNoise = (value: number): number => {
  const rounded = Math.round(value * 1e9) / 1e9;
  return Number.isFinite(rounded) ? rounded : value;
};
