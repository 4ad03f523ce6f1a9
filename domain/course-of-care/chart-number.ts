import { hasUnusableCharacters } from '../unusable-characters.ts';

/** The longest chart number, in UTF-16 units. */
export const MAX_CHART_NUMBER = 255;

/**
 * A chart number as it was submitted: trimmed, else exact. `absent` when it is blank or no string,
 * `unusable` when it is too long, has control characters, or an unpaired surrogate, which no store
 * keeps as it is.
 * @see spec "Chart number"
 */
export const readChartNumber = (
  submitted: unknown,
): { kind: 'absent' } | { kind: 'unusable' } | { kind: 'chart number'; value: string } => {
  const value = typeof submitted === 'string' ? submitted.trim() : '';
  if (value === '') return { kind: 'absent' };
  if (value.length > MAX_CHART_NUMBER || hasUnusableCharacters(value)) return { kind: 'unusable' };
  return { kind: 'chart number', value };
};
