import type { OffsetAt } from '../../course/local-times.ts';
import { isDate, parseDateAndTime, toDate, toDayNumber } from '../../fhir/dates.ts';
import type { DateOrder } from './date-order.ts';
import type { FormValues } from './form-fields.ts';
import { parseOffset, type StatedMoment, splitStated } from './parse-offset.ts';
import { BLANK, flatMap, invalid, ok, type Parsed, parseWithin } from './parsed.ts';

export const NOT_A_REAL_DATE = "isn't a real date";

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const NUMBERS = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/;
const DIGITS = /^(\d{2})(\d{2})((?:19|20)\d{2})$/;
const DIGITS_YEAR_FIRST = /^((?:19|20)\d{2})(\d{2})(\d{2})$/;
const MONTH_IN_WORDS_FIRST = /^(\p{L}{3,9})\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4}|\d{2})$/u;
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)?[-\s](?:of\s+)?(\p{L}{3,9})\.?,?[-\s](\d{4}|\d{2})$/u;
const PARTIAL =
  /^(?:\d{4}|\d{4}[-/]\d{1,2}|\d{1,2}[-/]\d{4}|\d{1,2}[-/]\d{1,2}|\p{L}{3,9}\.?,?\s+\d{4}|\p{L}{3,9}\.?\s+\d{1,2})$/u;

/** Means dates four years apart, depending on the workbook, so it is never guessed. */
const SERIAL_NUMBER = /^\d{5}(?:\.\d+)?$/;
/** Fraction of a day, such as 0.878472222. */
const PART_OF_DAY = /^0?\.\d{2,}$/;
/** Spreadsheets append this to a date without a time of day. */
const MIDNIGHT = /[ t](?:0?0:00(?::00)?(?:\.0+)?|12:00(?::00)? ?am)$/;

export interface DateReading {
  /** Month first if absent. */
  readonly dateOrder?: DateOrder;
  /** `YYYY-MM-DD`; if absent, `today` and two-digit years are invalid. */
  readonly today?: string;
}

export const formatDateExample = (dateOrder: DateOrder = 'month-first'): string =>
  dateOrder === 'month-first' ? '5/12/2026 or May 12, 2026' : '12/5/2026 or 12 May 2026';

const MORE_MONTHS_THAN = 12;

/**
 * `5/12/2026`, `5.12.26`, and `05122026` in the order of the practice, `2026-05-12`, `May 12, 2026`,
 * `today`. Never guesses the other order.
 */
export const parseDate = (
  text: string,
  words: string,
  reading: DateReading = {},
): Parsed<string> => {
  const tidy = tidyText(text).toLowerCase();
  const day = parseRelativeDay(tidy, reading.today);
  if (day !== null) return ok(day);
  const { dateOrder = 'month-first' } = reading;
  const like = formatDateExample(dateOrder);
  if (SERIAL_NUMBER.test(tidy))
    return invalid(
      'date-as-number',
      `The ${words} is a number of days, as spreadsheets store dates. Format the column as a date, or enter a date like ${like}.`,
    );
  const parts = splitParts(tidy.replace(MIDNIGHT, ''), dateOrder);
  if (parts === null)
    return PARTIAL.test(tidy)
      ? invalid(
          'date-incomplete',
          `The ${words} needs a day, a month and a year. Enter a date like ${like}.`,
        )
      : invalid('date-not-understood', `Enter a date like ${like} for the ${words}.`);
  const year = expandYear(parts.year, reading.today);
  if (year === null)
    return invalid('year-incomplete', `Write the year of the ${words} with all four digits.`);
  const { month } = parts;
  if (Number(month) > MORE_MONTHS_THAN)
    return invalid(
      'month-impossible',
      dateOrder === 'month-first'
        ? `The ${words} ${NOT_A_REAL_DATE}: your practice writes the month first, and there are only 12 months. For a day in May, enter 5/13/2026 or May 13, 2026.`
        : `The ${words} ${NOT_A_REAL_DATE}: your practice writes the day first, and there are only 12 months. For a day in May, enter 13/5/2026 or May 13, 2026.`,
    );
  const date = `${year}-${month.padStart(2, '0')}-${parts.day.padStart(2, '0')}`;
  return isDate(date)
    ? ok(date)
    : invalid('date-impossible', `The ${words} ${NOT_A_REAL_DATE}. Check the day and the month.`);
};

const YEAR = /^\d{4}$/;
const HAS_YEAR = /\d{4}/;
const MONTH_FIRST = /^(\d{1,2})[-/.](\d{4})$/;
const MONTH_LAST = /^(\d{4})[-/.](\d{1,2})$/;
const MONTH_IN_WORDS = /^(\p{L}{3,9})\.?,?\s+(\d{4})$/u;

