import { isOnDay } from '../../course/birth-times.ts';
import { type Child, emptyChild } from '../../course/course.ts';
import { findFieldAt } from '../../course/fields.ts';
import { toWeeksAndDays } from '../../course/gestational-age.ts';
import { isOwnTime, type OffsetAt } from '../../course/local-times.ts';
import { DAYS_BEYOND_WEEKS } from '../../course/possible-ranges.ts';
import { isDate, parseDateAndTime, toDate, toDayNumber, toLocalSecond } from '../../fhir/dates.ts';
import { FIELDS_BY_HOLDER } from './form-fields.ts';
import { type FormParser, moveTypedSuffix, parseFields } from './form-parser.ts';
import { addOffset, parseClock, parseDateTime } from './parse-dates.ts';
import { parseGestation, parseWholeNumber } from './parse-measures.ts';
import { parseOffset } from './parse-offset.ts';
import { checkYear, parseValue, type ValueContext } from './parse-values.ts';
import { isUnknownWord } from './parse-words.ts';
import { BLANK, flatMap, invalid, ok, type Parsed, parseWithin } from './parsed.ts';

// These values depend on another field.
const READ_TOGETHER: ReadonlySet<string> = new Set([
  'birth_date',
  'birth_time',
  'gestational_age_weeks',
  'gestational_age_days',
]);
const READ_ALONE = FIELDS_BY_HOLDER.children.filter(({ name }) => !READ_TOGETHER.has(name));

export const parseChild = (
  index: number,
  existing: Child | null,
  form: FormParser,
  context: ValueContext,
): Child => {
  const base = existing ?? emptyChild();
  const prefix = `children.${index}.`;
  return {
    ...base,
    ...moveTypedSuffix(prefix, parseFields(prefix, READ_ALONE, base, form, context) as Child, form),
    ...parseBirth(prefix, base, form, context),
    ...parseGestationFields(prefix, base, form),
  };
};

const BIRTH_DATE = findFieldAt('children.birth_date');

/** A time alone uses the date of birth; a full date and time sets both. */
const parseBirth = (
  prefix: string,
  base: Child,
  form: FormParser,
  context: ValueContext,
): Pick<Child, 'birth_date' | 'birth_time'> => {
  const dateKey = `${prefix}birth_date`;
  const timeKey = `${prefix}birth_time`;
  const isUntouched = form.isUnchanged(dateKey) && form.isUnchanged(timeKey);
  if (isUntouched && context.isPrefill !== true)
    return { birth_date: base.birth_date, birth_time: base.birth_time };
  const date = form.keepOrParse(dateKey, base.birth_date, (text) =>
    parseValue(BIRTH_DATE, text, context),
  ) as string | null;
  const readTime = (text: string) => parseBirthTime(text, date, context);
  const time = form.read(
    timeKey,
    form.isUnchanged(timeKey)
      ? moveTime(base, date, context)
      : parseWithin(form.text(timeKey), TIME_WORDS, readTime),
  );
  return { birth_date: date ?? (time === null ? null : readDatePart(time)), birth_time: time };
};

const TIME_WORDS = findFieldAt('children.birth_time').inSentence;
const ON_ANOTHER_DAY = invalid(
  'time-on-another-day',
  'The time of birth is on another day than the date of birth. Check both.',
);

const moveTime = (
  { birth_date: from, birth_time: time }: Child,
  date: string | null,
  context: ValueContext,
): Parsed<string> => {
  const { offsetAt } = context;
  if (time === null) return BLANK;
  if (date === null || date === from || !isDate(date)) return offerTime(time, context);
  // The number of days is unknown: a masked date is a year.
  if (from === null || !isDate(from)) return isTimeOnDate(time, date) ? ok(time) : ON_ANOTHER_DAY;
  const days = toDayNumber(date) - toDayNumber(from);
  return moveByDays(time, days, TIME_WORDS, offsetAt) ?? ON_ANOTHER_DAY;
};

/** A recorded time keeps its value. */
const offerTime = (time: string, { offsetAt, isPrefill }: ValueContext): Parsed<string> => {
  const parts = isPrefill === true ? parseDateAndTime(time) : null;
  return parts === null || parts.offsetMinutes !== null
    ? ok(time)
    : flatMap(parseOffset(toLocalSecond(parts), null, TIME_WORDS, offsetAt), () => ok(time));
};

