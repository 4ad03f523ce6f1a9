import type { CourseOfCare } from '../../../domain/course-of-care/canonical-record.ts';
import { differences } from '../../../domain/course-of-care/differences.ts';
import type { NamedRecord } from '../../../domain/course-of-care/named-record.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import {
  type ChangeInWords,
  type CourseWords,
  pathLabel,
  valueAtInWords,
} from '../words/course-values.ts';
import { dateInWords } from '../words/dates-in-words.ts';
import { fullLabel, placeAtPath } from '../words/field-labels.ts';

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
): readonly ChangeInWords[] => {
  const paths = differences(from, to)
    .filter(({ path }) => !NOT_TYPED.has(path))
    // Weeks and days are one value in the form.
    .map(({ path }) => path.replace(DAYS, '.gestational_age_weeks'));
  const children = Math.max(from.children.length, to.children.length);
  const told: CourseWords = {
    timeZone: words.timeZone,
    customFields: new Map(words.customFields.map((field) => [field.fieldId, field])),
  };
  return [...new Set(paths)].map((path) => ({
    path,
    label: pathLabel(path, children, told),
    from: valueAtInWords(from, path, told),
    to: valueAtInWords(to, path, told),
  }));
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
