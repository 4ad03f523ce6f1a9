import { hasUnusableCharacters, listInvisible, removeInvisible } from '../text-input.ts';

/** The longest chart number, in UTF-16 units. */
export const MAX_CHART_NUMBER = 255;

/**
 * A chart number as it was submitted: trimmed, without characters that show nothing, else exact. `absent` when it is blank or no string,
 * `unusable` when it is too long, has control characters, or an unpaired surrogate, which no store
 * keeps as it is.
 * @see spec "Chart number"
 */
export const readChartNumber = (
  submitted: unknown,
): { kind: 'absent' } | { kind: 'unusable' } | ({ kind: 'chart number' } & ReadChartNumber) => {
  const asSent = typeof submitted === 'string' ? submitted.trim() : '';
  const value = removeInvisible(asSent).trim();
  if (value === '') return { kind: 'absent' };
  if (value.length > MAX_CHART_NUMBER || hasUnusableCharacters(value)) return { kind: 'unusable' };
  const invisible = listInvisible(asSent, removeInvisible);
  return invisible === null
    ? { kind: 'chart number', value }
    : { kind: 'chart number', value, tidied: { asSent, invisible } };
};

/** A chart number, and what it was without. */
interface ReadChartNumber {
  readonly value: string;
  /** It had characters that show nothing. Records from before they were dropped may be under it as sent. */
  readonly tidied?: { readonly asSent: string; readonly invisible: string };
}

/** How a receipt refers to a course of a submission. */
export interface CourseReference {
  /** The chart number, else `record[N]`; `Bundle` for a submission that was refused as a whole. */
  readonly reference: string;
  /** Where it is a chart number that is spelled like the place of its own course. */
  readonly isChartNumber?: true;
}

/** The reference of a submission that was refused as a whole. */
export const WHOLE_BUNDLE: CourseReference = { reference: 'Bundle' };

/** How a receipt refers to a course. @param position zero-based, in the submission */
export const formatReference = (chartNumber: string | null, position: number): CourseReference => {
  if (chartNumber === null) return { reference: formatPosition(position) };
  return isPositionOf(chartNumber, position)
    ? { reference: chartNumber, isChartNumber: true }
    : { reference: chartNumber };
};

/** The chart number by which a receipt refers to the course at a position; null: it had none. */
export const parseReference = (
  { reference, isChartNumber }: CourseReference,
  position: number,
): string | null =>
  isChartNumber === true || !isPositionOf(reference, position) ? reference : null;

const formatPosition = (position: number): string => `record[${position}]`;

// Any text is a chart number, so a place is known by its position, not by its spelling.
const isPositionOf = (reference: string, position: number): boolean =>
  reference === formatPosition(position) ||
  (position === 0 && reference === WHOLE_BUNDLE.reference);
