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

/** Settings for writing values in words. */
export interface DifferenceWords {
  readonly timeZone: string;
  readonly customFields: readonly CustomField[];
}

// People do not type these: they come from a partner or are derived from other values.
const NOT_TYPED = new Set(['attendant', 'certifier', 'mother.age_at_delivery']);
const DAYS = /\.gestational_age_days$/;

/** Differences between two courses in values that people can type, in the order of the form. */
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

/** Values that identify a birth, plus those of its children. */
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

/** Comparison of two births. */
export interface BirthsBeside {
  /** Identifying values, equal or not, in the order of the form; without those that neither has. */
  readonly telling: readonly ChangeInWords[];
  /** Other differences. */
  readonly others: readonly ChangeInWords[];
}

/** Compares a stored record with its replacement. */
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

/** Mother's name as one text: "Bea Okafor"; `null` if the course has none. */
export const motherNameIn = ({ mother }: CourseOfCare): string | null =>
  [...mother.given_names, mother.family_name ?? ''].join(' ').trim() || null;

/**
 * Changes in a form as typed, even if a record could not store them.
 * @param begun base of the form
 * @param offsetAt of the practice's zone
 */
export const changesAsTyped = (
  begun: CourseOfCare,
  values: FormValues,
  customFields: readonly CustomField[],
  offsetAt: OffsetAt,
): readonly ChangeInWords[] => {
  const shown = shownValues(begun, offsetAt);
  // A missing child or transfer was removed; other missing keys are just not in the form.
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

/** Chosen answers by name, other text as typed. */
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

/** Names of the fields in messages, without duplicates: "Mother: date of birth, Child 2: sex". */
export const namesOfPaths = (paths: readonly string[], children: number): string =>
  [
    ...new Set(
      paths.flatMap((path) => {
        const place = placeAtPath(path);
        return place === null ? [] : fullLabel(place, children);
      }),
    ),
  ].join('; ');

/** Mother of a record: "Ana Díaz, born May 12, 2026". */
export const motherInWords = ({ motherName, born }: NamedRecord): string =>
  [
    motherName ?? 'mother’s name not stated',
    born === null ? 'birth date not stated' : `born ${dateInWords(born)}`,
  ].join(', ');

/** Title of a record: "Chart number MRN-1, Ana Díaz, born May 12, 2026". */
export const recordInWords = (record: NamedRecord): string => {
  const { chartNumber } = record;
  const number = chartNumber === null ? 'No chart number' : `Chart number ${chartNumber}`;
  return `${number}, ${motherInWords(record)}`;
};
