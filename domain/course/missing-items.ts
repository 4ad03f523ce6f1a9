import { isDate, toDate, toDayNumber } from '../fhir/dates.ts';
import type { Range } from '../fhir/quantities.ts';
import { findFirstBirthDate } from './birth-times.ts';
import { CERTIFICATE_ITEMS, type CertificateItem } from './certificate-items.ts';
import type { Child, CourseOfCare } from './course.ts';
import { type FieldPath, findFieldAt } from './fields.ts';

/** An item that a record lacks, or of which it holds only a part. */
export interface MissingItem {
  readonly item: CertificateItem;
  /** Position of the child; null for an item of the whole course. */
  readonly child: number | null;
  /** Those of its fields that hold nothing. */
  readonly paths: readonly FieldPath[];
}

/**
 * What a course of care lacks of the items that its practice needs, in the order of a record; items
 * of a child once for each child.
 * @param needed ids of items; unknown ones count for nothing
 * @param isDeidentified a partner sent it: it is not asked for what the mask drops
 */
export const findMissingItems = (
  course: CourseOfCare,
  needed: readonly string[],
  isDeidentified = false,
): readonly MissingItem[] =>
  CERTIFICATE_ITEMS.filter(({ id }) => needed.includes(id)).flatMap((item) =>
    item.section === 'child'
      ? course.children.flatMap((child, index) => lack(item, course, child, index, isDeidentified))
      : lack(item, course, null, null, isDeidentified),
  );

const lack = (
  item: CertificateItem,
  course: CourseOfCare,
  child: Child | null,
  index: number | null,
  isDeidentified: boolean,
): readonly MissingItem[] => {
  if (item.applies?.(course, child) === false) return [];
  const isEmpty = (path: FieldPath): boolean => isNothing(heldAt(path, course, child));
  const alternatives = item.instead === undefined ? [item.paths] : [item.paths, item.instead];
  if (alternatives.some((paths) => !paths.some(isEmpty))) return [];
  const asked = alternatives
    .map((paths) =>
      paths.filter((path) => !(isDeidentified && findFieldAt(path).mask === 'dropped')),
    )
    .find((paths) => paths.length > 0);
  const paths = asked?.filter(isEmpty) ?? [];
  return paths.length === 0 ? [] : [{ item, child: index, paths }];
};

const heldAt = (path: FieldPath, course: CourseOfCare, child: Child | null): unknown => {
  const { holder, name } = findFieldAt(path);
  const held = {
    '': course,
    mother: course.mother,
    'mother.address': course.mother.address,
    children: child,
    transfers: null,
    consent: course.consent,
  }[holder] as Readonly<Record<string, unknown>> | null;
  return held?.[name] ?? null;
};

const isNothing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Days after a birth by which a practice may want its record complete. */
export const DAYS_UNTIL_DUE: Range = { from: 1, to: 365 };

/**
 * The day by which a record has to be complete, `YYYY-MM-DD`; null where the practice set no number
 * of days, or the day of birth is not known.
 */
export const computeDueDate = (
  { children }: Pick<CourseOfCare, 'children'>,
  daysUntilDue: number | null,
): string | null => {
  const born = findFirstBirthDate(children);
  return daysUntilDue === null || born === null || !isDate(born)
    ? null
    : toDate(toDayNumber(born) + daysUntilDue);
};
