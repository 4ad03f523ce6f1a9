import type { CourseOfCare, ValueSource, Warning } from '../../course/course.ts';
import { findValue, toValuePath } from '../../course/course-paths.ts';

const getValueAt = (course: CourseOfCare, field: string, child: number | null): unknown =>
  findValue(course, toValuePath(field, child ?? 0));

/** Kept until the value changes. */
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

/** Kept until the field has a value, or a different one. */
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
