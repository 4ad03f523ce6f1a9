import { hasUnusableCharacters, listInvisible, removeInvisible } from '../text-input.ts';

/** In UTF-16 units. */
export const MAX_CHART_NUMBER = 255;

/**
 * `unusable` if it contains control characters or an unpaired surrogate, which databases cannot store
 * unchanged.
 * @see spec "Chart number"
 */
export const readChartNumber = (
  submitted: unknown,
): { kind: 'absent' } | { kind: 'unusable' } | ({ kind: 'chart number' } & ReadChartNumber) => {
  const text = typeof submitted === 'string' ? submitted.trim() : '';
  const value = removeInvisible(text).trim();
  if (value === '') return { kind: 'absent' };
  if (value.length > MAX_CHART_NUMBER || hasUnusableCharacters(value)) return { kind: 'unusable' };
  const invisible = listInvisible(text, removeInvisible);
  return { kind: 'chart number', value, ...(invisible === null ? {} : { invisible }) };
};

interface ReadChartNumber {
  readonly value: string;
  /** Code points of the invisible characters that were removed; absent if there were none. */
  readonly invisible?: string;
}

export interface CourseReference {
  /** Chart number, or `record[N]` if it has none; `Bundle` if the entire submission was rejected. */
  readonly reference: string;
  /** Present if the chart number looks like the position of its own course. */
  readonly isChartNumber?: true;
}

export const WHOLE_BUNDLE: CourseReference = { reference: 'Bundle' };

/** @param position zero-based, in the submission */
export const formatReference = (chartNumber: string | null, position: number): CourseReference => {
  if (chartNumber === null) return { reference: formatPosition(position) };
  return isPositionOf(chartNumber, position)
    ? { reference: chartNumber, isChartNumber: true }
    : { reference: chartNumber };
};

/** `null` if the course had no chart number. */
export const parseReference = (
  { reference, isChartNumber }: CourseReference,
  position: number,
): string | null =>
  isChartNumber === true || !isPositionOf(reference, position) ? reference : null;

const formatPosition = (position: number): string => `record[${position}]`;

// Any text can be a chart number, so `record[3]` is a position only if the course is at 3.
const isPositionOf = (reference: string, position: number): boolean =>
  reference === formatPosition(position) ||
  (position === 0 && reference === WHOLE_BUNDLE.reference);
