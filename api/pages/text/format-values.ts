import type { Transfer } from '../../../domain/course/course.ts';
import { type Field, type FieldPath, findFieldAt } from '../../../domain/course/fields.ts';
import {
  birthWeightInWords,
  countInWords,
  gestationInWords,
  heightInWords,
  numberInWords,
  weightInWords,
} from '../../../domain/format-measures.ts';
import { formatDate, formatDateAndTime } from './format-dates.ts';
import type { TimeFormat } from './format-times.ts';
import { capitalize } from './text-case.ts';

export interface ValueContext extends TimeFormat {
  /** Name of a provider by id; `null` if unnamed. If absent, no provider is named. */
  readonly providerName?: (providerId: string) => string | null;
}

/** "3,400 g (7 lb 8 oz)", "May 12, 2026", "Cesarean"; `null` if not stated. */
export const formatValue = (
  path: FieldPath,
  value: unknown,
  words: ValueContext,
): string | null => {
  if (value === null || value === undefined || value === '') return null;
  const field = findFieldAt(path);
  if (Array.isArray(value)) return formatList(field, value);
  if (typeof value === 'boolean') return formatYesNo(path, value);
  if (typeof value === 'number') return formatNumber(field, value);
  const text = String(value);
  switch (field.type) {
    case 'date':
    case 'partial_date':
      return formatDate(text);
    case 'time':
    case 'instant':
    case 'date_time':
      return formatDateAndTime(text, words);
    case 'choice':
      return CHOICES[path]?.[text] ?? capitalize(text);
    case 'code':
      return field.codes?.get(text) ?? text;
    default:
      return isProvider(path) ? (words.providerName?.(text) ?? 'Unnamed provider') : text;
  }
};

/**
 * Field value in words, including related fields, such as the days of the gestational age.
 * @param parent the mother, address, child, transfer, consent, or course that contains the field
 */
export const formatFieldValue = (
  field: Field,
  parent: object,
  words: ValueContext,
): string | null => {
  const values = parent as Readonly<Record<string, unknown>>;
  const { gestational_age_weeks: weeks, gestational_age_days: days } = values;
  if (field.path === 'children.gestational_age_weeks' && typeof weeks === 'number')
    return gestationInWords(weeks, typeof days === 'number' ? days : null);
  return formatValue(field.path, values[field.name], words);
};

/** Value of a custom field in words; `null` if not stated. */
export const formatCustomValue = (type: string | null, value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return numberInWords(value);
  return type === 'date' ? formatDate(String(value)) : String(value);
};

/** Transfer in one line: "Infant transferred out to East Hospital, 6 hours after birth, urgent". */
export const formatTransfer = (transfer: Transfer): string => {
  const { timing, hours_after_birth: hours, urgency, reason } = transfer;
  const isAfterHours = hours !== null && timing === 'after birth';
  return [
    formatMove(transfer),
    ...(timing === null || isAfterHours ? [] : [timing]),
    ...(hours === null ? [] : [`${countInWords(hours, 'hour')} after birth`]),
    ...(urgency === null ? [] : [urgency]),
    ...(reason === null ? [] : [`reason: ${reason}`]),
  ].join(', ');
};

const formatMove = (transfer: Transfer): string => {
  const { type, child_birth_order: order, direction, place, facility } = transfer;
  const person =
    type === null ? '' : `${type}${order === null ? '' : ` with birth order ${order}`} `;
  const who = capitalize(`${person}transferred`);
  const kind = place === null ? null : PLACES[place];
  const where = facility !== null && kind !== null ? `${facility} (${kind})` : (facility ?? kind);
  if (direction === null) return where === null ? who : `${who}, ${where}`;
  return `${who} ${direction === 'in' ? 'in from' : 'out to'} ${where ?? PLACES['other facility']}`;
};

const PLACES: Readonly<Record<NonNullable<Transfer['place']>, string>> = {
  home: 'home',
  'birth center': 'a birth center',
  hospital: 'a hospital',
  'other facility': 'another facility',
};

const formatList = (field: Field, values: readonly unknown[]): string | null => {
  const words = values.map((one) => field.codes?.get(String(one)) ?? String(one));
  // Given names form one name; races are separate items.
  const isOneName = field.type === 'texts' && field.maxTexts === undefined;
  const between = words.some((word) => word.includes(',')) ? '; ' : ', ';
  return words.join(isOneName ? ' ' : between) || null;
};

const formatYesNo = (path: FieldPath, value: boolean): string => {
  if (path === 'consent.granted') return value ? 'Granted' : 'Not granted';
  return value ? 'Yes' : 'No';
};

const formatNumber = ({ measure, countUnit }: Field, value: number): string => {
  if (measure !== undefined) return MEASURES[measure.unit](value);
  return countUnit === undefined ? numberInWords(value) : countInWords(value, countUnit);
};

const MEASURES = { cm: heightInWords, kg: weightInWords, g: birthWeightInWords } as const;

const CHOICES: Readonly<Partial<Record<FieldPath, Readonly<Record<string, string>>>>> = {
  'transfers.direction': { in: 'In, from a facility or home', out: 'Out, to another facility' },
};

const isProvider = (path: FieldPath): boolean => path === 'attendant' || path === 'certifier';
