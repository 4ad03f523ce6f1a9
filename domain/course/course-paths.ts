import type { CourseOfCare } from './course.ts';
import { FIELDS, type Field } from './fields.ts';

/** Value that is present in a course of care: never null or an empty list. */
export type StatedValue = string | number | boolean | readonly string[];

/** Value that differs between two courses of care; null on the side where it is not stated. */
export interface Difference {
  /** Includes the position of the child or transfer: `children.0.sex`, `custom.<id>`. */
  readonly path: string;
  readonly from: StatedValue | null;
  readonly to: StatedValue | null;
}

// The stamp and the IG version describe the document, not the birth; annotations describe values.
const COMPARED = FIELDS.filter(
  ({ path, type }) => type !== 'marks' && path !== 'stamp' && path !== 'ig_version',
);

type Holder = Readonly<Record<string, unknown>>;

/** Lists the objects of a course that hold a field, each with the prefix of its path. */
const listHolders = (
  { holder }: Field,
  course: CourseOfCare,
): readonly (readonly [string, object])[] => {
  switch (holder) {
    case '':
      return [['', course]];
    case 'mother':
      return [['mother.', course.mother]];
    case 'mother.address':
      return [['mother.address.', course.mother.address]];
    case 'consent':
      return [['consent.', course.consent]];
    case 'children':
    case 'transfers':
      return course[holder].map((one, index) => [`${holder}.${index}.`, one] as const);
  }
};

/** Lists every stated value by path, in documented order. */
export const listStatedValues = (course: CourseOfCare): ReadonlyMap<string, StatedValue> => {
  const stated = new Map<string, StatedValue>();
  const add = (path: string, value: unknown) => {
    if (isStated(value)) stated.set(path, value);
  };
  for (const field of COMPARED)
    for (const [prefix, holder] of listHolders(field, course))
      add(`${prefix}${field.name}`, (holder as Holder)[field.name]);
  for (const [fieldId, value] of Object.entries(course.custom)) add(`custom.${fieldId}`, value);
  return stated;
};

const isStated = (value: unknown): value is StatedValue =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

export const isSameValue = (
  one: StatedValue | null | undefined,
  other: StatedValue | null | undefined,
): boolean => {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return (one ?? null) === (other ?? null);
  return one.length === other.length && one.every((value, index) => value === other[index]);
};

/** Compares two courses of care value by value; children and transfers are paired by position. */
export const findDifferences = (from: CourseOfCare, to: CourseOfCare): readonly Difference[] => {
  const before = listStatedValues(from);
  const after = listStatedValues(to);
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((path) => ({ path, from: before.get(path) ?? null, to: after.get(path) ?? null }))
    .filter((one) => !isSameValue(one.from, one.to));
};
