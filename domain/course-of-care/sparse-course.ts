import {
  type Child,
  type CourseOfCare,
  emptyAddress,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
} from './canonical-record.ts';

/**
 * A course of care without what is not known: nulls, empty lists and the consent that nobody stated
 * are left out.
 */
export type SparseCourse = Readonly<Record<string, unknown>>;

const isStated = (value: unknown): boolean =>
  value !== null && !(Array.isArray(value) && value.length === 0);

const stated = (values: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const sparse: Record<string, unknown> = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (isStated(value)) sparse[name] = value;
  }
  return sparse;
};

/** Leaves out what is not known. Two thirds of the text of a small course of care say just that. */
export const sparseCourse = (course: CourseOfCare): SparseCourse => {
  const sparse = stated(course);
  const mother = stated(course.mother);
  mother['address'] = stated(course.mother.address);
  sparse['mother'] = mother;
  sparse['children'] = course.children.map(stated);
  const { granted, status, date_time } = course.consent;
  if (!granted && status === null && date_time === null) delete sparse['consent'];
  if (Object.keys(course.custom).length === 0) delete sparse['custom'];
  return sparse;
};

/** Puts back what `sparseCourse` left out. */
export const wholeCourse = (sparse: SparseCourse): CourseOfCare => {
  const { mother, children, ...others } = sparse as Partial<CourseOfCare>;
  return {
    ...emptyCourseOfCare(),
    ...others,
    mother: {
      ...emptyMother(),
      ...mother,
      address: { ...emptyAddress(), ...mother?.address },
    },
    children: (children ?? []).map((child): Child => ({ ...emptyChild(), ...child })),
  };
};
