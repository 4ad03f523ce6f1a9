import { isDate, toDate, toDayNumber } from '../fhir/dates.ts';
import type { Range } from '../fhir/quantities.ts';
import { findFirstBirthDate } from './birth-times.ts';
import { CERTIFICATE_ITEMS, type CertificateItem } from './certificate-items.ts';
import type { Child, CourseOfCare } from './course.ts';
import { findParent, isEmpty } from './course-paths.ts';
import { type FieldPath, findFieldAt } from './fields.ts';

export interface MissingItem {
  readonly item: CertificateItem;
  readonly child: number | null;
  readonly paths: readonly FieldPath[];
}

/** In record order. Fields that the mask drops are not required of a partner's record. */
export const findMissingItems = (
  course: CourseOfCare,
  needed: readonly string[],
  isDeidentified = false,
): readonly MissingItem[] =>
  CERTIFICATE_ITEMS.filter(({ id }) => needed.includes(id)).flatMap((item) =>
    item.section === 'child'
      ? course.children.flatMap((child, index) =>
          findMissingParts(item, course, child, index, isDeidentified),
        )
      : findMissingParts(item, course, null, null, isDeidentified),
  );

const findMissingParts = (
  item: CertificateItem,
  course: CourseOfCare,
  child: Child | null,
  index: number | null,
  isDeidentified: boolean,
): readonly MissingItem[] => {
  if (item.applies?.(course, child) === false) return [];
  const isMissing = (path: FieldPath): boolean => {
    const field = findFieldAt(path);
    const value = findParent(course, field, index)?.[field.name];
    return value === '' || isEmpty(value);
  };
  const alternatives = item.instead === undefined ? [item.paths] : [item.paths, item.instead];
  if (alternatives.some((paths) => !paths.some(isMissing))) return [];
  const requested = alternatives
    .map((paths) =>
      paths.filter((path) => !(isDeidentified && findFieldAt(path).mask === 'dropped')),
    )
    .find((paths) => paths.length > 0);
  const paths = requested?.filter(isMissing) ?? [];
  return paths.length === 0 ? [] : [{ item, child: index, paths }];
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
