import {
  type Child,
  type CourseOfCare,
  emptyAddress,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
  emptyTransfer,
  noConsent,
} from './course.ts';

/**
 * A course of care without what is not known: nulls, empty lists and a consent that was not stated
 * are left out.
 */
export type CompactCourse = Readonly<Record<string, unknown>>;

/** Whether a value says anything: null and an empty list do not. */
export const isStated = (value: unknown): boolean =>
  value !== null && !(Array.isArray(value) && value.length === 0);

/** The values that say anything. */
export const omitEmpty = (values: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const sparse: Record<string, unknown> = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (isStated(value)) sparse[name] = value;
  }
  return sparse;
};

/** Whether a consent was stated. */
export const isConsentStated = ({ consent }: CourseOfCare): boolean =>
  consent.granted || consent.status !== null || consent.date_time !== null;

/** Leaves out what is not known. Two thirds of the text of a small course of care say just that. */
export const compactCourse = (course: CourseOfCare): CompactCourse => {
  const sparse = omitEmpty(course);
  const mother = omitEmpty(course.mother);
  mother['address'] = omitEmpty(course.mother.address);
  sparse['mother'] = mother;
  sparse['children'] = course.children.map(omitEmpty);
  if (!isConsentStated(course)) delete sparse['consent'];
  if (Object.keys(course.custom).length === 0) delete sparse['custom'];
  return sparse;
};

/** Puts back what `compactCourse` left out, and what a course from before a field was added lacks. */
export const expandCourse = (sparse: CompactCourse): CourseOfCare => {
  const { mother, children, transfers, consent, ...others } = sparse as Partial<CourseOfCare>;
  return {
    ...emptyCourseOfCare(),
    ...others,
    mother: {
      ...emptyMother(),
      ...mother,
      address: { ...emptyAddress(), ...mother?.address },
    },
    children: (children ?? []).map((child): Child => ({ ...emptyChild(), ...child })),
    transfers: (transfers ?? []).map((transfer) => ({ ...emptyTransfer(), ...transfer })),
    consent: { ...noConsent(), ...consent },
  };
};
