import { expandCourse, isConsentStated, omitEmpty } from '../../domain/course/compact-course.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import { isEmpty } from '../../domain/course/course-paths.ts';
import { FIELDS, type FieldParent, findFieldAt } from '../../domain/course/fields.ts';

/** Without unknown values, and with short names: long ones would be more than half of a typical row. */
export type StoredCourse = Readonly<Record<string, unknown>>;

type Values = Readonly<Record<string, unknown>>;

type Names = readonly (readonly [long: string, short: string])[];

// Stored in every row. After changing one, increment the version of the projection.
const MOTHER_KEY = 'm';
const CHILDREN_KEY = 'c';
export const TRANSFERS_KEY = 'tr';
const CONSENT_KEY = 'co';
const ADDRESS_KEY = 'ad';

const listNames = (parent: FieldParent, excluded: readonly string[] = []): Names =>
  FIELDS.filter((field) => field.parent === parent && !excluded.includes(field.name)).map(
    ({ name, storageKey = name }) => [name, storageKey],
  );

/** Fields stored unchanged. The others have columns, are objects, or are usually empty. */
const COURSE_FIELDS: Names = listNames('', ['chart_number', 'stamp', 'custom']);
const COURSE: Names = [
  ...listNames(''),
  ['mother', MOTHER_KEY],
  ['children', CHILDREN_KEY],
  ['transfers', TRANSFERS_KEY],
  ['consent', CONSENT_KEY],
];
const MOTHER_FIELDS: Names = listNames('mother');
const MOTHER: Names = [...MOTHER_FIELDS, ['address', ADDRESS_KEY]];
const CHILD: Names = listNames('children');
const STAMP_KEY = findFieldAt('stamp').storageKey ?? 'stamp';
const CUSTOM_KEY = findFieldAt('custom').storageKey ?? 'custom';

/** Copies known values to their short names. One pass: a rebuild calls this for every record. */
const encode = (values: Values, names: Names): Record<string, unknown> => {
  const short: Record<string, unknown> = {};
  for (const [name, shortName] of names) {
    const value = values[name];
    if (!isEmpty(value)) short[shortName] = value;
  }
  return short;
};

const decode = (values: Values, names: Names): Record<string, unknown> => {
  const long: Record<string, unknown> = {};
  for (const [name, shortName] of names)
    if (values[shortName] !== undefined) long[name] = values[shortName];
  return long;
};

/** Columns with the values that the stored course omits. */
export interface CourseColumns {
  readonly chart_number: string | null;
  readonly stamp: string | null;
}

/** @param stamp of the version; can differ from the course's if an earlier one was retained */
export const encodeCourse = (course: CourseOfCare, stamp: string | null): StoredCourse => {
  const stored = encode(course, COURSE_FIELDS);
  if (course.stamp !== stamp) stored[STAMP_KEY] = course.stamp;
  const mother = encode(course.mother, MOTHER_FIELDS);
  const address = omitEmpty(course.mother.address);
  if (Object.keys(address).length > 0) mother[ADDRESS_KEY] = address;
  stored[MOTHER_KEY] = mother;
  if (course.transfers.length > 0) stored[TRANSFERS_KEY] = course.transfers.map(omitEmpty);
  stored[CHILDREN_KEY] = course.children.map((child) => encode(child, CHILD));
  if (isConsentStated(course)) stored[CONSENT_KEY] = course.consent;
  if (Object.keys(course.custom).length > 0) stored[CUSTOM_KEY] = course.custom;
  return stored;
};

export const decodeCourse = ({
  course,
  chart_number,
  stamp,
}: CourseColumns & { readonly course: StoredCourse }): CourseOfCare => {
  const { mother, children, ...others } = decode(course, COURSE);
  return expandCourse({
    chart_number,
    stamp,
    ...others,
    mother: decode(mother as Values, MOTHER),
    children: (children as readonly Values[]).map((child) => decode(child, CHILD)),
  });
};
