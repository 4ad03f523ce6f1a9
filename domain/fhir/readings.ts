import { textOf } from './json.ts';

/** Why a stated value cannot be taken; fixed sentences, so that they never carry the value. */
export const READING_REASONS = [
  'The date is partial or impossible',
  'The date and time is partial or impossible',
  'The value is not a number',
  'The number is not whole',
  'The number is outside the possible range',
  'The quantity has a comparator',
  'The unit is missing',
  'The unit is unknown',
  'The value is not understood',
  'The text is too long',
  'There are too many values',
] as const;

/** One of the fixed reasons for leaving a stated value out. */
export type ReadingReason = (typeof READING_REASONS)[number];

/** A value that cannot be taken, as far as it is a number or a short text. */
export type RawValue = string | number | null;

/**
 * What reading one element gave: a value, nothing (absent, or known to be unknown), or something
 * that has to be left out, with the reason.
 */
export type Reading<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'none' }
  | { readonly kind: 'left-out'; readonly raw: RawValue; readonly reason: ReadingReason };

/** Nothing was stated, or stated to be unknown. */
export const NOTHING_READ: Reading<never> = { kind: 'none' };

/** A usable value. */
export const read = <T>(value: T): Reading<T> => ({ kind: 'value', value });

// Long enough for any date or number, short enough for an event.
const RAW_LENGTH = 60;

/** A value that cannot be taken; the raw value is kept if it is a number or a short text. */
export const leftOut = (raw: unknown, reason: ReadingReason): Reading<never> => ({
  kind: 'left-out',
  raw: rawOf(raw),
  reason,
});

const rawOf = (raw: unknown): RawValue => {
  if (typeof raw === 'number' && Number.isFinite(raw)) return raw;
  const text = textOf(raw);
  return text !== null && text.length <= RAW_LENGTH ? text : null;
};

/** The same reading with its value changed. */
export const mapReading = <T, U>(reading: Reading<T>, change: (value: T) => U): Reading<U> =>
  reading.kind === 'value' ? read(change(reading.value)) : reading;

/** Reads a text of at most `longest` UTF-16 units; a longer one is left out, never cut. */
export const readText = (value: unknown, longest: number): Reading<string> => {
  const text = textOf(value);
  if (text === null) return NOTHING_READ;
  return text.length <= longest ? read(text) : leftOut(null, 'The text is too long');
};
