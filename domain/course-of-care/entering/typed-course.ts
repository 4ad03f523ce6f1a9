import { isDate, parseDateAndTime } from '../../fhir/dates.ts';
import type { Child, CourseOfCare, Transfer } from '../canonical-record.ts';
import type { Field } from '../fields.ts';
import { type EnteredValues, FIELDS_OF } from './entered-fields.ts';

/** A value as a person would type it; '' for none. */
const typedText = (field: Field, value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => wordOf(field, String(one))).join('; ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return measureText(field, value);
  const text = String(value);
  if (field.type === 'date') return isDate(text) ? typedDateText(text) : text;
  return wordOf(field, text);
};

const wordOf = (field: Field, text: string): string => field.codes?.get(text) ?? text;

/** As exact as people measure: what was sent in pounds or inches has more digits than that. */
const measureText = ({ measure }: Field, value: number): string =>
  measure === undefined ? String(value) : `${rounded(value, DIGITS[measure.unit])} ${measure.unit}`;

const DIGITS = { g: 0, cm: 1, kg: 2 } as const;

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** `5/12/2026` for `2026-05-12`. */
const typedDateText = (date: string): string => {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${Number(month)}/${Number(day)}/${year}`;
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
): readonly (readonly [string, string])[] =>
  fields.map((field) => [
    `${prefix}${field.name}`,
    typedText(field, (holder as Record<string, unknown>)[field.name]),
  ]);

const childEntries = (child: Child, index: number) => {
  const prefix = `children.${index}.`;
  return [
    ...entriesOf(prefix, FIELDS_OF.children, child),
    [`${prefix}birth_time`, typedBirthTime(child)] as const,
  ];
};

const transferEntries = (transfer: Transfer, index: number) =>
  entriesOf(`transfers.${index}.`, FIELDS_OF.transfers, transfer);

/**
 * A course of care as texts that a form shows and `enteredCourse` understands: what is not changed
 * there keeps its value exactly.
 */
export const typedValues = (course: CourseOfCare): EnteredValues =>
  Object.fromEntries([
    ...entriesOf('', FIELDS_OF.course, course),
    ...entriesOf('mother.', FIELDS_OF.mother, course.mother),
    ...entriesOf('mother.address.', FIELDS_OF.address, course.mother.address),
    ...entriesOf('consent.', FIELDS_OF.consent, course.consent),
    ...course.children.flatMap(childEntries),
    ...course.transfers.flatMap(transferEntries),
    ...Object.entries(course.custom).map(
      ([fieldId, value]) => [`custom.${fieldId}`, value === null ? '' : String(value)] as const,
    ),
  ]);
