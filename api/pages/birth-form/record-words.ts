import type { CourseOfCare } from '../../../domain/course/course.ts';
import { findDifferences } from '../../../domain/course/course-paths.ts';
import { findFieldAt } from '../../../domain/course/fields.ts';
import type { OffsetAt } from '../../../domain/course/practice-clock.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { FormValues } from '../../../domain/intake/form/form-fields.ts';
import type { NamedRecord } from '../../../projections/lists/records.ts';
import {
  type ChangeInWords,
  type CourseWords,
  pathLabel,
  valueAtInWords,
} from '../words/course-values.ts';
import { dateInWords } from '../words/dates-in-words.ts';
import { fullLabel, placeAtPath } from '../words/field-labels.ts';
import { choicesOf, indexesOf } from './form-layout.ts';
import { listed, shownValues } from './form-values.ts';

/** What it takes to write values in words. */
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
  const paths = findDifferences(from, to)
    .filter(({ path }) => !NOT_TYPED.has(path))
    // Weeks and days are one value in the form.
    .map(({ path }) => path.replace(DAYS, '.gestational_age_weeks'));
  const children = Math.max(from.children.length, to.children.length);
  const told = courseWordsOf(words);
  return [...new Set(paths)].map((path) => ({
    path,
    label: pathLabel(path, children, told),
    from: valueAtInWords(from, path, told),
    to: valueAtInWords(to, path, told),
  }));
};

/** By what people tell one birth from another, with the children of both. */
const TELLING = [
  'mother.family_name',
  'mother.given_names',
  'mother.birth_date',
  'mother.medical_record_number',
  'place_of_birth',
] as const;
const TELLING_OF_CHILDREN = [
  'family_name',
  'given_names',
  'birth_date',
  'birth_time',
  'sex',
  'birth_weight_grams',
  'gestational_age_weeks',
] as const;

/** Two births beside each other. */
export interface BirthsBeside {
  /** Whose they are, alike or not, in the order of the form; what neither states is left out. */
  readonly telling: readonly ChangeInWords[];
  /** What else differs. */
  readonly others: readonly ChangeInWords[];
}

/** The record that is held beside what would replace it. */
export const birthsBeside = (
  held: CourseOfCare,
  sent: CourseOfCare,
  words: DifferenceWords,
): BirthsBeside => {
  const told = courseWordsOf(words);
  const children = Math.max(held.children.length, sent.children.length);
  const paths: readonly string[] = [
    ...TELLING,
    ...Array.from({ length: children }, (_, child) =>
      TELLING_OF_CHILDREN.map((name) => `children.${child}.${name}`),
    ).flat(),
  ];
  return {
    telling: paths
      .map((path) => ({
        path,
        label: pathLabel(path, children, told),
        from: valueAtInWords(held, path, told),
        to: valueAtInWords(sent, path, told),
      }))
      .filter(({ from, to }) => from !== null || to !== null),
    others: differencesInWords(held, sent, words).filter(({ path }) => !paths.includes(path)),
  };
};

const courseWordsOf = ({ timeZone, customFields }: DifferenceWords): CourseWords => ({
  timeZone,
  customFields: new Map(customFields.map((field) => [field.fieldId, field])),
});

/** The name of the mother as one text: "Bea Okafor"; null if the course states none. */
export const motherNameIn = ({ mother }: CourseOfCare): string | null =>
  [...mother.given_names, mother.family_name ?? ''].join(' ').trim() || null;

/**
 * What was changed in the form of a course, as typed: it may be nothing that a record holds.
 * @param begun what the form began from
 * @param offsetAt of the practice's zone
 */
export const changesAsTyped = (
  begun: CourseOfCare,
  values: FormValues,
  customFields: readonly CustomField[],
  offsetAt: OffsetAt,
): readonly ChangeInWords[] => {
  const shown = shownValues(begun, offsetAt);
  // A child or transfer that was removed has no values any more; others are only not in the form.
  const removed = Object.keys(shown).filter(
    (key) => !(key in values) && /^(?:children|transfers)\./.test(key),
  );
  const paths = [...Object.keys(values), ...removed];
  const children = Math.max(-1, ...indexesOf('children', { ...shown, ...values })) + 1;
  const fields = new Map(customFields.map((field) => [field.fieldId, field]));
  return paths
    .map((path) => ({
      path,
      label: pathLabel(path, children, { timeZone: 'UTC', customFields: fields }),
      from: typedInWords(path, shown[path]),
      to: typedInWords(path, values[path]),
    }))
    .filter(({ from, to }) => from !== to);
};

/** Answers that were chosen, by their names; what was written, as it was written. */
const typedInWords = (path: string, text = ''): string | null => {
  const place = placeAtPath(path);
  const field = place === null ? null : findFieldAt(place.field);
  const answers = field?.type === 'codes' ? listed(text) : [text.trim()];
  const names = answers.map((answer) => {
    const chosen = field === null ? [] : choicesOf(field, answer);
    return chosen.find(({ value }) => value === answer)?.text ?? answer;
  });
  return names.join('; ') || null;
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

/** Whose record it is: "Ana Díaz, born May 12, 2026". */
export const motherInWords = ({ motherName, born }: NamedRecord): string =>
  [
    motherName ?? 'mother’s name not stated',
    born === null ? 'birth date not stated' : `born ${dateInWords(born)}`,
  ].join(', ');

/** What people call a record: "Chart number MRN-1, Ana Díaz, born May 12, 2026". */
export const recordInWords = (record: NamedRecord): string => {
  const { chartNumber } = record;
  const number = chartNumber === null ? 'No chart number' : `Chart number ${chartNumber}`;
  return `${number}, ${motherInWords(record)}`;
};
