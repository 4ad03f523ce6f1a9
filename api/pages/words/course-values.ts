import type { CourseOfCare } from '../../../domain/course/course.ts';
import { findDifferences, findHolder } from '../../../domain/course/course-paths.ts';
import { findFieldAt } from '../../../domain/course/fields.ts';
import { fullLabel, placeAtPath } from './field-labels.ts';
import { customValueInWords, heldInWords, type ValueWords } from './values-in-words.ts';

/** The same for a whole course: the practice's own fields by their ids as well. */
export interface CourseWords extends ValueWords {
  readonly customFields: ReadonlyMap<string, { readonly label: string; readonly type: string }>;
}

/** A value that changed, as people read it; null: not stated. */
export interface ChangeInWords {
  readonly path: string;
  /** "Mother: family name". */
  readonly label: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** The value that a course of care holds at a path such as `children.0.sex`, as people write it. */
export const valueAtInWords = (
  course: CourseOfCare,
  path: string,
  words: CourseWords,
): string | null => {
  if (path.startsWith(CUSTOM)) {
    const fieldId = path.slice(CUSTOM.length);
    const type = words.customFields.get(fieldId)?.type ?? null;
    return customValueInWords(type, course.custom[fieldId]);
  }
  const place = placeAtPath(path);
  const holder =
    place === null ? undefined : findHolder(course, findFieldAt(place.field), place.index);
  return place === null || holder === undefined
    ? null
    : heldInWords(findFieldAt(place.field), holder, words);
};

/** What a path such as `children.0.sex` is called where no heading stands above it. */
export const pathLabel = (path: string, children: number, words: CourseWords): string => {
  if (path.startsWith(CUSTOM))
    return words.customFields.get(path.slice(CUSTOM.length))?.label ?? 'A field of your practice';
  const place = placeAtPath(path);
  return place === null ? path : fullLabel(place, children);
};

/** What differs between two courses of care, told in the order of their fields. */
export const changesInWords = (
  before: CourseOfCare,
  after: CourseOfCare,
  words: CourseWords,
): readonly ChangeInWords[] => {
  const children = Math.max(before.children.length, after.children.length);
  const paths = findDifferences(before, after).map(({ path }) => path.replace(DAYS, WEEKS));
  return [...new Set(paths)]
    .map((path) => ({
      path,
      label: pathLabel(path, children, words),
      from: valueAtInWords(before, path, words),
      to: valueAtInWords(after, path, words),
    }))
    .filter(({ from, to }) => from !== to);
};

const CUSTOM = 'custom.';

// The days are shown with the weeks.
const DAYS = /gestational_age_days$/;
const WEEKS = 'gestational_age_weeks';
