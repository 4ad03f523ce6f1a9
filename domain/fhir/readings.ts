import { listInvisible } from '../text-input.ts';
import { asText } from './json.ts';

/**
 * The log stores the ids: never rename one. The words are fixed, so that they never contain the value.
 */
export const READING_REASONS = {
  'date-impossible': 'The date is partial or impossible',
  'date-time-impossible': 'The date and time is partial or impossible',
  'not-a-number': 'The value is not a number',
  'not-whole': 'The number is not whole',
  'out-of-range': 'The number is outside the possible range',
  'has-comparator': 'The quantity has a comparator',
  'unit-missing': 'The unit is missing',
  'unit-unknown': 'The unit is unknown',
  'system-unknown': 'The code is known, but not of this code system',
  'not-understood': 'The value is not understood',
  'said-absent': 'The element says that its value is not known',
  'code-for-unknown': 'The number is the national code for a count that is not known',
  'date-placeholder': 'The year is before 1900, or 9999: such a date stands for an unknown one',
  'text-too-long': 'The text is too long',
  'too-many-values': 'There are too many values',
} as const;

export type ReadingReason = keyof typeof READING_REASONS;

export type RawValue = string | number | null;

/** `none`: absent, or stated as unknown. */
export type Reading<T> =
  | {
      readonly kind: 'value';
      readonly value: T;
      /** Names of the invisible characters that were dropped, such as `U+200B`. */
      readonly invisible?: string;
      /** Time that was sent with a date, whose field has no room for it. */
      readonly timeOfDay?: string;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'left-out'; readonly raw: RawValue; readonly reason: ReadingReason };

export const ABSENT: Reading<never> = { kind: 'none' };

export const present = <T>(value: T): Reading<T> => ({ kind: 'value', value });

// Long enough for any date or number, short enough for an event.
const RAW_LENGTH = 60;

export const leaveOut = (raw: unknown, reason: ReadingReason): Reading<never> => ({
  kind: 'left-out',
  raw: toRaw(raw),
  reason,
});

const toRaw = (raw: unknown): RawValue => {
  if (typeof raw === 'number' && Number.isFinite(raw)) return raw;
  if (typeof raw === 'boolean') return String(raw);
  const text = asText(raw);
  return text !== null && text.length <= RAW_LENGTH ? text : null;
};

export const mapReading = <T, U>(reading: Reading<T>, change: (value: T) => U): Reading<U> => {
  if (reading.kind !== 'value') return reading;
  const value = change(reading.value);
  const isPlain = reading.invisible === undefined && reading.timeOfDay === undefined;
  // Fast path: copying takes longer than reading most values.
  return isPlain ? present(value) : { ...reading, value };
};

/** Reads text of at most `longest` UTF-16 units; omits longer text, never truncates it. */
export const readText = (value: unknown, longest: number): Reading<string> => {
  const text = asText(value);
  if (text === null) return ABSENT;
  if (text.length > longest) return leaveOut(null, 'text-too-long');
  const invisible = typeof value === 'string' && text !== value ? listInvisible(value) : null;
  return invisible === null ? present(text) : { kind: 'value', value: text, invisible };
};
