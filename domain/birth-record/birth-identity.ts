import type { CourseOfCare } from '../course/course.ts';
import { isDate } from '../fhir/dates.ts';
import { normalizeNameToCompare } from './duplicates/fingerprint.ts';

/** Identity of a birth, as far as it is stated; names are folded for comparison. */
export interface BirthIdentity {
  readonly familyName: string | null;
  readonly givenNames: string | null;
  readonly motherBorn: string | null;
  /** Birth dates of the children, each once: a date, or the year that a mask has left of it. */
  readonly childrenBorn: readonly string[];
}

/** Fields in which two courses of care under one chart number can be two births. */
export type IdentityField = 'mother' | 'birthDate';

const NO_NAMES = { family_name: null, given_names: [] };

/** Extracts the identity of a birth. */
export const toBirthIdentity = ({ mother, children }: CourseOfCare): BirthIdentity => {
  const { family_name, given_names } = mother;
  return {
    familyName: normalizeNameToCompare({ ...mother, ...NO_NAMES, family_name }),
    givenNames: normalizeNameToCompare({ ...mother, ...NO_NAMES, given_names }),
    motherBorn: mother.birth_date,
    childrenBorn: [...new Set(children.flatMap(({ birth_date }) => birth_date ?? []))],
  };
};

/** True if both state the same; null if one states nothing. */
type Agreement = boolean | null;

const compareNames = (one: string | null, other: string | null): Agreement =>
  one === null || other === null ? null : one === other;

const isSameName = (one: BirthIdentity, other: BirthIdentity): Agreement => {
  const parts = [
    compareNames(one.familyName, other.familyName),
    compareNames(one.givenNames, other.givenNames),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.every(Boolean);
};

const YEAR_LENGTH = 4;

// A masked date is a year: the same year says neither that it is the same day, nor that it is not.
const compareDays = (one: string, other: string): Agreement => {
  if (isDate(one) && isDate(other)) return one === other;
  return one.slice(0, YEAR_LENGTH) === other.slice(0, YEAR_LENGTH) ? null : false;
};

const compareBirthDates = (one: BirthIdentity, other: BirthIdentity): Agreement => {
  const pairs = one.childrenBorn.flatMap((born) =>
    other.childrenBorn.map((otherBorn) => compareDays(born, otherBorn)),
  );
  if (pairs.includes(true)) return true;
  return pairs.length === 0 || pairs.includes(null) ? null : false;
};

/** In what two differ that one birth has but once; what one leaves out differs from nothing. */
export const findIdentityMismatches = (
  one: BirthIdentity,
  other: BirthIdentity,
): readonly IdentityField[] => [
  ...(isSameName(one, other) === false ? (['mother'] as const) : []),
  ...(compareBirthDates(one, other) === false ? (['birthDate'] as const) : []),
];

/**
 * True if two courses of care are of two women: more differs than agrees in the mother's name, her
 * date of birth and the children's, as far as both state them. A new name alone is hers after a
 * marriage if a date agrees, and another woman's if no date can be compared.
 * @see docs/decisions/2026-11-24-another-womans-record.md
 */
export const isDifferentMother = (one: BirthIdentity, other: BirthIdentity): boolean => {
  const all = [
    isSameName(one, other),
    compareNames(one.motherBorn, other.motherBorn),
    compareBirthDates(one, other),
  ];
  const count = (wanted: Agreement) => all.filter((one) => one === wanted).length;
  return count(false) > count(true);
};

/** True if two courses of care state exactly the same identity. */
export const isSameIdentity = (one: BirthIdentity, other: BirthIdentity): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
