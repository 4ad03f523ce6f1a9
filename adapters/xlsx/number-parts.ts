import type { FormatToken } from './format-tokens.ts';

export type NumberPart =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'general' | 'point' }
  /** The exact power of ten. */
  | { readonly kind: 'scale'; readonly power: number }
  | { readonly kind: 'digit'; readonly place: Place; readonly sign: string };

type Place = 'integer' | 'decimals' | 'exponent' | 'numerator' | 'denominator';

const DIGIT = /^[0#?]$/;
const FIXED_DIGIT = /^[1-9]$/;

/** Far more than any number of a birth has, and few enough for millions of cells. */
const MAX_PARTS = 100;

/** Parses a section for numbers. Returns `null` if it has several fractions, or too many parts. */
export const parseNumberParts = (tokens: readonly FormatToken[]): readonly NumberPart[] | null => {
  if (tokens.length > MAX_PARTS) return null;
  const parts: NumberPart[] = [];
  let place: Place = 'integer';
  let power = 0;
  let commas = 0;
  let hasDigits = false;
  for (const { kind, text } of tokens) {
    const isSign = kind === 'sign';
    if (kind === 'general') parts.push({ kind });
    else if (isSign && (DIGIT.test(text) || (place === 'denominator' && FIXED_DIGIT.test(text)))) {
      parts.push({ kind: 'digit', place, sign: text });
      hasDigits = true;
      // Commas between digits group them, and those after them divide by a thousand.
      commas = 0;
    } else if (isSign && text === ',' && hasDigits) commas += 1;
    else if (isSign && text === '.' && place === 'integer') {
      parts.push({ kind: 'point' });
      power -= commas * DIGITS_PER_COMMA;
      commas = 0;
      place = 'decimals';
    } else if (kind === 'exponent' && hasDigits && place !== 'exponent') place = 'exponent';
    else if (isSign && text === '/' && parts.at(-1)?.kind === 'digit') {
      if (place !== 'integer') return null;
      moveToNumerator(parts);
      place = 'denominator';
    } else {
      if (isSign && text === '%') power += DIGITS_PER_PERCENT;
      parts.push({ kind: 'literal', text });
    }
  }
  power -= commas * DIGITS_PER_COMMA;
  return [...(power === 0 ? [] : [{ kind: 'scale', power } as const]), ...parts];
};

const DIGITS_PER_COMMA = 3;
const DIGITS_PER_PERCENT = 2;

/** The digits before a slash are the numerator. Those before them, if any, are the whole number. */
const moveToNumerator = (parts: NumberPart[]): void => {
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index];
    if (part?.kind !== 'digit') return;
    parts[index] = { ...part, place: 'numerator' };
  }
};

const MAX_EXACT_NUMBER = 1e15;
const EXACT_DIGITS = 15;
const ONLY_DASHES = /^[-–— ]+$/;

/** Too long for its places: `1.23E+17`. `null` if nothing is shown, or a fraction only near the number. */
export const formatNumber = (
  value: number,
  parts: readonly NumberPart[],
  isSigned: boolean,
): string | null => {
  if (Math.abs(value) >= MAX_EXACT_NUMBER) {
    const [digits, exponent] = value.toExponential(EXACT_DIGITS - 1).split('e');
    return `${Number(digits)}E${exponent}`;
  }
  const [first] = parts;
  const power = first?.kind === 'scale' ? first.power : 0;
  const scaled = toExact(shift(toExact(Math.abs(value)), power));
  const text = showParts(scaled, parts)?.trim() ?? '';
  if (text === '') return null;
  // Accounting formats show zero as a dash.
  if (value === 0 && ONLY_DASHES.test(text)) return '0';
  return isSigned && /[1-9]/.test(text) ? `-${text}` : text;
};

/** The number without the noise of its bits. */
const toExact = (value: number): number => Number(value.toPrecision(EXACT_DIGITS));

