import type { CourseOfCare } from '../../domain/course/course.ts';
import type { NamedColumn } from '../../domain/intake/csv/column-names.ts';

/**
 * A course of care as the cells of a row, in texts that an import reads back to the same values whatever order of
 * day and month the practice uses: dates as `2026-05-12`, measures exactly in the unit of their column, answers by
 * their codes.
 */
export const exportedCells = (
  course: CourseOfCare,
  columns: readonly NamedColumn[],
): readonly string[] => columns.map(({ path }) => cellText(valueAt(course, path)));

const valueAt = (course: CourseOfCare, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (holder, name) => (holder as Readonly<Record<string, unknown>> | undefined | null)?.[name],
      course,
    );

const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return listText(value.map(String));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
};

// Between spaces each word would be a name of its own, as people type them.
const listText = (texts: readonly string[]): string =>
  texts.length === 1 && /\s/u.test(texts[0] ?? '') ? `${texts[0]};` : texts.join('; ');