/** Like {@link parseDate}, and `2021`, `3/2021`, `2021-03`, `March 2021`. @returns all known parts */
export const parsePartialDate = (
  text: string,
  words: string,
  reading: DateReading = {},
): Parsed<string> => {
  const tidy = tidyText(text).toLowerCase();
  if (YEAR.test(tidy)) return ok(tidy);
  const month = splitMonth(tidy);
  if (month === null) {
    const whole = parseDate(text, words, reading);
    return whole.kind === 'wrong' && whole.id === 'date-incomplete' && !HAS_YEAR.test(tidy)
      ? invalid(
          whole.id,
          `The ${words} needs at least a year. Enter what is known of it, such as 5/2026 or 2026.`,
        )
      : whole;
  }
  return Number(month.month) >= 1 && Number(month.month) <= MORE_MONTHS_THAN
    ? ok(`${month.year}-${month.month.padStart(2, '0')}`)
    : invalid('date-impossible', `The ${words} ${NOT_A_REAL_DATE}. Check the month.`);
};

const splitMonth = (text: string): Pick<DateParts, 'year' | 'month'> | null => {
  const [, first = '', lastYear = ''] = MONTH_FIRST.exec(text) ?? [];
  if (lastYear !== '') return { year: lastYear, month: first };
  const [, firstYear = '', last = ''] = MONTH_LAST.exec(text) ?? [];
  if (firstYear !== '') return { year: firstYear, month: last };
  const [, name = '', year = ''] = MONTH_IN_WORDS.exec(text) ?? [];
  return year === '' ? null : withMonthNumber(name, '', year);
};

const parseRelativeDay = (text: string, today: string | undefined): string | null => {
  if (today === undefined || !isDate(today)) return null;
  if (text === 'today') return today;
  return text === 'yesterday' ? toDate(toDayNumber(today) - 1) : null;
};

const CENTURY = 100;

/** A typo in the future is rejected, not moved to another century. */
const expandYear = (year: string, today: string | undefined): string | null => {
  if (year.length === 4) return year;
  if (today === undefined) return null;
  const now = Number(today.slice(0, 4));
  const century = now - (now % CENTURY);
  const inThis = century + Number(year);
  return String(inThis <= now + 1 ? inThis : inThis - CENTURY);
};

// Collapses white space first, because the patterns would retry a long run from each position.
const tidyText = (text: string): string => text.trim().replace(/\s+/gu, ' ');

interface DateParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

const splitParts = (text: string, dateOrder: DateOrder): DateParts | null => {
  const [, y = '', m = '', d = ''] = YEAR_FIRST.exec(text) ?? [];
  if (y !== '') return { year: y, month: m, day: d };
  const [, one = '', , other = '', year = ''] = NUMBERS.exec(text) ?? [];
  if (year !== '') return orderParts(one, other, year, dateOrder);
  // The first two digits of a year are not a valid month or day, so the two formats never conflict.
  const [, yearOfDigits = '', monthOfDigits = '', dayOfDigits = ''] =
    DIGITS_YEAR_FIRST.exec(text) ?? [];
  if (yearOfDigits !== '' && isDate(`${yearOfDigits}-${monthOfDigits}-${dayOfDigits}`))
    return { year: yearOfDigits, month: monthOfDigits, day: dayOfDigits };
  const [, first = '', second = '', lastYear = ''] = DIGITS.exec(text) ?? [];
  if (lastYear !== '') return orderParts(first, second, lastYear, dateOrder);
  const inWords = MONTH_IN_WORDS_FIRST.exec(text);
  if (inWords !== null) return withMonthNumber(inWords[1], inWords[2], inWords[3]);
  const dayFirst = DAY_FIRST.exec(text);
  return dayFirst === null ? null : withMonthNumber(dayFirst[2], dayFirst[1], dayFirst[3]);
};

const orderParts = (one: string, other: string, year: string, dateOrder: DateOrder): DateParts =>
  dateOrder === 'month-first' ? { year, month: one, day: other } : { year, month: other, day: one };

const withMonthNumber = (name = '', day = '', year = ''): DateParts | null => {
  const month = MONTHS.findIndex((one) => one.startsWith(name)) + 1;
  // "Sept" is as common as "Sep".
  const found = month === 0 && name === 'sept' ? 9 : month;
  return found === 0 ? null : { year, month: String(found), day };
};

const CLOCK = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))? ?([ap])?(?:\.?m\.?)?$/;
const CLOCK_WITHOUT_COLON = /^(\d{2})(\d{2})$/;

