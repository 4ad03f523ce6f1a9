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
import { isEmpty } from './course-paths.ts';

/** No nulls, no empty lists, no unstated consent. */
export type CompactCourse = Readonly<Record<string, unknown>>;

export const omitEmpty = (values: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const compact: Record<string, unknown> = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (!isEmpty(value)) compact[name] = value;
  }
  return compact;
};

export const isConsentStated = ({ consent }: CourseOfCare): boolean =>
  consent.granted || consent.status !== null || consent.date_time !== null;

export const compactCourse = (course: CourseOfCare): CompactCourse => {
  const compact = omitEmpty(course);
  const mother = omitEmpty(course.mother);
  mother['address'] = omitEmpty(course.mother.address);
  compact['mother'] = mother;
  compact['children'] = course.children.map(omitEmpty);
  if (!isConsentStated(course)) delete compact['consent'];
  if (Object.keys(course.custom).length === 0) delete compact['custom'];
  return compact;
};

/** Restores the values that `compactCourse` removed, and adds fields that are newer than the stored course. */
export const expandCourse = (compact: CompactCourse): CourseOfCare => {
  const { mother, children, transfers, consent, ...others } = compact as Partial<CourseOfCare>;
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
