import { isUnknownPart, readAddressPart } from '../../course/addresses.ts';
import { MAX_CHART_NUMBER, readChartNumber } from '../../course/chart-number.ts';
import type { Address } from '../../course/course.ts';
import type { Field, FieldType } from '../../course/fields.ts';
import { MAX_GIVEN_NAMES, MAX_NAME, MAX_TEXT } from '../../course/limits.ts';
import type { OffsetAt } from '../../course/local-times.ts';
import { findStateCode } from '../../course/places.ts';
import { COUNTED, UNKNOWN_COUNT } from '../../course/possible-ranges.ts';
import { isDateTime, isPlaceholder } from '../../fhir/dates.ts';
import { hasUnusableCharacters } from '../../text-input.ts';
import { type DateReading, parseDate, parseDateTime, parsePartialDate } from './parse-dates.ts';
import { parseMeasure, parsePacks, parseWholeNumber } from './parse-measures.ts';
import { isUnknownWord, parseList, parseWord, parseYesNo } from './parse-words.ts';
import {
  BLANK,
  flatMap,
  invalid,
  MAX_FREE_TEXT_LENGTH,
  ok,
  okUnknownCount,
  type Parsed,
  parseWithin,
} from './parsed.ts';

export interface ValueContext extends DateReading {
  readonly offsetAt: OffsetAt;
  /** True if the label or column includes the unit: a bare number is in the unit of the canonical name. */
  readonly unitIsNamed: boolean;
  readonly isForeign?: boolean;
  /** A blank child in an EHR's pre-fill is only an empty row. */
  readonly isPrefill?: boolean;
}

const MAX_LISTED = 10;
const LONGEST: Readonly<Partial<Record<FieldType, number>>> = {
  text: MAX_FREE_TEXT_LENGTH,
  texts: MAX_FREE_TEXT_LENGTH,
  codes: MAX_FREE_TEXT_LENGTH,
};

/**
 * Blank means unknown. Times of birth and gestational ages combine several fields: see
 * `parse-children.ts`.
 */
export const parseValue = (field: Field, text: string, context: ValueContext): Parsed<unknown> => {
  const trimmed = text.trim();
  if (trimmed === '') return BLANK;
  // Checks the length first, because the time to normalize grows with its square.
  const read = (short: string) =>
    parseShortText(field, field.path === 'chart_number' ? short : short.normalize('NFC'), context);
  return parseWithin(trimmed, field.inSentence, read, LONGEST[field.type]);
};

const parseShortText = (field: Field, tidy: string, context: ValueContext): Parsed<unknown> => {
  const { inSentence: words } = field;
  if (field.type === 'text' || field.type === 'texts') return parseText(field, tidy, context);
  if (field.type !== 'codes' && isUnknownWord(tidy) && !isWord(field, tidy))
    return isWord(field, UNKNOWN_WORD) ? ok(UNKNOWN_WORD) : BLANK;
  if (field.measure !== undefined)
    return parseMeasure(tidy, words, field.measure, context.unitIsNamed);
  switch (field.type) {
    case 'date':
      return checkYear(parseDate(tidy, words, context), words);
    case 'partial_date':
      return checkYear(parsePartialDate(tidy, words, context), words);
    case 'date_time':
      return checkYear(
        isDateTime(tidy)
          ? ok(tidy)
          : (parseDateTime(tidy, words, context.offsetAt, context) ??
              parseDate(tidy, words, context)),
        words,
      );
    case 'integer':
      return flatMap(parseCount(field, tidy), (count) =>
        count === UNKNOWN_COUNT && field.unknownValue === UNKNOWN_COUNT
          ? okUnknownCount(count)
          : ok(count),
      );
    case 'boolean':
      return parseYesNo(tidy, words);
    case 'choice':
    case 'code':
      return parseWord(field, tidy);
    case 'codes':
      return parseCodes(field, tidy);
    case 'number':
    case 'time':
    case 'instant':
    case 'marks':
      return invalid(
        'filled-in-by-registry',
        `The ${words} is filled in by the registry. Leave it empty.`,
      );
  }
};

const parseCount = (
  { inSentence: words, range = COUNTED, packSize }: Field,
  text: string,
): Parsed<number> => {
  const count = packSize === undefined ? text : unpack(text, packSize);
  return parseWholeNumber(count, words, range);
};

/** The number in `1/2 pack`; other texts unchanged. */
const unpack = (text: string, packSize: number): string => {
  const packs = parsePacks(text);
  return packs === null ? text : String(Math.round(packs * packSize));
};

export const checkYear = (one: Parsed<string>, words: string): Parsed<string> =>
  flatMap(one, (text) =>
    isPlaceholder(text)
      ? invalid(
          'year-impossible',
          `The year of the ${words} is not possible. Check it, or leave the ${words} empty if it is not known.`,
        )
      : ok(text),
  );

/** A valid answer to some questions, such as sex. */
const UNKNOWN_WORD = 'unknown';

const isWord = (field: Field, text: string): boolean =>
  field.values?.includes(text.toLowerCase()) === true;

