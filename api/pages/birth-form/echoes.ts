import type { Field } from '../../../domain/course/fields.ts';
import { countWholeYears, isDate, parseDateAndTime } from '../../../domain/fhir/dates.ts';
import { countInWords, gestationInWords } from '../../../domain/format-measures.ts';
import type { FormValues } from '../../../domain/intake/form/form-fields.ts';
import {
  addOffset,
  type DateReading,
  parseClock,
  parseDate,
} from '../../../domain/intake/form/parse-dates.ts';
import { parseGestation } from '../../../domain/intake/form/parse-measures.ts';
import { parseValue } from '../../../domain/intake/form/parse-values.ts';
import type { Parsed } from '../../../domain/intake/form/parsed.ts';
import { createOffsetAt } from '../../practice-time/practice-clock.ts';
import { dateAndTimeInWords, hourName } from '../words/dates-in-words.ts';
import { valueInWords } from '../words/values-in-words.ts';
import { FORM_FIELDS, indexesOf, keyOf } from './form-layout.ts';
import { typedMoment } from './times-shown-twice.ts';

/** True if a field's value is echoed in other words. */
export const isEchoed = ({ type, name }: Field): boolean =>
  ['date', 'date_time', 'time', 'number'].includes(type) || name === 'gestational_age_weeks';

/**
 * Interpretation of the values that can be typed in several ways, by key.
 * @param timeZone IANA name of the practice's zone, for times with another offset
 * @param reading the practice's date format
 */
export const echoesOf = (
  values: FormValues,
  timeZone: string,
  reading: DateReading = {},
): Readonly<Record<string, string>> => {
  const echoes: Record<string, string> = {};
  for (const field of FORM_FIELDS.filter(isEchoed))
    for (const key of keysOf(field, values)) {
      const echo = echoOf(field, (values[key] ?? '').trim(), timeZone, reading);
      const hour = field.type === 'time' ? typedHourName(values, key, timeZone, reading) : '';
      if (echo !== null) echoes[key] = `${echo}${hour}`;
    }
  const age = ageEcho(values, reading);
  if (age !== null) echoes['mother.birth_date'] = `${echoes['mother.birth_date'] ?? ''}, ${age}`;
  return echoes;
};

const keysOf = (field: Field, values: FormValues): readonly string[] =>
  field.holder === 'children' || field.holder === 'transfers'
    ? indexesOf(field.holder, values).map((index) => keyOf(field, index))
    : [keyOf(field, null)];

// Weights and heights have no time zone.
const LOCAL = { offsetAt: () => null, unitIsNamed: false };

const echoOf = (
  field: Field,
  text: string,
  timeZone: string,
  reading: DateReading,
): string | null => {
  if (text === '') return null;
  // A sender's format, not one that people type.
  if (parseDateAndTime(text) !== null) return dateAndTimeInWords(text, timeZone);
  const { inSentence: words } = field;
  if (field.name === 'gestational_age_weeks')
    return said(parseGestation(text, words), ({ days }) =>
      gestationInWords(Math.floor(days / DAYS_PER_WEEK), days % DAYS_PER_WEEK),
    );
  if (field.type === 'time')
    return said(parseClock(text, words), ({ timeOfDay }) => timeInWords(timeOfDay));
  if (field.type === 'number')
    return said(parseValue(field, text, LOCAL), (value) =>
      valueInWords(field.path, value, { timeZone: 'UTC' }),
    );
  return said(parseDate(text, words, reading), dayInWords);
};

/** Suffix of a typed time in a night in which the clocks change: " EST". */
const typedHourName = (
  values: FormValues,
  key: string,
  timeZone: string,
  reading: DateReading,
): string => {
  const isSent = parseDateAndTime((values[key] ?? '').trim()) !== null;
  const local = isSent ? null : typedMoment(values, key, reading);
  if (local === null) return '';
  const time = addOffset(local, '', createOffsetAt(timeZone));
  return hourName(
    time.kind === 'value' ? time.value : `${local.date}T${local.timeOfDay}`,
    timeZone,
  );
};

const DAYS_PER_WEEK = 7;

const said = <T>(one: Parsed<T>, inWords: (value: T) => string | null): string | null =>
  one.kind === 'value' ? inWords(one.value) : null;

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });

/** "Tuesday, May 12, 2026". */
const dayInWords = (date: string): string => DAY.format(new Date(`${date}T00:00:00Z`));

const NOON = 12;

/** "14:05, 2:05 pm". */
const timeInWords = (time: string): string => {
  const [hour = '', minute = ''] = time.split(':');
  const half = Number(hour) < NOON ? 'am' : 'pm';
  return `${hour}:${minute}, ${Number(hour) % NOON || NOON}:${minute} ${half}`;
};

const dateIn = (text: string | undefined, reading: DateReading): string | null => {
  const read = parseDate(text ?? '', '', reading);
  return read.kind === 'value' && isDate(read.value) ? read.value : null;
};

const ageEcho = (values: FormValues, reading: DateReading): string | null => {
  const mother = dateIn(values['mother.birth_date'], reading);
  const [first] = indexesOf('children', values).flatMap(
    (index) => dateIn(values[`children.${index}.birth_date`], reading) ?? [],
  );
  if (mother === null || first === undefined || first < mother) return null;
  return `${countInWords(countWholeYears(mother, first), 'year')} old at the birth`;
};
