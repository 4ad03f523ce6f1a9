import { isDate } from '../fhir/dates.ts';
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

/**
 * Dates that may be known in part. The parts are stored beside the date, since version 0.2 accepts only whole dates
 * and could not read the stream of the record.
 */
const COURSE_DATES: PartedDates = [
  ['last_menstrual_period', 'last_menstrual_period_parts'],
  ['first_prenatal_visit', 'first_prenatal_visit_parts'],
];
const MOTHER_DATES: PartedDates = [['birth_date', 'birth_date_parts']];

type PartedDates = readonly (readonly [name: string, parts: string])[];

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
  moveParts(compact, COURSE_DATES);
  moveParts(mother, MOTHER_DATES);
  mother['address'] = omitEmpty(course.mother.address);
  compact['mother'] = mother;
  compact['children'] = course.children.map(omitEmpty);
  if (course.transfers.length > 0) compact['transfers'] = course.transfers.map(omitEmpty);
  if (!isConsentStated(course)) delete compact['consent'];
  if (Object.keys(course.custom).length === 0) delete compact['custom'];
  return compact;
};

const moveParts = (values: Record<string, unknown>, dates: PartedDates): void => {
  for (const [name, parts] of dates) {
    const date = values[name];
    if (typeof date !== 'string' || isDate(date)) continue;
    values[parts] = date;
    delete values[name];
  }
};

const restoreParts = <T extends object>(values: T, dates: PartedDates): T => {
  const found = dates.filter(([, parts]) => parts in values);
  if (found.length === 0) return values;
  const restored: Record<string, unknown> = Object.fromEntries(Object.entries(values));
  for (const [name, parts] of found) {
    restored[name] ??= restored[parts];
    delete restored[parts];
  }
  return restored as T;
};

/** Restores the values that `compactCourse` removed, and adds fields that are newer than the stored course. */
export const expandCourse = (compact: CompactCourse): CourseOfCare => {
  const { mother, children, transfers, consent, ...others } = compact as Partial<CourseOfCare>;
  return {
    ...emptyCourseOfCare(),
    ...restoreParts(others, COURSE_DATES),
    mother: {
      ...emptyMother(),
      ...restoreParts(mother ?? {}, MOTHER_DATES),
      address: { ...emptyAddress(), ...mother?.address },
    },
    children: (children ?? []).map((child): Child => ({ ...emptyChild(), ...child })),
    transfers: (transfers ?? []).map((transfer) => ({ ...emptyTransfer(), ...transfer })),
    consent: { ...noConsent(), ...consent },
  };
};
