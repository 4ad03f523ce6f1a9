import type { CourseOfCare } from '../../../../../domain/course/course.ts';
import { findDifferences } from '../../../../../domain/course/course-paths.ts';
import { findFieldAt } from '../../../../../domain/course/fields.ts';
import type { OffsetAt } from '../../../../../domain/course/local-times.ts';
import type { CustomField } from '../../../../../domain/custom-field/state.ts';
import type { FormValues } from '../../../../../domain/mapping/form/form-fields.ts';
import type { NamedRecord } from '../../../../../projections/lists/records.ts';
import {
  buildPathLabel,
  type CourseContext,
  type FormattedChange,
  formatValueAt,
} from '../../../text/course-values.ts';
import { buildFullLabel, parseValuePlace } from '../../../text/field-labels.ts';
import { DEFAULT_TIME_FORMAT } from '../../../text/format-times.ts';
import { formatFullName } from '../../../text/full-name.ts';
import { formatBirthOn } from '../../../text/record-titles.ts';
import { listChoices, listIndexes } from '../form/form-layout.ts';
import { formatFormValues, splitList } from '../form/form-values.ts';

// People do not type these: they come from a partner or are derived from other values.
const NOT_TYPED = new Set(['attendant', 'certifier', 'mother.age_at_delivery']);
const DAYS = /\.gestational_age_days$/;

/** Differences between two courses in values that people can type, in the order of the form. */
export const formatDifferences = (
  from: CourseOfCare,
  to: CourseOfCare,
  words: CourseContext,
): readonly FormattedChange[] => {
  const paths = findDifferences(from, to)
    .filter(({ path }) => !NOT_TYPED.has(path))
    // Weeks and days are one value in the form.
    .map(({ path }) => path.replace(DAYS, '.gestational_age_weeks'));
  const children = Math.max(from.children.length, to.children.length);
  return [...new Set(paths)].map((path) => ({
    path,
    label: buildPathLabel(path, children, words),
    from: formatValueAt(from, path, words),
    to: formatValueAt(to, path, words),
  }));
};

const IDENTIFYING_PATHS = [
  'mother.family_name',
  'mother.given_names',
  'mother.suffix',
  'mother.birth_date',
  'mother.medical_record_number',
  'place_of_birth',
] as const;
const IDENTIFYING_CHILD_FIELDS = [
  'family_name',
  'given_names',
  'suffix',
  'birth_date',
  'birth_time',
  'sex',
  'birth_weight_grams',
  'gestational_age_weeks',
] as const;

export interface ComparedBirths {
  /** Identifying values, equal or not, in the order of the form; without those that neither has. */
  readonly identifying: readonly FormattedChange[];
  readonly others: readonly FormattedChange[];
}

export const compareBirths = (
  current: CourseOfCare,
  sent: CourseOfCare,
  words: CourseContext,
): ComparedBirths => {
  const children = Math.max(current.children.length, sent.children.length);
  const paths: readonly string[] = [
    ...IDENTIFYING_PATHS,
    ...Array.from({ length: children }, (_, child) =>
      IDENTIFYING_CHILD_FIELDS.map((name) => `children.${child}.${name}`),
    ).flat(),
  ];
  return {
    identifying: paths
      .map((path) => ({
        path,
        label: buildPathLabel(path, children, words),
        from: formatValueAt(current, path, words),
        to: formatValueAt(sent, path, words),
      }))
      .filter(({ from, to }) => from !== null || to !== null),
    others: formatDifferences(current, sent, words).filter(({ path }) => !paths.includes(path)),
  };
};

/** Mother's name as one text: "Bea Okafor"; `null` if the course has none. */
export const formatMotherName = ({ mother }: CourseOfCare): string | null =>
  formatFullName(mother) || null;

/** `null` if missing. */
export const formatTypedMother = (values: FormValues): string | null =>
  [values['mother.given_names'], values['mother.family_name'], values['mother.suffix']]
    .flatMap((name) => name?.trim() || [])
    .join(' ') || null;

/**
 * Works on texts as typed, even if a record could not store them.
 * @param offsetAt of the practice's zone
 */
export const formatTypedChanges = (
  base: CourseOfCare,
  values: FormValues,
  customFields: readonly CustomField[],
  offsetAt: OffsetAt,
): readonly FormattedChange[] =>
  formatTypedDifferences(formatFormValues(base, offsetAt), values, customFields);

export const formatTypedDifferences = (
  initialValues: FormValues,
  values: FormValues,
  customFields: readonly CustomField[],
): readonly FormattedChange[] => {
  // A missing child or transfer was removed; other missing keys are just not in the form.
  const removed = Object.keys(initialValues).filter(
    (key) => !(key in values) && /^(?:children|transfers)\./.test(key),
  );
  const paths = [...Object.keys(values), ...removed];
  const children = Math.max(-1, ...listIndexes('children', { ...initialValues, ...values })) + 1;
  const fields = new Map(customFields.map((field) => [field.fieldId, field]));
  return paths
    .map((path) => ({
      path,
      label: buildPathLabel(path, children, { ...DEFAULT_TIME_FORMAT, customFields: fields }),
      from: formatTyped(path, initialValues[path]),
      to: formatTyped(path, values[path]),
    }))
    .filter(({ from, to }) => from !== to);
};

/** Chosen answers by name, other text as typed. */
const formatTyped = (path: string, text = ''): string | null => {
  const place = parseValuePlace(path);
  const field = place === null ? null : findFieldAt(place.field);
  const answers = field?.type === 'codes' ? splitList(text) : [text.trim()];
  const names = answers.map((answer) => {
    const choices = field === null ? [] : listChoices(field, answer);
    return choices.find(({ value }) => value === answer)?.text ?? answer;
  });
  return names.join('; ') || null;
};

/** Names of the fields in messages, without duplicates: "Mother: date of birth, Child 2: sex". */
export const formatPathNames = (paths: readonly string[], children: number): string =>
  [
    ...new Set(
      paths.flatMap((path) => {
        const place = parseValuePlace(path);
        return place === null ? [] : buildFullLabel(place, children);
      }),
    ),
  ].join('; ');

/** Mother and date of birth of a record: "Ana Díaz, birth on May 12, 2026". */
export const formatMotherAndBirth = ({ motherName, born }: NamedRecord): string =>
  [
    motherName ?? 'mother’s name not recorded',
    born === null ? 'birth without a date' : formatBirthOn(born),
  ].join(', ');

/** Title of a record: "Chart number MRN-1, Ana Díaz, birth on May 12, 2026". */
export const formatChartAndMother = (record: NamedRecord): string => {
  const { chartNumber } = record;
  const number = chartNumber === null ? 'No chart number' : `Chart number ${chartNumber}`;
  return `${number}, ${formatMotherAndBirth(record)}`;
};
