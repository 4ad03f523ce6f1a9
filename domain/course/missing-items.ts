import { isDate, toDate, toDayNumber } from '../fhir/dates.ts';
import type { Range } from '../fhir/quantities.ts';
import { findFirstBirthDate } from './birth-times.ts';
import { CERTIFICATE_ITEMS, type CertificateItem } from './certificate-items.ts';
import type { CourseOfCare } from './course.ts';
import { findParent, isEmpty } from './course-paths.ts';
import { type FieldPath, findFieldAt } from './fields.ts';

export interface MissingItem {
  readonly item: CertificateItem;
  readonly child: number | null;
  readonly paths: readonly FieldPath[];
}

const NO_CHILD = [null];

/**
 * In record order. Fields that the mask drops are not required of a partner's record.
 * @param needed ids of items; `null` for all
 */
export const findMissingItems = (
  course: CourseOfCare,
  needed: readonly string[] | null,
  isDeidentified = false,
): readonly MissingItem[] => {
  const items: MissingItem[] = [];
  for (const item of CERTIFICATE_ITEMS) {
    if (needed !== null && !needed.includes(item.id)) continue;
    for (const child of item.section === 'child' ? course.children.keys() : NO_CHILD) {
      const one = child === null ? null : (course.children[child] ?? null);
      if (item.applies?.(course, one) === false) continue;
      const { paths, instead = [] } = item;
      if (!isAnyMissing(course, paths, child)) continue;
      if (instead.length > 0 && !isAnyMissing(course, instead, child)) continue;
      const parts = isDeidentified ? (omitDropped(paths) ?? omitDropped(instead) ?? []) : paths;
      if (isAnyMissing(course, parts, child))
        items.push({
          item,
          child,
          paths: parts.filter((path) => isMissing(course, path, child)),
        });
    }
  }
  return items;
};

const omitDropped = (paths: readonly FieldPath[]): readonly FieldPath[] | null => {
  const others = paths.filter((path) => findFieldAt(path).mask !== 'dropped');
  return others.length === 0 ? null : others;
};

// Creates no function or list, because a rebuild checks every item of every record.
const isAnyMissing = (
  course: CourseOfCare,
  paths: readonly FieldPath[],
  child: number | null,
): boolean => {
  for (const path of paths) if (isMissing(course, path, child)) return true;
  return false;
};

const isMissing = (course: CourseOfCare, path: FieldPath, child: number | null): boolean => {
  const field = findFieldAt(path);
  const value = findParent(course, field, child)?.[field.name];
  return value === '' || isEmpty(value);
};

/** In days after birth. */
export const DAYS_UNTIL_DUE: Range = { from: 1, to: 365 };

/** `YYYY-MM-DD`; null without a deadline of the practice or a date of birth. */
export const computeDueDate = (
  { children }: Pick<CourseOfCare, 'children'>,
  daysUntilDue: number | null,
): string | null => {
  const born = findFirstBirthDate(children);
  return daysUntilDue === null || born === null || !isDate(born)
    ? null
    : toDate(toDayNumber(born) + daysUntilDue);
};
