import type { CourseOfCare } from '../../../domain/course/course.ts';
import { findDifferences, findParent } from '../../../domain/course/course-paths.ts';
import { findFieldAt } from '../../../domain/course/fields.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import { buildFullLabel, parseValuePlace } from './field-labels.ts';
import type { TimeFormat } from './format-times.ts';
import { formatCustomValue, formatFieldValue, type ValueContext } from './format-values.ts';

export interface CourseContext extends ValueContext {
  readonly customFields: ReadonlyMap<string, { readonly label: string; readonly type: string }>;
}

export const buildCourseContext = ({
  timeZone,
  clock,
  customFields,
  providers = new Map(),
}: TimeFormat & {
  readonly customFields: readonly CustomField[];
  readonly providers?: ReadonlyMap<string, { readonly name: string | null }>;
}): CourseContext => ({
  timeZone,
  clock,
  providerName: (providerId) => providers.get(providerId)?.name ?? null,
  customFields: new Map(customFields.map((field) => [field.fieldId, field])),
});

/** Changed value in words; `null` if not stated. */
export interface FormattedChange {
  readonly path: string;
  /** "Mother: family name". */
  readonly label: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** Value of a course of care at a path such as `children.0.sex`, in words. */
export const formatValueAt = (
  course: CourseOfCare,
  path: string,
  words: CourseContext,
): string | null => {
  if (path.startsWith(CUSTOM)) {
    const fieldId = path.slice(CUSTOM.length);
    const type = words.customFields.get(fieldId)?.type ?? null;
    return formatCustomValue(type, course.custom[fieldId]);
  }
  const place = parseValuePlace(path);
  const parent =
    place === null ? undefined : findParent(course, findFieldAt(place.field), place.index);
  return place === null || parent === undefined
    ? null
    : formatFieldValue(findFieldAt(place.field), parent, words);
};

/** Full label of a path such as `children.0.sex`, for use without a heading. */
export const buildPathLabel = (path: string, children: number, words: CourseContext): string => {
  if (path.startsWith(CUSTOM))
    return words.customFields.get(path.slice(CUSTOM.length))?.label ?? 'A field of your practice';
  const place = parseValuePlace(path);
  return place === null ? path : buildFullLabel(place, children);
};

/** Differences between two courses of care, in the order of their fields. */
export const formatChanges = (
  before: CourseOfCare,
  after: CourseOfCare,
  words: CourseContext,
): readonly FormattedChange[] => {
  const children = Math.max(before.children.length, after.children.length);
  const paths = findDifferences(before, after).map(({ path }) => path.replace(DAYS, WEEKS));
  return [...new Set(paths)]
    .map((path) => ({
      path,
      label: buildPathLabel(path, children, words),
      from: formatValueAt(before, path, words),
      to: formatValueAt(after, path, words),
    }))
    .filter(({ from, to }) => from !== to);
};

const CUSTOM = 'custom.';

// Shown with the weeks.
const DAYS = /gestational_age_days$/;
const WEEKS = 'gestational_age_weeks';
