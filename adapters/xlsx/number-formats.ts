/** Parsed number format. */
export interface NumberFormat {
  readonly showsDate: boolean;
  readonly showsTime: boolean;
  /** Fixed digit pattern such as `00000` or `000-00-0000`, or `null` for other formats. */
  readonly pattern: readonly PatternPart[] | null;
}

type PatternPart =
  | { readonly kind: 'digit'; readonly isPadded: boolean }
  | { readonly kind: 'literal'; readonly text: string };

/** Default format. */
export const GENERAL: NumberFormat = { showsDate: false, showsTime: false, pattern: null };

const TIME_ONLY: NumberFormat = { showsDate: false, showsTime: true, pattern: null };
const DATE_ONLY: NumberFormat = { showsDate: true, showsTime: false, pattern: null };

/** Built-in formats, which a workbook refers to only by number. @see ECMA-376 18.8.30 "numFmt" */
const BUILT_IN: ReadonlyMap<number, NumberFormat> = new Map([
  ...[14, 15, 16, 17].map((id) => [id, DATE_ONLY] as const),
  ...[18, 19, 20, 21, 45, 46, 47].map((id) => [id, TIME_ONLY] as const),
  [22, { ...DATE_ONLY, showsTime: true }],
  ...[27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, DATE_ONLY] as const),
  ...[32, 33, 34, 35, 55, 56].map((id) => [id, TIME_ONLY] as const),
]);

/** Finds a format by its code if the workbook defines one, or else by its number. */
export const findNumberFormat = (id: number, code: string | undefined): NumberFormat =>
  code === undefined ? (BUILT_IN.get(id) ?? GENERAL) : readFormat(code);

const MAX_CODE_LENGTH = 255;
const TOKENS = /"([^"]*)"|\\(.)|\[([^[\]]*)\]|_.|\*.|(general)|(.)/gis;
const ELAPSED = /^[hms]+$/i;

const readFormat = (code: string): NumberFormat => {
  if (code.length > MAX_CODE_LENGTH) return GENERAL;
  let letters = '';
  let isPlain = true;
  const parts: PatternPart[] = [];
  for (const [, quoted, escaped, bracket, general, sign] of code.matchAll(TOKENS)) {
    if (sign === ';') break;
    const literal = quoted ?? escaped;
    if (literal !== undefined) parts.push({ kind: 'literal', text: literal });
    else if (bracket !== undefined && ELAPSED.test(bracket)) letters += bracket.toLowerCase();
    // A condition selects among formats; a color is irrelevant.
    else if (bracket !== undefined) isPlain &&= !/^[<>=$]/.test(bracket);
    else if (general !== undefined) isPlain = false;
    else if (sign === '0' || sign === '#' || sign === '?')
      parts.push({ kind: 'digit', isPadded: sign === '0' });
    else if (sign !== undefined && LITERAL_SIGNS.test(sign))
      parts.push({ kind: 'literal', text: sign });
    else if (sign !== undefined) {
      letters += sign.toLowerCase();
      isPlain = false;
    }
  }
  const showsTime = /[hs]/.test(letters);
  const showsDate = /[yd]/.test(letters) || (!showsTime && letters.includes('m'));
  const isPattern = isPlain && letters === '' && parts.some(({ kind }) => kind === 'digit');
  return { showsDate, showsTime, pattern: isPattern ? removeUnusedPlaces(parts) : null };
};

const LITERAL_SIGNS = /^[-() /:+]$/;

const MAX_EXACT_NUMBER = 1e15;
const EXACT_DIGITS = 15;

/**
 * Formats a number as displayed in its sheet, without losing digits. A number that is too long for
 * that becomes `1.23E+17`.
 */
export const formatNumber = (value: number, { pattern }: NumberFormat): string => {
  if (Math.abs(value) >= MAX_EXACT_NUMBER) {
    const [digits, exponent] = value.toExponential(EXACT_DIGITS - 1).split('e');
    return `${Number(digits)}E${exponent}`;
  }
  const exact = Number(value.toPrecision(EXACT_DIGITS));
  return pattern !== null && Number.isInteger(exact) && exact >= 0
    ? inPattern(String(exact), pattern)
    : String(exact);
};

const inPattern = (digits: string, pattern: readonly PatternPart[]): string => {
  const first = pattern.findIndex(({ kind }) => kind === 'digit');
  let left = digits;
  let text = '';
  for (let index = pattern.length - 1; index >= 0; index -= 1) {
    const part = pattern[index];
    if (part === undefined) continue;
    if (part.kind === 'literal') text = `${part.text}${text}`;
    else if (index === first) text = `${left === '' && part.isPadded ? '0' : left}${text}`;
    else {
      text = `${left.at(-1) ?? (part.isPadded ? '0' : '')}${text}`;
      left = left.slice(0, -1);
    }
  }
  return text;
};

/** Removes places that never show a digit: a number has fewer digits. */
const removeUnusedPlaces = (parts: readonly PatternPart[]): readonly PatternPart[] => {
  let places = parts.filter(({ kind }) => kind === 'digit').length + 1;
  return parts.filter((part) => {
    if (part.kind !== 'digit') return true;
    places -= 1;
    return part.isPadded || places <= EXACT_DIGITS;
  });
};

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_DATE_SERIAL = 2_958_466;
/** February 29, 1900, which did not exist. */
const FALSE_LEAP_DAY = 60;
const DAYS_TO_1904 = 1_462;
/** Day 0 of workbooks that count from 1900, for dates after the false leap day. */
const EPOCH = Date.UTC(1899, 11, 30);
/** Displayed by a sheet for an impossible date. */
const NO_DATE = '########';

/**
 * Formats a date or time: `2026-05-12`, `2026-05-12 14:05`, `14:05`.
 * @param serial days since 1900, or since 1904 if `countsFrom1904`
 */
export const formatDate = (
  serial: number,
  { showsDate, showsTime }: NumberFormat,
  countsFrom1904: boolean,
): string => {
  const whole = serial + (countsFrom1904 ? DAYS_TO_1904 : 0);
  if (serial < 0 || whole >= MAX_DATE_SERIAL) return NO_DATE;
  const seconds = showsTime ? Math.round(whole * 24 * 60 * 60) : Math.floor(whole) * 24 * 60 * 60;
  const day = Math.floor(seconds / (24 * 60 * 60));
  const time = new Date((seconds % (24 * 60 * 60)) * 1000).toISOString().slice(11, 19);
  const shownTime = time.endsWith(':00') ? time.slice(0, -':00'.length) : time;
  if (!showsDate) return shownTime;
  const date = dayText(day);
  return showsTime ? `${date} ${shownTime}` : date;
};

const dayText = (day: number): string => {
  if (day === 0) return '1900-01-00';
  if (day === FALSE_LEAP_DAY) return '1900-02-29';
  return new Date(EPOCH + (day < FALSE_LEAP_DAY ? day + 1 : day) * DAY_MS)
    .toISOString()
    .slice(0, 'YYYY-MM-DD'.length);
};
