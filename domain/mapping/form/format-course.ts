import type { Child, CourseOfCare, Transfer } from '../../course/course.ts';
import type { Field } from '../../course/fields.ts';
import { findWhichMoment, type OffsetAt, readClockAt } from '../../course/local-times.ts';
import { type DateAndTime, isDate, parseDateAndTime, toLocalSecond } from '../../fhir/dates.ts';
import { FIELDS_BY_HOLDER, type FormValues } from './form-fields.ts';

type WordOf = (field: Field, code: string) => string;

/** Formats a value as a person would type it; '' for none. */
const formatText = (
  field: Field,
  value: unknown,
  wordOf: WordOf,
  offsetAt: OffsetAt | undefined,
): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => wordOf(field, String(one))).join('; ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatMeasure(field, value);
  const text = String(value);
  if (field.type === 'date') return isDate(text) ? formatDate(text) : text;
  if (field.type === 'partial_date') return isDate(text) ? formatDate(text) : formatMonth(text);
  if (field.type === 'date_time') return formatDateTime(text, offsetAt);
  return wordOf(field, text);
};

const byName: WordOf = ({ codes }, code) => codes?.get(code) ?? code;
const byCode: WordOf = (_field, code) => code;

/** Values converted from pounds or inches have more digits than real measurements. */
const formatMeasure = ({ measure }: Field, value: number): string =>
  measure === undefined
    ? String(value)
    : `${roundToDigits(value, DIGITS[measure.unit])} ${measure.unit}`;

const DIGITS = { g: 0, cm: 1, kg: 2 } as const;

const roundToDigits = (value: number, digits: number): number => Number(value.toFixed(digits));

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `May 12, 2026` for `2026-05-12`: unambiguous in either date order. */
export const formatDate = (date: string): string => {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${MONTHS[Number(month) - 1]} ${Number(day)}, ${year}`;
};

/** `Sep 2026` for `2026-09`; other text unchanged. */
const formatMonth = (text: string): string => {
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(text) ?? [];
  return month === undefined ? text : `${MONTHS[Number(month) - 1]} ${year}`;
};

/** `Sep 4, 2026, 8:05 pm` on the practice's clock. Unchanged if that is not known. */
export const formatDateTime = (text: string, offsetAt: OffsetAt | undefined): string => {
  if (isDate(text)) return formatDate(text);
  const time = toOwnTime(text, offsetAt);
  if (time === null) return formatMonth(text);
  return offsetAt === undefined
    ? text
    : `${formatDate(time.date)}, ${formatMoment(time, offsetAt)}`;
};

/** Date and time as the practice's clock shows a time in UTC; other times as they were sent. */
const toOwnTime = (text: string, offsetAt: OffsetAt | undefined): DateAndTime | null => {
  const time = parseDateAndTime(text);
  if (time?.offsetMinutes !== 0 || offsetAt === undefined) return time;
  const local = readClockAt(toLocalSecond(time), offsetAt);
  return local === null ? time : parseDateAndTime(local);
};

/** `2:05 pm`, or `1:30 am second` if the practice's clock repeats the hour. */
const formatMoment = (time: DateAndTime, offsetAt: OffsetAt): string => {
  const which = findWhichMoment(toLocalSecond(time), time.offsetMinutes, offsetAt);
  return which === null ? formatClock(time) : `${formatClock(time)} ${which}`;
};

const NOON = 12;

/**
 * `2:05 pm` on the child's birth date, and with its own date on another. If the practice's clock is
 * unknown, a time in UTC or on another date keeps its own offset.
 */
export const formatBirthTime = (
  { birth_time, birth_date }: Pick<Child, 'birth_time' | 'birth_date'>,
  offsetAt: OffsetAt | undefined,
): string => {
  if (birth_time === null) return '';
  const time = toOwnTime(birth_time, offsetAt);
  if (time === null) return birth_time;
  const isOnBirthDate = time.date === birth_date;
  if (offsetAt !== undefined)
    return isOnBirthDate ? formatMoment(time, offsetAt) : formatDateTime(birth_time, offsetAt);
  return isOnBirthDate && time.offsetMinutes !== 0 ? formatClock(time) : birth_time;
};

/** `2:05 pm`, with seconds if there are any. */
export const formatClock = ({
  hour,
  minute,
  second,
}: Pick<DateAndTime, 'hour' | 'minute' | 'second'>): string => {
  const minutes = String(minute).padStart(2, '0');
  const seconds = second === 0 ? '' : `:${String(second).padStart(2, '0')}`;
  return `${hour % NOON || NOON}:${minutes}${seconds} ${hour < NOON ? 'am' : 'pm'}`;
};

const formatFields = (
  prefix: string,
  fields: readonly Field[],
  parent: object,
  wordOf: WordOf,
  offsetAt?: OffsetAt,
): readonly (readonly [string, string])[] =>
  fields.map((field) => [
    `${prefix}${field.name}`,
    formatText(field, (parent as Record<string, unknown>)[field.name], wordOf, offsetAt),
  ]);

const formatChildren = (
  child: Child,
  index: number,
  wordOf: WordOf,
  offsetAt: OffsetAt | undefined,
) => {
  const prefix = `children.${index}.`;
  return [
    ...formatFields(prefix, FIELDS_BY_HOLDER.children, child, wordOf),
    [`${prefix}birth_time`, formatBirthTime(child, offsetAt)] as const,
  ];
};

const formatTransfers = (transfer: Transfer, index: number, wordOf: WordOf) =>
  formatFields(`transfers.${index}.`, FIELDS_BY_HOLDER.transfers, transfer, wordOf);

const formatValues = (course: CourseOfCare, wordOf: WordOf, offsetAt?: OffsetAt): FormValues =>
  Object.fromEntries([
    ...formatFields('', FIELDS_BY_HOLDER.course, course, wordOf),
    ...formatFields('mother.', FIELDS_BY_HOLDER.mother, course.mother, wordOf),
    ...formatFields('mother.address.', FIELDS_BY_HOLDER.address, course.mother.address, wordOf),
    ...formatFields('consent.', FIELDS_BY_HOLDER.consent, course.consent, wordOf, offsetAt),
    ...course.children.flatMap((child, index) => formatChildren(child, index, wordOf, offsetAt)),
    ...course.transfers.flatMap((transfer, index) => formatTransfers(transfer, index, wordOf)),
    ...Object.entries(course.custom).map(
      ([fieldId, value]) => [`custom.${fieldId}`, value === null ? '' : String(value)] as const,
    ),
  ]);

/** Display names of coded answers. Unchanged texts keep their exact values. */
export const formatEntries = (course: CourseOfCare, offsetAt?: OffsetAt): FormValues =>
  formatValues(course, byName, offsetAt);

/** Like {@link formatEntries}, but with the codes, which do not depend on the language. */
export const formatForm = (course: CourseOfCare, offsetAt?: OffsetAt): FormValues =>
  formatValues(course, byCode, offsetAt);