/** `14:05`, `1405`, `2:05 pm`, `2 pm`. @returns `HH:MM:SS` */
export const parseTimeOfDay = (text: string, words: string): Parsed<string> => {
  const tidy = tidyText(text).toLowerCase();
  if (PART_OF_DAY.test(tidy))
    return invalid(
      'time-as-number',
      `The ${words} is a part of a day, as spreadsheets store times. Format the column as a time, or type it like 14:05 or 2:05 pm.`,
    );
  const [, hour24 = '', minute24 = ''] = CLOCK_WITHOUT_COLON.exec(tidy) ?? [];
  const [, hour = hour24, minute = minute24, second = '00', half] = CLOCK.exec(tidy) ?? [];
  // An hour alone needs am or pm.
  if (hour === '' || (minute === '' && half === undefined))
    return invalid(
      'time-not-understood',
      `The ${words} is not understood. Type it like 14:05 or 2:05 pm.`,
    );
  const isPossible =
    Number(minute) <= 59 &&
    Number(second) <= 59 &&
    (half === undefined ? Number(hour) <= 23 : Number(hour) >= 1 && Number(hour) <= 12);
  if (!isPossible)
    return invalid(
      'time-impossible',
      `The ${words} isn't a valid time. Type it like 14:05 or 2:05 pm.`,
    );
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0);
  return ok(
    [String(hours), minute === '' ? '0' : minute, second]
      .map((one) => one.padStart(2, '0'))
      .join(':'),
  );
};

const DATE_THEN_CLOCK =
  /^(.+?),? (?:at )?(\d{1,2}(?::\d{2}){1,2}(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?)$/i;

export interface ParsedClock {
  /** `HH:MM:SS`. */
  readonly timeOfDay: string;
  readonly stated: StatedMoment | null;
}

/** Like {@link parseTimeOfDay}, with an optional hint: `1:30 am second`, `1:30 am EST`. */
export const parseClock = (text: string, words: string): Parsed<ParsedClock> => {
  const { text: clock, stated } = splitStated(tidyText(text));
  return flatMap(parseTimeOfDay(clock, words), (timeOfDay) => ok({ timeOfDay, stated }));
};

export interface ParsedLocalTime extends ParsedClock {
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

export const addOffset = (
  { date, timeOfDay, stated }: ParsedLocalTime,
  words: string,
  offsetAt: OffsetAt,
): Parsed<string> => {
  const local = `${date}T${timeOfDay}`;
  return flatMap(parseOffset(local, stated, words, offsetAt), (offset) => ok(`${local}${offset}`));
};

/** `null` if the text is not a date with a time, or has an ISO 8601 offset. */
export const parseLocalTime = (
  text: string,
  words: string,
  reading: DateReading = {},
): Parsed<ParsedLocalTime> | null => {
  const { text: local, stated } = splitStated(tidyText(text));
  const parsed = parseDateAndTime(local);
  if (parsed !== null) {
    if (parsed.offsetMinutes !== null) return null;
    const clock = [parsed.hour, parsed.minute, parsed.second].map((one) =>
      String(one).padStart(2, '0'),
    );
    return ok({ date: parsed.date, timeOfDay: clock.join(':'), stated });
  }
  const parts = DATE_THEN_CLOCK.exec(local);
  if (parts === null) return null;
  return flatMap(parseDate(parts[1] ?? '', words, reading), (date) =>
    flatMap(parseTimeOfDay(parts[2] ?? '', words), (timeOfDay) => ok({ date, timeOfDay, stated })),
  );
};

/**
 * `2026-05-12T14:05-04:00` unchanged, or on the practice's clock. `null` if the text is not a date with
 * a time.
 */
export const parseDateTime = (
  text: string,
  words: string,
  offsetAt: OffsetAt,
  reading: DateReading = {},
): Parsed<string> | null => {
  const whole = text.trim();
  if ((parseDateAndTime(whole)?.offsetMinutes ?? null) !== null) return ok(whole);
  const local = parseLocalTime(whole, words, reading);
  return local === null ? null : flatMap(local, (time) => addOffset(time, words, offsetAt));
};

/** `null` if unreadable. @param key of the time */
export const parseTypedTime = (
  values: FormValues,
  key: string,
  reading: DateReading,
): ParsedLocalTime | null => {
  const date = (values[key.replace(/_time$/, '_date')] ?? '').trim();
  const read = parseWithin((values[key] ?? '').trim(), '', (text) => {
    if (text === '') return BLANK;
    const whole = parseLocalTime(text, '', reading);
    if (whole !== null) return whole;
    return flatMap(
      parseWithin(date, '', (one) => parseDate(one, '', reading)),
      (day) => flatMap(parseClock(text, ''), (clock) => ok({ date: day, ...clock })),
    );
  });
  return read.kind === 'value' ? read.value : null;
};
