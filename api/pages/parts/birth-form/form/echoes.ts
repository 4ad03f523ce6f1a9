import type { Field } from '../../../../../domain/course/fields.ts';
import { countWholeYears, isDate, parseDateAndTime } from '../../../../../domain/fhir/dates.ts';
import { countInWords, gestationInWords } from '../../../../../domain/format-measures.ts';
import type { FormValues } from '../../../../../domain/mapping/form/form-fields.ts';
import {
  addOffset,
  type DateReading,
  parseClock,
  parseDate,
  parseLocalTime,
  parsePartialDate,
  parseTypedTime,
} from '../../../../../domain/mapping/form/parse-dates.ts';
import { parseGestation } from '../../../../../domain/mapping/form/parse-measures.ts';
import { parseValue } from '../../../../../domain/mapping/form/parse-values.ts';
import type { Parsed } from '../../../../../domain/mapping/form/parsed.ts';
import { createOffsetAt } from '../../../../practice-time/practice-clock.ts';
import { formatDateAndTime, formatHour, formatMonth } from '../../../text/format-dates.ts';
import { formatTimeOfDay, type TimeFormat } from '../../../text/format-times.ts';
import { formatValue } from '../../../text/format-values.ts';
import { buildKey, FORM_FIELDS, listIndexes } from './form-layout.ts';

export const hasEcho = ({ type, name }: Field): boolean =>
  ['date', 'partial_date', 'date_time', 'time', 'number'].includes(type) ||
  name === 'gestational_age_weeks';

/** @param times of the practice, for times with another offset */
export const buildEchoes = (
  values: FormValues,
  times: TimeFormat,
  reading: DateReading = {},
): Readonly<Record<string, string>> => {
  const echoes: Record<string, string> = {};
  for (const field of FORM_FIELDS.filter(hasEcho))
    for (const key of listKeys(field, values)) {
      const echo = buildEcho(field, (values[key] ?? '').trim(), times, reading);
      const hour =
        field.type === 'time' ? formatTypedHour(values, key, times.timeZone, reading) : '';
      if (echo !== null) echoes[key] = `${echo}${hour}`;
    }
  const age = buildAgeEcho(values, reading);
  if (age !== null) echoes['mother.birth_date'] = `${echoes['mother.birth_date'] ?? ''}, ${age}`;
  return echoes;
};

const listKeys = (field: Field, values: FormValues): readonly string[] =>
  field.parent === 'children' || field.parent === 'transfers'
    ? listIndexes(field.parent, values).map((index) => buildKey(field, index))
    : [buildKey(field, null)];

// Weights and heights have no time zone.
const LOCAL = { offsetAt: () => null, unitIsNamed: false };

const buildEcho = (
  field: Field,
  text: string,
  times: TimeFormat,
  reading: DateReading,
): string | null => {
  if (text === '') return null;
  // A sender's format, not one that people type.
  if (parseDateAndTime(text) !== null) return formatDateAndTime(text, times);
  const { inSentence: words } = field;
  if (field.name === 'gestational_age_weeks')
    return formatParsed(parseGestation(text, words), ({ days }) =>
      gestationInWords(Math.floor(days / DAYS_PER_WEEK), days % DAYS_PER_WEEK),
    );
  const local =
    field.type === 'time' || field.type === 'date_time'
      ? parseLocalTime(text, words, reading)
      : null;
  if (local !== null)
    return formatParsed(local, ({ date, timeOfDay }) => {
      const [hour, minute] = timeOfDay.split(':').map(Number);
      return `${formatDay(date)}, ${formatTimeOfDay(hour ?? 0, minute ?? 0, times.clock)}`;
    });
  if (field.type === 'time')
    return formatParsed(parseClock(text, words), ({ timeOfDay }) => formatTwelveHours(timeOfDay));
  if (field.type === 'number')
    return formatParsed(parseValue(field, text, LOCAL), (value) =>
      formatValue(field.path, value, times),
    );
  if (field.type === 'partial_date')
    return formatParsed(parsePartialDate(text, words, reading), (date) =>
      isDate(date) ? formatDay(date) : formatMonthOf(date),
    );
  return formatParsed(parseDate(text, words, reading), formatDay);
};

/** `null` for a year, which needs no other words. */
const formatMonthOf = (date: string): string | null =>
  date.length > 'YYYY'.length ? formatMonth(date) : null;

/** Suffix of a typed time in a night in which the clocks change: " EST". */
const formatTypedHour = (
  values: FormValues,
  key: string,
  timeZone: string,
  reading: DateReading,
): string => {
  const isSent = parseDateAndTime((values[key] ?? '').trim()) !== null;
  const local = isSent ? null : parseTypedTime(values, key, reading);
  if (local === null) return '';
  const time = addOffset(local, '', createOffsetAt(timeZone));
  return formatHour(
    time.kind === 'value' ? time.value : `${local.date}T${local.timeOfDay}`,
    timeZone,
  );
};

const DAYS_PER_WEEK = 7;

const formatParsed = <T>(one: Parsed<T>, inWords: (value: T) => string | null): string | null =>
  one.kind === 'value' ? inWords(one.value) : null;

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });

/** "Tuesday, May 12, 2026". */
const formatDay = (date: string): string => DAY.format(new Date(`${date}T00:00:00Z`));

const NOON = 12;

/** "14:05, 2:05 pm". */
const formatTwelveHours = (time: string): string => {
  const [hour = '', minute = ''] = time.split(':');
  const half = Number(hour) < NOON ? 'am' : 'pm';
  return `${hour}:${minute}, ${Number(hour) % NOON || NOON}:${minute} ${half}`;
};

const parseDatePart = (text: string | undefined, reading: DateReading): string | null => {
  const read = parseDate(text ?? '', '', reading);
  return read.kind === 'value' && isDate(read.value) ? read.value : null;
};

const buildAgeEcho = (values: FormValues, reading: DateReading): string | null => {
  const mother = parseDatePart(values['mother.birth_date'], reading);
  const [first] = listIndexes('children', values).flatMap(
    (index) => parseDatePart(values[`children.${index}.birth_date`], reading) ?? [],
  );
  if (mother === null || first === undefined || first < mother) return null;
  return `${countInWords(countWholeYears(mother, first), 'year')} old at the birth`;
};
