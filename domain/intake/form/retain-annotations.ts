import type { CourseOfCare, ValueSource, Warning } from '../../course/course.ts';
import { findValue, toValuePath } from '../../course/course-paths.ts';

const valueAt = (course: CourseOfCare, field: string, child: number | null): unknown =>
  findValue(course, toValuePath(field, child ?? 0));

/**
 * A value keeps the mark of the EHR that it came from until it is changed.
 * @param origins which child of the held course each child was
 * @returns the mark, at the place of its child now, or none
 */
export const retainProvenance = (
  mark: ValueSource,
  base: CourseOfCare,
  next: CourseOfCare,
  origins: readonly number[],
): readonly ValueSource[] => {
  const child = mark.child === null ? null : origins.indexOf(mark.child);
  if (child === -1) return [];
  const before = JSON.stringify(valueAt(base, mark.field, mark.child));
  return JSON.stringify(valueAt(next, mark.field, child)) === before ? [{ ...mark, child }] : [];
};

/**
 * What was left out of a Bundle is reported until there is a value, or another one.
 * @param origins which child of the held course each child was
 * @returns the warning, at the place of its child now, or none
 */
export const retainWarnings = (
  warning: Warning,
  base: CourseOfCare,
  next: CourseOfCare,
  origins: readonly number[],
): readonly Warning[] => {
  // Each version has a stamp of its own.
  if (warning.field === 'stamp') return [];
  const child = warning.child === null ? null : origins.indexOf(warning.child);
  if (child === -1) return [];
  const value = valueAt(next, warning.field, child);
  const before = valueAt(base, warning.field, warning.child);
  const isUnchanged = JSON.stringify(value) === JSON.stringify(before);
  const isOpen = isUnchanged || value === null || value === undefined || Array.isArray(value);
  return isOpen ? [{ ...warning, child }] : [];
};