const DATE_LENGTH = 'YYYY-MM-DD'.length;
const readDatePart = (time: string): string => time.slice(0, DATE_LENGTH);

const isTimeOnDate = (time: string, date: string): boolean => {
  const parts = parseDateAndTime(time);
  return parts !== null && isOnDay(parts, date);
};

const parseBirthTime = (
  text: string,
  date: string | null,
  context: ValueContext,
): Parsed<string> => {
  const { offsetAt } = context;
  if (text === '' || isUnknownWord(text)) return BLANK;
  const whole = parseDateTime(text, TIME_WORDS, offsetAt, context);
  if (whole !== null)
    return flatMap(checkYear(whole, TIME_WORDS), (time) =>
      date === null || !isDate(date) || isTimeOnDate(time, date) ? ok(time) : ON_ANOTHER_DAY,
    );
  return flatMap(parseClock(text, TIME_WORDS), (clock) =>
    date !== null && isDate(date)
      ? addOffset({ date, ...clock }, TIME_WORDS, offsetAt)
      : invalid('time-without-date', 'The time of birth needs the date of birth beside it.'),
  );
};

const WEEKS_WORDS = findFieldAt('children.gestational_age_weeks').inSentence;
const DAYS_WORDS = findFieldAt('children.gestational_age_days').inSentence;

/** `39w4d` in the field for weeks sets both. */
const parseGestationFields = (
  prefix: string,
  base: Child,
  form: FormParser,
): Pick<Child, 'gestational_age_weeks' | 'gestational_age_days'> => {
  const weeksKey = `${prefix}gestational_age_weeks`;
  const daysKey = `${prefix}gestational_age_days`;
  if (form.isUnchanged(weeksKey) && form.isUnchanged(daysKey))
    return {
      gestational_age_weeks: base.gestational_age_weeks,
      gestational_age_days: base.gestational_age_days,
    };
  const ofDays = form.text(daysKey);
  const beyond =
    ofDays === '' || isUnknownWord(ofDays)
      ? null
      : form.read(
          daysKey,
          parseWithin(ofDays, DAYS_WORDS, (text) =>
            parseWholeNumber(text, DAYS_WORDS, DAYS_BEYOND_WEEKS),
          ),
        );
  const ofWeeks = form.text(weeksKey);
  if (ofWeeks === '' || isUnknownWord(ofWeeks)) {
    if (beyond !== null)
      form.read(
        daysKey,
        invalid(
          'days-without-weeks',
          'The days of the gestational age need the weeks beside them.',
        ),
      );
    return { gestational_age_weeks: null, gestational_age_days: null };
  }
  const stated = form.read(
    weeksKey,
    parseWithin(ofWeeks, WEEKS_WORDS, (text) => parseGestation(text, WEEKS_WORDS)),
  );
  if (stated === null) return { gestational_age_weeks: null, gestational_age_days: null };
  const { weeks, days: own } = toWeeksAndDays(stated.days);
  // Days typed with the weeks replace the existing days.
  if (stated.hasDays && beyond !== null && beyond !== own && !form.isUnchanged(daysKey))
    form.read(
      daysKey,
      invalid('days-stated-twice', 'The days of the gestational age are stated twice: clear one.'),
    );
  return {
    gestational_age_weeks: weeks,
    gestational_age_days: stated.hasDays ? own : (beyond ?? 0),
  };
};

const OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * The practice's own offset is computed again, because summer time may have begun or ended.
 * @returns null outside the years 0001 to 9999, or for a text that is not a date and time
 */
export const moveByDays = (
  time: string,
  days: number,
  words: string,
  offsetAt: OffsetAt,
): Parsed<string> | null => {
  const parts = parseDateAndTime(time);
  if (parts === null) return null;
  const [offset = ''] = OFFSET.exec(time) ?? [];
  const clock = time.slice(DATE_LENGTH).replace(OFFSET, '');
  const local = `${toDate(toDayNumber(parts.date) + days)}${clock}`;
  const moved = parseDateAndTime(local);
  if (moved === null) return null;
  const { offsetMinutes: stated } = parts;
  if (stated === null || !isOwnTime(toLocalSecond(parts), stated, offsetAt))
    return ok(`${local}${offset}`);
  return flatMap(parseOffset(toLocalSecond(moved), null, words, offsetAt), (own) =>
    ok(`${local}${own === '' ? offset : own}`),
  );
};
