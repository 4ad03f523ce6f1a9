import type { CourseOfCare } from '../../../domain/course-of-care/canonical-record.ts';
import { FIELDS } from '../../../domain/course-of-care/canonical-record.ts';
import { differences } from '../../../domain/course-of-care/differences.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import { dateInWords } from '../words/dates-in-words.ts';
import { fullLabel, placeAtPath } from '../words/field-labels.ts';
import { customValueInWords, heldInWords } from '../words/values-in-words.ts';
import type { NamedRecord } from './birth-form-parts.ts';

/** A value that two courses of care state differently, in words; null: not stated. */
export interface DifferenceInWords {
  /** Key of the value in the form. */
  readonly path: string;
  readonly label: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** What values are told with. */
export interface DifferenceWords {
  readonly timeZone: string;
  readonly customFields: readonly CustomField[];
}

// A person does not state them: they come from a partner, or follow from other values.
const NOT_TYPED = new Set(['attendant', 'certifier', 'mother.age_at_delivery']);
const DAYS = /\.gestational_age_days$/;

/** What differs between two courses of care of what a person can state, in the order of the form. */
export const differencesInWords = (
  from: CourseOfCare,
  to: CourseOfCare,
  words: DifferenceWords,
): readonly DifferenceInWords[] => {
  const paths = differences(from, to)
    .filter(({ path }) => !NOT_TYPED.has(path))
    // Weeks and days are one value in the form.
    .map(({ path }) => path.replace(DAYS, '.gestational_age_weeks'));
  const children = Math.max(from.children.length, to.children.length);
  return [...new Set(paths)].map((path) => ({
    path,
    label: labelOf(path, children, words),
    from: wordsAt(from, path, words),
    to: wordsAt(to, path, words),
  }));
};

const CUSTOM = 'custom.';

const labelOf = (path: string, children: number, { customFields }: DifferenceWords): string => {
  const own = customFields.find(({ fieldId }) => path === `${CUSTOM}${fieldId}`);
  const place = placeAtPath(path);
  return own?.label ?? (place === null ? path : fullLabel(place, children));
};

const wordsAt = (course: CourseOfCare, path: string, words: DifferenceWords): string | null => {
  if (path.startsWith(CUSTOM)) {
    const fieldId = path.slice(CUSTOM.length);
    const own = words.customFields.find((field) => field.fieldId === fieldId);
    return customValueInWords(own?.type ?? null, course.custom[fieldId]);
  }
  const place = placeAtPath(path);
  const field = FIELDS.find((one) => one.path === place?.field);
  if (place === null || field === undefined) return null;
  const holder = holderAt(course, field.holder, place.index ?? 0);
  return holder === undefined ? null : heldInWords(field, holder, words);
};

const holderAt = (
  course: CourseOfCare,
  holder: (typeof FIELDS)[number]['holder'],
  index: number,
): object | undefined => {
  switch (holder) {
    case '':
      return course;
    case 'mother':
      return course.mother;
    case 'mother.address':
      return course.mother.address;
    case 'consent':
      return course.consent;
    case 'children':
    case 'transfers':
      return course[holder][index];
  }
};

/** Names of the values that messages speak of, each once: "Mother: date of birth, Child 2: sex". */
export const namesOfPaths = (paths: readonly string[], children: number): string =>
  [
    ...new Set(
      paths.flatMap((path) => {
        const place = placeAtPath(path);
        return place === null ? [] : fullLabel(place, children);
      }),
    ),
  ].join('; ');

/** Whose record it is: "Ana Díaz, born 12 May 2026". */
export const motherInWords = ({ motherName, born }: NamedRecord): string =>
  [
    motherName ?? 'mother’s name not stated',
    born === null ? 'birth date not stated' : `born ${dateInWords(born)}`,
  ].join(', ');

/** What people call a record: "Chart number MRN-1, Ana Díaz, born 12 May 2026". */
export const recordInWords = (record: NamedRecord): string => {
  const { chartNumber } = record;
  const number = chartNumber === null ? 'No chart number' : `Chart number ${chartNumber}`;
  return `${number}, ${motherInWords(record)}`;
};
