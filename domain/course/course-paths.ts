import { type CourseOfCare, emptyChild, emptyTransfer } from './course.ts';
import { FIELDS, type Field } from './fields.ts';

/** Never null or an empty list. */
export type StatedValue = string | number | boolean | readonly string[];

/** `null` on a side that does not state it. */
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

type Values = Readonly<Record<string, unknown>>;

/** `index` selects a child or transfer. */
export const findParent = (
  course: CourseOfCare,
  { parent }: Field,
  index: number | null,
): Values | undefined => {
  switch (parent) {
    case '':
      return course;
    case 'mother.address':
      return course.mother.address;
    case 'mother':
    case 'consent':
      return course[parent];
    case 'children':
    case 'transfers':
      return course[parent][index ?? 0];
  }
};

const listParents = (
  field: Field,
  course: CourseOfCare,
): readonly (readonly [string, Values | undefined])[] => {
  const { parent } = field;
  if (parent === 'children' || parent === 'transfers')
    return course[parent].map((one, index) => [`${parent}.${index}.`, one] as const);
  return [[parent === '' ? '' : `${parent}.`, findParent(course, field, null)]];
};

/** In documented order. */
export const listStatedValues = (course: CourseOfCare): ReadonlyMap<string, StatedValue> => {
  const stated = new Map<string, StatedValue>();
  const add = (path: string, value: unknown) => {
    if (!isEmpty(value)) stated.set(path, value as StatedValue);
  };
  for (const field of COMPARED)
    for (const [prefix, parent] of listParents(field, course))
      add(`${prefix}${field.name}`, parent?.[field.name]);
  for (const [fieldId, value] of Object.entries(course.custom)) add(`custom.${fieldId}`, value);
  return stated;
};

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Removes the position from a path: `children.0.sex` becomes `children.sex`. */
export const toFieldPath = (path: string): string => path.replace(/\.\d+\./, '.');

export const toValuePath = (fieldPath: string, child: number | null): string =>
  child === null ? fieldPath : fieldPath.replace(/^children\.(?!\d)/, `children.${child}.`);

const CHILD_INDEX = /^children\.(\d+)\./;

export const findChildIndex = (path: string): number | null => {
  const [, index] = CHILD_INDEX.exec(path) ?? [];
  return index === undefined ? null : Number(index);
};

/** Stays unchanged if `map` returns undefined. */
export const mapChildIndex = (path: string, map: (index: number) => number | undefined): string =>
  path.replace(CHILD_INDEX, (_, index) => `children.${map(Number(index)) ?? index}.`);

export const findValue = (course: CourseOfCare, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((parent, name) => (parent as Values | null | undefined)?.[name], course);

/** Returns the course with another value at a path. A missing child or transfer is appended. */
export const setValue = (course: CourseOfCare, path: string, value: unknown): CourseOfCare =>
  setAt(course, path.split('.'), value) as unknown as CourseOfCare;

const setAt = (parent: Values, [name = '', ...rest]: readonly string[], value: unknown): Values => {
  if (rest.length === 0) return { ...parent, [name]: value };
  const current = parent[name];
  if (!Array.isArray(current))
    return { ...parent, [name]: setAt((current ?? {}) as Values, rest, value) };
  const [index = '', ...inner] = rest;
  const list: readonly Values[] = current;
  const at = Math.min(Number(index), list.length);
  const element = list[at] ?? (name === 'children' ? emptyChild() : emptyTransfer());
  return {
    ...parent,
    [name]: [...list.slice(0, at), setAt(element, inner, value), ...list.slice(at + 1)],
  };
};

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
