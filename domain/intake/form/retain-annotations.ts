import type { CourseOfCare, ValueSource, Warning } from '../../course/course.ts';
import { findValue, toValuePath } from '../../course/course-paths.ts';

const getValueAt = (course: CourseOfCare, field: string, child: number | null): unknown =>
  findValue(course, toValuePath(field, child ?? 0));

/**
 * Retains the EHR provenance of a value until the value changes.
 * @param origins index of each child in the existing course
 * @returns the mark, with the current index of its child, or none
 */
export const retainProvenance = (
  mark: ValueSource,
  base: CourseOfCare,
  next: CourseOfCare,
  origins: readonly number[],
): readonly ValueSource[] => {
  const child = mark.child === null ? null : origins.indexOf(mark.child);
  if (child === -1) return [];
  const before = JSON.stringify(getValueAt(base, mark.field, mark.child));
  return JSON.stringify(getValueAt(next, mark.field, child)) === before ? [{ ...mark, child }] : [];
};

/**
 * Retains the warning about an omitted value until the field has a value, or a different one.
 * @param origins index of each child in the existing course
 * @returns the warning, with the current index of its child, or none
 */
export const retainWarnings = (
  warning: Warning,
  base: CourseOfCare,
  next: CourseOfCare,
  origins: readonly number[],
): readonly Warning[] => {
  // Each version has its own stamp.
  if (warning.field === 'stamp') return [];
  const child = warning.child === null ? null : origins.indexOf(warning.child);
  if (child === -1) return [];
  const value = getValueAt(next, warning.field, child);
  const before = getValueAt(base, warning.field, warning.child);
  const isUnchanged = JSON.stringify(value) === JSON.stringify(before);
  const isOpen = isUnchanged || value === null || value === undefined || Array.isArray(value);
  return isOpen ? [{ ...warning, child }] : [];
};