/** Multiplies by a power of ten, without the noise of a multiplication. */
const shift = (value: number, power: number): number => {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + power}`);
};

const isDigitOf = (part: NumberPart, place: Place): boolean =>
  part.kind === 'digit' && part.place === place;

const showParts = (value: number, parts: readonly NumberPart[]): string | null => {
  const listDigits = (place: Place) => parts.filter((part) => isDigitOf(part, place));
  if (listDigits('denominator').length > 0) return showFraction(value, parts);
  const decimals = listDigits('decimals').length;
  if (listDigits('exponent').length > 0)
    return showAsOne(showScientific(value, listDigits('integer').length, decimals), parts);
  const [whole, fraction] = splitDigits(value, decimals);
  return showDigits(whole, fraction, parts, value);
};

/** Rounds to a number of decimals, and splits at the point. A whole number of 0 has no digits. */
const splitDigits = (value: number, decimals: number): readonly [string, string] => {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const own = Math.max((digits.split('.')[1] ?? '').length - Number(exponent), 0);
  const precision = Math.min(own, decimals);
  const rounded = String(Math.round(shift(value, precision))).padStart(precision + 1, '0');
  const whole = rounded.slice(0, rounded.length - precision);
  return [
    whole === '0' ? '' : whole,
    rounded.slice(rounded.length - precision).padEnd(decimals, '0'),
  ];
};

/** Puts digits in their places: the whole number from its end, the decimals from their start. */
const showDigits = (
  whole: string,
  fraction: string,
  parts: readonly NumberPart[],
  value: number,
): string => {
  const places = parts.filter((part) => isDigitOf(part, 'integer')).length;
  const decimals = parts.filter((part) => part.kind === 'digit' && part.place === 'decimals');
  const lastPadded = decimals.findLastIndex((part) => part.kind === 'digit' && part.sign === '0');
  const used =
    Math.max(
      [...fraction].findLastIndex((digit) => digit !== '0'),
      lastPadded,
    ) + 1;
  let place = 0;
  let decimal = 0;
  let text = '';
  for (const part of parts)
    if (part.kind === 'literal') text += part.text;
    else if (part.kind === 'general') text += String(value);
    else if (part.kind === 'point') text += used > 0 ? '.' : '';
    else if (part.kind === 'digit' && part.place === 'integer') {
      const end = whole.length - (places - place - 1);
      // The first place has all digits that no other place has.
      const digits = end <= 0 ? '' : whole.slice(place === 0 ? 0 : end - 1, end);
      text += digits === '' && part.sign === '0' ? '0' : digits;
      place += 1;
    } else if (part.kind === 'digit') {
      text += decimal < used ? fraction.charAt(decimal) : '';
      decimal += 1;
    }
  return text;
};

/** The number itself if its digits are displayed, or else what is displayed: `1.23E+05`. */
const showScientific = (value: number, wholes: number, decimals: number): string => {
  const exponent = Number(value.toExponential().split('e')[1]);
  const step = Math.max(wholes, 1);
  const beyond = ((exponent % step) + step) % step;
  const [digits, power = ''] = value
    .toExponential(Math.min(decimals + beyond, EXACT_DIGITS))
    .split('e');
  return Number(`${digits}e${power}`) === value
    ? String(value)
    : `${digits}E${power.slice(0, 1)}${power.slice(1).padStart(2, '0')}`;
};

const showAsOne = (number: string, parts: readonly NumberPart[]): string => {
  const first = parts.findIndex(({ kind }) => kind === 'digit');
  return parts
    .map((part, index) => (index === first ? number : part.kind === 'literal' ? part.text : ''))
    .join('');
};

/** Maximum distance of a fraction from the number that it stands for. */
const MAX_FRACTION_ERROR = 1e-7;
const MAX_FRACTION_DIGITS = 3;

const showFraction = (value: number, parts: readonly NumberPart[]): string | null => {
  const listSigns = (place: Place) =>
    parts.flatMap((part) => (part.kind === 'digit' && part.place === place ? [part.sign] : []));
  const hasWhole = listSigns('integer').length > 0;
  const whole = hasWhole ? Math.floor(value + MAX_FRACTION_ERROR) : 0;
  const fraction = findFraction(Math.max(value - whole, 0), listSigns('denominator').join(''));
  if (fraction === null) return null;
  const [numerator, denominator] = fraction;
  const fractionText = hasWhole && numerator === 0 ? '' : `${numerator}/${denominator}`;
  const wholeText =
    whole === 0 && fractionText !== '' && !listSigns('integer').includes('0') ? '' : `${whole}`;
  let isWholeWritten = !hasWhole;
  let isFractionWritten = false;
  let text = '';
  for (const part of parts) {
    if (part.kind === 'literal') text += part.text;
    if (part.kind !== 'digit') continue;
    if (part.place === 'integer') {
      text += isWholeWritten ? '' : wholeText;
      isWholeWritten = true;
    } else if (!isFractionWritten) {
      text += fractionText;
      isFractionWritten = true;
    }
  }
  return text;
};

/** By its continued fraction. @param signs of the denominator: places for digits, or the denominator itself */
const findFraction = (value: number, signs: string): readonly [number, number] | null => {
  if (/[1-9]/.test(signs)) {
    const denominator = Number(signs.replace(/[#?]/g, ''));
    const numerator = Math.round(value * denominator);
    return Math.abs(value - numerator / denominator) < MAX_FRACTION_ERROR
      ? [numerator, denominator]
      : null;
  }
  const most = 10 ** Math.min(signs.length, MAX_FRACTION_DIGITS);
  let [before, denominator] = [0, 1];
  for (let rest = value; denominator < most; ) {
    const numerator = Math.round(value * denominator);
    if (Math.abs(value - numerator / denominator) < MAX_FRACTION_ERROR)
      return [numerator, denominator];
    rest = 1 / (rest - Math.floor(rest));
    [before, denominator] = [denominator, denominator * Math.floor(rest) + before];
  }
  return null;
};
