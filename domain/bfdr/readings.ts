import type { Warning, WarningReason } from '../course-of-care/canonical-record.ts';
import { textOf } from './json.ts';

/**
 * What reading one element gave: a value, nothing (absent, or known to be unknown), or something
 * that has to be left out, with the reason. `raw` is for the native lane's warning only.
 */
export type Reading<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'none' }
  | { readonly kind: 'left-out'; readonly raw: Warning['raw']; readonly reason: WarningReason };

/** Nothing was stated, or stated to be unknown. */
export const NOTHING_READ: Reading<never> = { kind: 'none' };

/** A usable value. */
export const read = <T>(value: T): Reading<T> => ({ kind: 'value', value });

// Long enough for any date or number, short enough for an event.
const RAW_LENGTH = 60;

/** A value that cannot be taken; the raw value is kept if it is a number or a short text. */
export const leftOut = (raw: unknown, reason: WarningReason): Reading<never> => ({
  kind: 'left-out',
  raw: rawOf(raw),
  reason,
});

const rawOf = (raw: unknown): Warning['raw'] => {
  if (typeof raw === 'number' && Number.isFinite(raw)) return raw;
  const text = textOf(raw);
  return text !== null && text.length <= RAW_LENGTH ? text : null;
};

/** The same reading with its value changed. */
export const mapReading = <T, U>(reading: Reading<T>, change: (value: T) => U): Reading<U> =>
  reading.kind === 'value' ? read(change(reading.value)) : reading;

/** The longest name, identifier or address part that is kept, in UTF-16 units. */
export const MAX_NAME = 150;

/** The longest text of a coded value that is kept, in UTF-16 units. */
export const MAX_TEXT = 300;

/** Reads a text of at most `longest` UTF-16 units; a longer one is left out, never cut. */
export const readText = (value: unknown, longest: number): Reading<string> => {
  const text = textOf(value);
  if (text === null) return NOTHING_READ;
  return text.length <= longest ? read(text) : leftOut(null, 'The text is too long');
};

// Our choice: more would fill the event with warnings of one broken Bundle.
const MAX_WARNINGS = 100;

/** Takes values out of readings and collects a warning for each that was left out. */
export type Notes = {
  readonly warnings: Warning[];
  readonly take: <T>(field: string, child: number | null, reading: Reading<T>) => T | null;
};

/** A fresh collection of warnings for one course of care. */
export const takeNotes = (): Notes => {
  const warnings: Warning[] = [];
  return {
    warnings,
    take: (field, child, reading) => {
      if (reading.kind === 'left-out' && warnings.length < MAX_WARNINGS)
        warnings.push({ field, child, raw: reading.raw, reason: reading.reason });
      return reading.kind === 'value' ? reading.value : null;
    },
  };
};
