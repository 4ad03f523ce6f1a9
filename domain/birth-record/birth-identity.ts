import type { CourseOfCare } from '../course/course.ts';
import { isDate } from '../fhir/dates.ts';
import { splitSuffix } from '../fhir/human-names.ts';
import { normalizeNameToCompare } from './duplicates/fingerprint.ts';

export interface BirthIdentity {
  readonly familyName: string | null;
  readonly givenNames: string | null;
  readonly motherBorn: string | null;
  /** Distinct birth dates of the children: full dates, or only years if masked. */
  readonly childrenBorn: readonly string[];
}

export type IdentityField = 'mother' | 'birthDate';

const NO_NAMES = { family_name: null, given_names: [] };

export const toBirthIdentity = ({ mother, children }: CourseOfCare): BirthIdentity => {
  const { family_name, given_names } = mother;
  return {
    familyName: normalizeNameToCompare({
      ...mother,
      ...NO_NAMES,
      // A suffix was part of the family name before it had a field of its own.
      family_name: splitSuffix(family_name).family,
    }),
    givenNames: normalizeNameToCompare({ ...mother, ...NO_NAMES, given_names }),
    motherBorn: mother.birth_date,
    childrenBorn: [...new Set(children.flatMap(({ birth_date }) => birth_date ?? []))],
  };
};

/** True if both are equal; `null` if one is missing. */
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

// A masked date is a year, and of others only parts may be known. If those are equal, the days may or may not be.
const compareDays = (one: string, other: string): Agreement => {
  if (isDate(one) && isDate(other)) return one === other;
  const shared = Math.min(one.length, other.length);
  return one.slice(0, shared) === other.slice(0, shared) ? null : false;
};

const compareMotherBorn = (one: string | null, other: string | null): Agreement =>
  one === null || other === null ? null : compareDays(one, other);

const compareBirthDates = (one: BirthIdentity, other: BirthIdentity): Agreement => {
  const pairs = one.childrenBorn.flatMap((born) =>
    other.childrenBorn.map((otherBorn) => compareDays(born, otherBorn)),
  );
  if (pairs.includes(true)) return true;
  return pairs.length === 0 || pairs.includes(null) ? null : false;
};

export const findIdentityMismatches = (
  one: BirthIdentity,
  other: BirthIdentity,
): readonly IdentityField[] => [
  ...(isSameName(one, other) === false ? (['mother'] as const) : []),
  ...(compareBirthDates(one, other) === false ? (['birthDate'] as const) : []),
];

/**
 * True if two courses of care are of two women: among the mother's name, her birth date, and the children's
 * birth dates, more contradict than agree. A new name alone may come from a marriage if a date agrees, but
 * means another woman if no date can be compared.
 * @see docs/design/entering.md#another-womans-record
 */
export const isDifferentMother = (one: BirthIdentity, other: BirthIdentity): boolean => {
  const all = [
    isSameName(one, other),
    compareMotherBorn(one.motherBorn, other.motherBorn),
    compareBirthDates(one, other),
  ];
  const count = (agreement: Agreement) => all.filter((one) => one === agreement).length;
  return count(false) > count(true);
};

export const isSameIdentity = (one: BirthIdentity, other: BirthIdentity): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
