import type { CourseOfCare } from '../../domain/course/course.ts';
import { isEmpty } from '../../domain/course/course-paths.ts';
import { FIELDS, type Field } from '../../domain/course/fields.ts';
import { maskFieldValue } from '../../domain/course/mask.ts';
import { asObjects, isObject, type JsonObject } from '../../domain/fhir/json.ts';

/** Effect of the partner mask on one field, without the value itself. */
export type MaskNote = {
  readonly field: string;
  /** Index of the child or transfer; `null` for other fields. */
  readonly index: number | null;
  readonly outcome: 'kept' | 'reduced' | 'dropped' | 'empty';
  readonly why: string;
};

export const explainMask = (course: CourseOfCare): readonly MaskNote[] => {
  const source: JsonObject = isObject(course) ? course : {};
  return FIELDS.flatMap((field) =>
    listParents(field, source).map(({ value, index }) => ({
      field: field.path,
      index,
      ...explainField(field, value[field.name]),
    })),
  );
};

type ParentAt = { readonly value: JsonObject; readonly index: number | null };

const listParents = ({ parent }: Field, course: JsonObject): readonly ParentAt[] => {
  const toList = (value: unknown): readonly ParentAt[] => [
    { value: isObject(value) ? value : {}, index: null },
  ];
  if (parent === '') return toList(course);
  if (parent === 'children' || parent === 'transfers')
    return asObjects(course[parent]).map((element, index) => ({ value: element, index }));
  const mother = isObject(course['mother']) ? course['mother'] : {};
  return toList(parent === 'mother.address' ? mother['address'] : course[parent]);
};

const explainField = (field: Field, value: unknown): Pick<MaskNote, 'outcome' | 'why'> => {
  if (isBlank(value)) return { outcome: 'empty', why: 'Nothing was stated' };
  if (field.mask === 'dropped') return { outcome: 'dropped', why: 'Not on the allow-list' };
  if (field.mask === 'without_raw')
    return { outcome: 'reduced', why: 'Field and reason stay, the submitted value goes' };
  const masked = maskFieldValue(field, value);
  const outcome = isBlank(masked) ? 'dropped' : isUnchanged(masked, value) ? 'kept' : 'reduced';
  return { outcome, why: REASONS[field.mask][outcome] };
};

const isUnchanged = (masked: unknown, value: unknown): boolean =>
  Array.isArray(masked) && Array.isArray(value) ? masked.length === value.length : masked === value;

const isBlank = (value: unknown): boolean =>
  isEmpty(value) || (isObject(value) && Object.keys(value).length === 0);

type Reasons = Readonly<Record<Exclude<MaskNote['outcome'], 'empty'>, string>>;

const REASONS: Readonly<Record<Exclude<Field['mask'], 'dropped' | 'without_raw'>, Reasons>> = {
  kept: {
    kept: 'On the allow-list',
    reduced: 'On the allow-list',
    dropped: 'Not a value of its type',
  },
  year: {
    kept: 'A year alone is on the allow-list',
    reduced: 'Only the year is on the allow-list',
    dropped: 'Not a date',
  },
  state: {
    kept: 'A USPS state code is on the allow-list',
    reduced: 'Only the USPS state code is on the allow-list',
    dropped: 'Not a USPS state code',
  },
  recognized: {
    kept: 'A code of the recognized value set',
    reduced: 'Only codes of the recognized value set stay',
    dropped: 'Not a code of the recognized value set',
  },
};