const parseText = (
  field: Field,
  text: string,
  { isForeign = false }: ValueContext,
): Parsed<unknown> => {
  const { inSentence: words } = field;
  // Exact, as in a Bundle: chart numbers that differ by a space are different.
  if (field.path === 'chart_number') {
    const chart = readChartNumber(text);
    return chart.kind === 'chart number'
      ? ok(chart.value)
      : invalid(
          'chart-number-not-kept',
          `The chart number has more than ${MAX_CHART_NUMBER} characters, or some that cannot be kept. Type it as it stands in the chart.`,
        );
  }
  const line = text.replace(/\s+/gu, ' ');
  if (hasUnusableCharacters(line))
    return invalid(
      'unusable-characters',
      `The ${words} has characters that cannot be kept. Type it again.`,
    );
  if (field.type === 'texts')
    return field.maxTexts === undefined
      ? parseNames(line, words)
      : parseWriteIns(line, words, field.maxTexts);
  const { maxLength = MAX_NAME } = field;
  // The text implies an answer.
  if (field.path === 'mother.other_hispanic_origin' && isUnknownWord(line)) return BLANK;
  if (line.length > maxLength)
    return invalid(
      'text-too-long',
      `The ${words} has more than ${maxLength} characters. Shorten it.`,
    );
  if (field.path === 'mother.phone') return parsePhone(line, words);
  if (field.parent !== 'mother.address') return ok(line);
  const part = field.name as keyof Address;
  if (isUnknownPart(part, line)) return BLANK;
  return part === 'state' && !isForeign
    ? parseState(line, words)
    : ok(readAddressPart(part, line, isForeign));
};

const parseNames = (text: string, words: string): Parsed<unknown> => {
  const names = parseList(text, true);
  if (names.length > MAX_GIVEN_NAMES || names.some(({ length }) => length > MAX_NAME))
    return invalid(
      'names-too-long',
      `The ${words} is too long. Leave no more than ${MAX_GIVEN_NAMES} names of up to ${MAX_NAME} characters.`,
    );
  return names.length === 0 ? BLANK : ok(names);
};

/** Only semicolons separate them: names of tribes contain commas. */
const parseWriteIns = (text: string, words: string, maxTexts: number): Parsed<unknown> => {
  const texts = text
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !isUnknownWord(one));
  if (texts.length > maxTexts || texts.some(({ length }) => length > MAX_TEXT))
    return invalid(
      'names-too-long',
      `The ${words} is too long. Leave no more than ${maxTexts} names of up to ${MAX_TEXT} characters.`,
    );
  return texts.length === 0 ? BLANK : ok(texts);
};

const parseCodes = (field: Field, text: string): Parsed<unknown> => {
  const known: string[] = [];
  // As the form has it: "Yes, Cuban".
  const bare = field.answerPrefix === undefined ? text : text.replace(/\byes,/gi, '');
  for (const part of parseList(bare, false)) {
    const one = parseWord(field, part);
    if (one.kind === 'wrong') return one;
    if (one.kind === 'value' && !known.includes(one.value)) known.push(one.value);
  }
  if (known.length > MAX_LISTED)
    return invalid(
      'more-answers-than-kept',
      `Choose up to ${MAX_LISTED} answers for the ${field.inSentence}.`,
    );
  return known.length === 0 ? BLANK : ok(known);
};

const EXTENSION = /(?:ext\.?|x|#) ?(\d{1,6})$/i;
const PUNCTUATION = /[\s().,;\-/]/g;
// Area codes and exchanges never begin with 0 or 1.
const OF_THE_US = /^(?:\+?1)?([2-9]\d{2})(\d{3})(\d{4})$/;
const INTERNATIONAL = /^\+[1-9]\d{7,14}$/;

/** Ten digits become `503-555-0142`; others need a plus sign and country code. Keeps an extension. */
export const parsePhone = (text: string, words: string): Parsed<string> => {
  if (isUnknownWord(text)) return BLANK;
  const [ending = '', extension = ''] = EXTENSION.exec(text) ?? [];
  const digits = text.slice(0, text.length - ending.length).replace(PUNCTUATION, '');
  const behind = extension === '' ? '' : ` ext. ${extension}`;
  const [, area, exchange, line] = OF_THE_US.exec(digits) ?? [];
  if (area !== undefined) return ok(`${area}-${exchange}-${line}${behind}`);
  return INTERNATIONAL.test(digits)
    ? ok(`${digits}${behind}`)
    : invalid(
        'phone-not-understood',
        `Enter the ${words} with its area code, like 503-555-0142. For another country, begin with + and its code.`,
      );
};

export const parseState = (text: string, words: string): Parsed<string> => {
  if (isUnknownWord(text) || isUnknownPart('state', text)) return BLANK;
  const code = findStateCode(text);
  return code === null
    ? invalid(
        'state-unknown',
        `Enter the ${words} as a two-letter code, such as OR, or by its name. For an address abroad, enter the country too.`,
      )
    : ok(code);
};
