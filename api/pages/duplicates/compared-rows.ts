import type { CourseOfCare } from '../../../domain/course/course.ts';
import { FIELDS, type Field, type FieldGroup } from '../../../domain/course/fields.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { PairRecord } from '../../../projections/lists/duplicates.ts';
import { formatChildLabel, GROUP_LABELS, lowercaseLabel } from '../text/field-labels.ts';
import { formatCustomValue, formatFieldValue, type ValueContext } from '../text/format-values.ts';

export interface ComparedRow {
  readonly label: string;
  /** Label for use without a heading: "Child 2: birth weight". */
  readonly fullLabel: string;
  readonly older: string;
  readonly newer: string;
  readonly differs: boolean;
}

export interface ComparedGroup {
  readonly heading: string;
  readonly rows: readonly ComparedRow[];
}

type ComparedRecord = Pick<PairRecord, 'course' | 'keyKind'>;

export interface ComparedRecords {
  readonly older: ComparedRecord;
  readonly newer: ComparedRecord;
}

/**
 * Compares children and transfers by position. A value that a de-identified record cannot store is
 * no difference.
 */
export const buildComparedRows = (
  { older, newer }: ComparedRecords,
  customFields: readonly CustomField[],
  words: ValueContext,
): readonly ComparedGroup[] => {
  const children = Math.max(older.course.children.length, newer.course.children.length);
  const transfers = Math.max(older.course.transfers.length, newer.course.transfers.length);
  const group = (heading: string, name: FieldGroup, findParent: FindParent): ComparedGroup => ({
    heading,
    rows: FIELDS.filter((field) => field.group === name && isCompared(field)).flatMap((field) => {
      const read = ({ course, keyKind }: ComparedRecord): ComparedValue => {
        const parent = findParent(field, course);
        const value = parent === undefined ? null : formatFieldValue(field, parent, words);
        return { value, isDeIdentified: keyKind === 'partner' };
      };
      const isHeadingName =
        heading === GROUP_LABELS[name] && name !== 'mother' && name !== 'children';
      const labels = {
        label: field.label,
        fullLabel: isHeadingName ? field.label : `${heading}: ${lowercaseLabel(field.label)}`,
      };
      return buildRow(labels, field.mask, read(older), read(newer));
    }),
  });
  return [
    group(GROUP_LABELS.mother, 'mother', (field, { mother }) =>
      field.parent === 'mother.address' ? mother.address : mother,
    ),
    group(GROUP_LABELS.pregnancy, 'pregnancy', (_field, course) => course),
    group(GROUP_LABELS['labor and birth'], 'labor and birth', (_field, course) => course),
    ...listPositions(children).map((index) =>
      group(
        formatChildLabel(index, children),
        'children',
        (_field, course) => course.children[index],
      ),
    ),
    group(GROUP_LABELS['people and decisions'], 'people and decisions', (field, course) => {
      if (field.parent === 'transfers') return undefined;
      return field.parent === 'consent' ? course.consent : course;
    }),
    ...listPositions(transfers).map((index) =>
      group(`Transfer ${index + 1}`, 'people and decisions', (field, course) =>
        field.parent === 'transfers' ? course.transfers[index] : undefined,
      ),
    ),
    {
      heading: GROUP_LABELS.custom,
      rows: customFields.flatMap(({ fieldId, label, type }) => {
        const read = ({ course }: ComparedRecord): ComparedValue => ({
          value: formatCustomValue(type, course.custom[fieldId]),
          isDeIdentified: false,
        });
        return buildRow({ label, fullLabel: label }, 'kept', read(older), read(newer));
      }),
    },
  ].filter(({ rows }) => rows.length > 0);
};

type FindParent = (field: Field, course: CourseOfCare) => object | undefined;

const listPositions = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => at);

// The days of the gestational age are shown with its weeks.
const isCompared = ({ path, type }: Field): boolean =>
  type !== 'marks' && path !== 'children.gestational_age_days';

interface ComparedValue {
  readonly value: string | null;
  readonly isDeIdentified: boolean;
}

const buildRow = (
  labels: Pick<ComparedRow, 'label' | 'fullLabel'>,
  mask: Field['mask'],
  older: ComparedValue,
  newer: ComparedValue,
): readonly ComparedRow[] => {
  if (older.value === null && newer.value === null) return [];
  const isStored = ({ value, isDeIdentified }: ComparedValue) =>
    value !== null || !isDeIdentified || mask !== 'dropped';
  const format = (one: ComparedValue) => one.value ?? (isStored(one) ? '–' : 'Not stored');
  const toComparable = ({ value }: ComparedValue) =>
    // De-identified records only store the year.
    mask === 'year' && older.isDeIdentified !== newer.isDeIdentified ? getYear(value) : value;
  return [
    {
      ...labels,
      older: format(older),
      newer: format(newer),
      differs: isStored(older) && isStored(newer) && toComparable(older) !== toComparable(newer),
    },
  ];
};

const getYear = (date: string | null): string | null => /\d{4}/.exec(date ?? '')?.[0] ?? null;
