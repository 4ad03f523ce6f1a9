import { expandCourse, isConsentStated, omitEmpty } from '../../domain/course/compact-course.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import { isEmpty } from '../../domain/course/course-paths.ts';
import { FIELDS, findFieldAt, type Holder } from '../../domain/course/fields.ts';

/**
 * A course of care as a column holds it: without what is not known, its fields under their short
 * names. The names were more than half of the text of a small one, in every row.
 */
export type StoredCourse = Readonly<Record<string, unknown>>;

type Values = Readonly<Record<string, unknown>>;

/** Pairs of a long and a short name. */
type Names = readonly (readonly [long: string, short: string])[];

// Part of the tables' shape, as those of the fields: a changed one needs a new version of the
// projection.
const MOTHER_KEY = 'm';
const CHILDREN_KEY = 'c';
/** Where the transfers stand in a stored course. */
export const TRANSFERS_KEY = 'tr';
const CONSENT_KEY = 'co';
const ADDRESS_KEY = 'ad';

const namesIn = (holder: Holder, left: readonly string[] = []): Names =>
  FIELDS.filter((field) => field.holder === holder && !left.includes(field.name)).map(
    ({ name, storageKey = name }) => [name, storageKey],
  );

/** What is stored as it is: the others stand in columns, are objects, or say nothing mostly. */
const COURSE_FIELDS: Names = [
  ...namesIn('', ['chart_number', 'stamp', 'custom']),
  ['transfers', TRANSFERS_KEY],
];
const COURSE: Names = [
  ...namesIn(''),
  ['mother', MOTHER_KEY],
  ['children', CHILDREN_KEY],
  ['transfers', TRANSFERS_KEY],
  ['consent', CONSENT_KEY],
];
const MOTHER_FIELDS: Names = namesIn('mother');
const MOTHER: Names = [...MOTHER_FIELDS, ['address', ADDRESS_KEY]];
const CHILD: Names = namesIn('children');
const STAMP_KEY = findFieldAt('stamp').storageKey ?? 'stamp';
const CUSTOM_KEY = findFieldAt('custom').storageKey ?? 'custom';

/** What is known, under short names. In one go: it is made for every record that a rebuild writes. */
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

/** Columns that say what the stored course then leaves out. */
export interface StatedBeside {
  readonly chart_number: string | null;
  readonly stamp: string | null;
}

/**
 * A course of care as the column `course` holds it.
 * @param stamp of the version, which may be one that was held before
 */
export const encodeCourse = (course: CourseOfCare, stamp: string | null): StoredCourse => {
  const stored = encode(course, COURSE_FIELDS);
  if (course.stamp !== stamp) stored[STAMP_KEY] = course.stamp;
  const mother = encode(course.mother, MOTHER_FIELDS);
  const address = omitEmpty(course.mother.address);
  if (Object.keys(address).length > 0) mother[ADDRESS_KEY] = address;
  stored[MOTHER_KEY] = mother;
  stored[CHILDREN_KEY] = course.children.map((child) => encode(child, CHILD));
  if (isConsentStated(course)) stored[CONSENT_KEY] = course.consent;
  if (Object.keys(course.custom).length > 0) stored[CUSTOM_KEY] = course.custom;
  return stored;
};

/** The course of care of a row. */
export const decodeCourse = ({
  course,
  chart_number,
  stamp,
}: StatedBeside & { readonly course: StoredCourse }): CourseOfCare => {
  const { mother, children, ...others } = decode(course, COURSE);
  return expandCourse({
    chart_number,
    stamp,
    ...others,
    mother: decode(mother as Values, MOTHER),
    children: (children as readonly Values[]).map((child) => decode(child, CHILD)),
  });
};
