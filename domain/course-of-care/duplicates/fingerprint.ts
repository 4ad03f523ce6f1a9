import { type DateAndTime, isDate, parseDateAndTime, toUtcSecond } from '../../fhir/dates.ts';
import type { Child, CourseOfCare, Mother } from '../canonical-record.ts';
import { type OffsetAt, offsetsAt } from '../entering/clock-changes.ts';

// Neither survives in a normalised name.
const BETWEEN_NAMES = '\u001f';
const BEFORE_TIME = '\u001e';

/** A text to compare courses of care by, and the version of the rule that made it. */
export interface FingerprintText {
  /**
   * 1: the time of birth to the second, without the practice's time zone, as version 0.1 compared.
   * 2: to the minute in UTC, a time without offset read in the practice's time zone.
   */
  readonly rule: 1 | 2;
  readonly text: string;
}

/**
 * The texts by which a course of care is compared with others of its practice: the mother's
 * normalised name with each distinct newborn date/time, by both rules. None when either is missing.
 * The caller stores keyed hashes of them, never the texts.
 * @param offsetAt of the practice's time zone; null: it has set none, so local times stay local
 * @see spec "Duplicate fingerprint", docs/decisions/2026-11-22-pairs-of-look-alikes.md
 */
export const fingerprintTexts = (
  { mother, children }: CourseOfCare,
  offsetAt: OffsetAt | null,
): readonly FingerprintText[] => {
  const name = normalisedName(mother);
  if (name === null) return [];
  const textsBy = (rule: 1 | 2, momentsOf: (child: Child) => readonly (string | null)[]) => {
    const moments = children.flatMap(momentsOf).filter((moment) => moment !== null);
    return [...new Set(moments)].map((moment): FingerprintText => {
      return { rule, text: `${name}${BEFORE_TIME}${moment}` };
    });
  };
  return [
    ...textsBy(1, (child) => [birthSecond(child)]),
    ...textsBy(2, (child) => birthMinutes(child, offsetAt)),
  ];
};

/** The keyed hashes by which a course of care is compared with others of its practice. */
export interface CourseFingerprints {
  /** Under the keys of now: a record of the course holds them. */
  readonly fingerprints: readonly string[];
  /**
   * Under older keys, where there are any: a record of the course holds those that a record of the
   * practice holds already, so that the two are found to look alike.
   */
  readonly olderFingerprints?: readonly string[];
}

/** All that a course of care is compared by. */
export const allFingerprints = ({
  fingerprints,
  olderFingerprints,
}: CourseFingerprints): readonly string[] =>
  olderFingerprints === undefined ? fingerprints : [...fingerprints, ...olderFingerprints];

/**
 * A keyed hash as records hold it: `2.k3:` and the hash, by the second rule under version 3 of the
 * key. Under version 1 it is `2:` and the hash, or the hash alone by the first rule, since there was
 * one key at first, and one rule in version 0.1.
 */
export const storedFingerprint = (
  rule: FingerprintText['rule'],
  keyVersion: number,
  hash: string,
): string => {
  if (keyVersion > 1) return `${rule}.k${keyVersion}:${hash}`;
  return rule === 1 ? hash : `${rule}:${hash}`;
};

/** Whether a stored fingerprint was made by the rule of version 0.1. */
export const isOfFirstRule = (fingerprint: string): boolean =>
  !fingerprint.includes(':') || fingerprint.startsWith('1.');

/** The version of the key under which a stored fingerprint was made. */
export const keyVersionOf = (fingerprint: string): number =>
  Number(/^\d\.k(\d+):/.exec(fingerprint)?.[1] ?? 1);

/** Whether a course of care says enough to be compared with others. */
export const isIdentified = ({ mother, children }: CourseOfCare): boolean =>
  normalisedName(mother) !== null && children.some((child) => birthSecond(child) !== null);

/** The mother's name folded for comparison: family and given names, null when there is neither. */
export const normalisedName = (mother: Mother): string | null => {
  const family = known(folded(mother.family_name ?? ''));
  const given = mother.given_names.map(folded).map(known).join('');
  return family === '' && given === '' ? null : `${family}${BETWEEN_NAMES}${given}`;
};

const known = (name: string): string => (name === 'unk' || name === 'unknown' ? '' : name);

// Upper case first makes ß equal to SS; the final sigma is the only letter that lower case writes
// in two ways.
const folded = (name: string): string =>
  // Nothing else is left to do for ASCII, which nearly all names are.
  ASCII.test(name)
    ? name.replaceAll(' ', '').toLowerCase()
    : withoutSpaces(name.normalize('NFKC'))
        .toUpperCase()
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .normalize('NFKC');

const ASCII = /^[ -~]*$/;

const withoutSpaces = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, '');

const birthTimeOf = ({ birth_time }: Child): DateAndTime | null =>
  birth_time === null ? null : parseDateAndTime(birth_time);

const dateOf = ({ birth_date }: Child): string | null =>
  birth_date !== null && isDate(birth_date) ? birth_date : null;

/** In UTC where the offset is known, else the local time; null outside the years 0001 to 9999. */
const momentOf = (time: DateAndTime): string | null => {
  const second = toUtcSecond(time);
  return second === null || time.offsetMinutes === null ? second : `${second}Z`;
};

const birthSecond = (child: Child): string | null => {
  const time = birthTimeOf(child);
  return (time === null ? null : momentOf(time)) ?? dateOf(child);
};

const birthMinutes = (child: Child, offsetAt: OffsetAt | null): readonly (string | null)[] => {
  const time = birthTimeOf(child);
  if (time === null) return [dateOf(child)];
  const minute = { ...time, second: 0 };
  const minutes = offsetAt === null ? [minute] : inZone(minute, offsetAt);
  return minutes.map((one) => momentOf(one) ?? dateOf(child));
};

/** A local time that the clock shows twice may be either: it looks like a birth at each of the two. */
const inZone = (time: DateAndTime, offsetAt: OffsetAt): readonly DateAndTime[] => {
  if (time.offsetMinutes !== null) return [time];
  const local = toUtcSecond(time) ?? '';
  const shown = offsetsAt(local, offsetAt) ?? [];
  const offsets = shown.length > 1 ? shown : [offsetAt(local) ?? ''];
  return offsets.map((offset) => parseDateAndTime(`${local}${offset}`) ?? time);
};
