import type { CourseOfCare } from '../course/course.ts';
import { isDate } from '../fhir/dates.ts';
import { comparableName } from './duplicates/fingerprint.ts';

/** Whose birth a course of care is, as far as it says so; names are folded for comparison. */
export interface WhoseBirth {
  readonly familyName: string | null;
  readonly givenNames: string | null;
  readonly motherBorn: string | null;
  /** Birth dates of the children, each once: a date, or the year that a mask has left of it. */
  readonly childrenBorn: readonly string[];
}

/** In what two courses of care under one chart number may tell of two births. */
export type UnlikeIn = 'mother' | 'birthDate';

const NO_NAMES = { family_name: null, given_names: [] };

/** Whose birth a course of care is. */
export const whoseBirth = ({ mother, children }: CourseOfCare): WhoseBirth => {
  const { family_name, given_names } = mother;
  return {
    familyName: comparableName({ ...mother, ...NO_NAMES, family_name }),
    givenNames: comparableName({ ...mother, ...NO_NAMES, given_names }),
    motherBorn: mother.birth_date,
    childrenBorn: [...new Set(children.flatMap(({ birth_date }) => birth_date ?? []))],
  };
};

/** Whether two say the same; null: one of them does not say. */
type Agreement = boolean | null;

const agree = (one: string | null, other: string | null): Agreement =>
  one === null || other === null ? null : one === other;

const nameAgrees = (one: WhoseBirth, other: WhoseBirth): Agreement => {
  const parts = [
    agree(one.familyName, other.familyName),
    agree(one.givenNames, other.givenNames),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.every(Boolean);
};

const YEAR_LENGTH = 4;

// A masked date is a year: the same year says neither that it is the same day, nor that it is not.
const daysAgree = (one: string, other: string): Agreement => {
  if (isDate(one) && isDate(other)) return one === other;
  return one.slice(0, YEAR_LENGTH) === other.slice(0, YEAR_LENGTH) ? null : false;
};

const birthDateAgrees = (one: WhoseBirth, other: WhoseBirth): Agreement => {
  const pairs = one.childrenBorn.flatMap((born) =>
    other.childrenBorn.map((otherBorn) => daysAgree(born, otherBorn)),
  );
  if (pairs.includes(true)) return true;
  return pairs.length === 0 || pairs.includes(null) ? null : false;
};

/** In what two differ that one birth has but once; what one leaves out differs from nothing. */
export const findIdentityMismatches = (one: WhoseBirth, other: WhoseBirth): readonly UnlikeIn[] => [
  ...(nameAgrees(one, other) === false ? (['mother'] as const) : []),
  ...(birthDateAgrees(one, other) === false ? (['birthDate'] as const) : []),
];

/**
 * Whether two courses of care tell of two women: more differs than agrees of the mother's name, her
 * date of birth and the children's, as far as both state them. So a new name alone is hers after a
 * marriage if a date agrees, and another woman's if no date can be compared.
 * @see docs/decisions/2026-11-24-another-womans-record.md
 */
export const isAnotherWoman = (one: WhoseBirth, other: WhoseBirth): boolean => {
  const all = [
    nameAgrees(one, other),
    agree(one.motherBorn, other.motherBorn),
    birthDateAgrees(one, other),
  ];
  const count = (wanted: Agreement) => all.filter((one) => one === wanted).length;
  return count(false) > count(true);
};

/** Whether two courses of care say the same of whose birth they are, to the letter. */
export const isSameWhose = (one: WhoseBirth, other: WhoseBirth): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
