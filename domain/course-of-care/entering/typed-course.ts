import { isDate, parseDateAndTime } from '../../fhir/dates.ts';
import type { Child, CourseOfCare, Transfer } from '../canonical-record.ts';
import type { Field } from '../fields.ts';
import { type EnteredValues, FIELDS_OF } from './entered-fields.ts';

/** How a coded answer stands in a text. */
type WordOf = (field: Field, code: string) => string;

/** A value as a person would type it; '' for none. */
const typedText = (field: Field, value: unknown, wordOf: WordOf): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => wordOf(field, String(one))).join('; ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return measureText(field, value);
  const text = String(value);
  if (field.type === 'date') return isDate(text) ? typedDateText(text) : text;
  return wordOf(field, text);
};

const byName: WordOf = ({ codes }, code) => codes?.get(code) ?? code;
const byCode: WordOf = (_field, code) => code;

/** As exact as people measure: what was sent in pounds or inches has more digits than that. */
const measureText = ({ measure }: Field, value: number): string =>
  measure === undefined ? String(value) : `${rounded(value, DIGITS[measure.unit])} ${measure.unit}`;

const DIGITS = { g: 0, cm: 1, kg: 2 } as const;

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `May 12, 2026` for `2026-05-12`: the same date whichever order a practice writes dates in. */
const typedDateText = (date: string): string => {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${MONTHS[Number(month) - 1]} ${Number(day)}, ${year}`;
};

const NOON = 12;

/**
 * `2:05 pm` on the child's day; as it was sent on another day, or in UTC, which no practice's clock
 * shows.
 */
const typedBirthTime = ({ birth_time, birth_date }: Child): string => {
  if (birth_time === null) return '';
  const time = parseDateAndTime(birth_time);
  if (time === null || time.date !== birth_date || time.offsetMinutes === 0) return birth_time;
  const minutes = String(time.minute).padStart(2, '0');
  const seconds = time.second === 0 ? '' : `:${String(time.second).padStart(2, '0')}`;
  return `${time.hour % NOON || NOON}:${minutes}${seconds} ${time.hour < NOON ? 'am' : 'pm'}`;
};

const entriesOf = (
  prefix: string,
  fields: readonly Field[],
  holder: object,
  wordOf: WordOf,
): readonly (readonly [string, string])[] =>
  fields.map((field) => [
    `${prefix}${field.name}`,
    typedText(field, (holder as Record<string, unknown>)[field.name], wordOf),
  ]);

const childEntries = (child: Child, index: number, wordOf: WordOf) => {
  const prefix = `children.${index}.`;
  return [
    ...entriesOf(prefix, FIELDS_OF.children, child, wordOf),
    [`${prefix}birth_time`, typedBirthTime(child)] as const,
  ];
};

const transferEntries = (transfer: Transfer, index: number, wordOf: WordOf) =>
  entriesOf(`transfers.${index}.`, FIELDS_OF.transfers, transfer, wordOf);

const valuesOf = (course: CourseOfCare, wordOf: WordOf): EnteredValues =>
  Object.fromEntries([
    ...entriesOf('', FIELDS_OF.course, course, wordOf),
    ...entriesOf('mother.', FIELDS_OF.mother, course.mother, wordOf),
    ...entriesOf('mother.address.', FIELDS_OF.address, course.mother.address, wordOf),
    ...entriesOf('consent.', FIELDS_OF.consent, course.consent, wordOf),
    ...course.children.flatMap((child, index) => childEntries(child, index, wordOf)),
    ...course.transfers.flatMap((transfer, index) => transferEntries(transfer, index, wordOf)),
    ...Object.entries(course.custom).map(
      ([fieldId, value]) => [`custom.${fieldId}`, value === null ? '' : String(value)] as const,
    ),
  ]);

/**
 * A course of care as texts that `enteredCourse` understands, with the names of coded answers, as
 * people type them. What is not changed keeps its value exactly.
 */
export const typedValues = (course: CourseOfCare): EnteredValues => valuesOf(course, byName);

/** The same as a form holds it, with the codes themselves: they are the same in every language. */
export const formValues = (course: CourseOfCare): EnteredValues => valuesOf(course, byCode);
