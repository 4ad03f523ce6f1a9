import type { Child, CourseOfCare, Mother } from '../../course/course.ts';
import { findOffsets, type OffsetAt } from '../../course/practice-clock.ts';
import { type DateAndTime, isDate, parseDateAndTime, toUtcSecond } from '../../fhir/dates.ts';
import { listOtherSpellings, unifyPunctuation } from '../../text-input.ts';

// Neither survives in a normalized name.
const BETWEEN_NAMES = '\u001f';
const BEFORE_TIME = '\u001e';

/** A text to compare courses of care by, and the version of the rule that made it. */
export interface FingerprintText {
  /**
   * 1: the time of birth to the second, without the practice's time zone, as version 0.1 compared.
   * 2: to the minute in UTC, a time without offset read in the practice's time zone.
   * 3: as 2; apostrophes of all kinds are one, so are hyphens, and invisible characters are dropped.
   */
  readonly rule: 1 | 2 | 3;
  readonly text: string;
  /**
   * A spelling that the course does not have: records from before the third rule may hold it. They are
   * looked for by it.
   */
  readonly isOtherSpelling?: true;
}

/**
 * The texts by which a course of care is compared with others of its practice: the mother's
 * normalized name with each distinct newborn date/time, by all rules. None when either is missing.
 * A name in plain letters has none of the third rule, which would say the same as the second. The caller
 * stores keyed hashes of them, never the texts.
 * @param offsetAt of the practice's time zone; null: it has set none, so local times stay local
 * @see spec "Duplicate fingerprint", docs/decisions/2026-11-22-pairs-of-look-alikes.md,
 *   docs/decisions/2026-11-26-reading-names.md
 */
export const buildFingerprintTexts = (
  { mother, children }: CourseOfCare,
  offsetAt: OffsetAt | null,
): readonly FingerprintText[] => {
  const name = normalizeName(mother);
  if (name === null) return [];
  const momentsBy = (
    momentsOf: (child: Child) => readonly (string | null)[],
  ): readonly string[] => {
    const moments = new Set<string>();
    for (const child of children)
      for (const moment of momentsOf(child)) if (moment !== null) moments.add(moment);
    return [...moments];
  };
  const minutes = momentsBy((child) => listBirthMinutes(child, offsetAt));
  const textsBy = (rule: FingerprintText['rule'], of: string, moments: readonly string[]) =>
    moments.map((moment): FingerprintText => ({ rule, text: `${of}${BEFORE_TIME}${moment}` }));
  const seconds = momentsBy((child) => [toBirthSecond(child)]);
  const texts = [...textsBy(1, name, seconds), ...textsBy(2, name, minutes)];
  if (PLAIN.test(name)) return texts;
  const others = new Set(listOtherSpellings(rawName(mother)).map((spell) => nameAs(spell, mother)));
  others.delete(name);
  return [
    ...texts,
    ...textsBy(3, normalizeNameToCompare(mother) ?? name, minutes),
    ...[...others].flatMap((other) =>
      textsBy(2, other ?? name, minutes).map(
        (text): FingerprintText => ({ ...text, isOtherSpelling: true }),
      ),
    ),
  ];
};

const rawName = ({ family_name, given_names }: Mother): string =>
  [family_name ?? '', ...given_names].join(' ');

const nameAs = (spell: (part: string) => string, mother: Mother): string | null =>
  normalizeName({
    ...mother,
    family_name: mother.family_name === null ? null : spell(mother.family_name),
    given_names: mother.given_names.map(spell),
  });

/** Text without apostrophes, hyphens, and invisible characters. */
const PLAIN = new RegExp(`^[a-z0-9.${BETWEEN_NAMES}]*$`);

/** The keyed hashes by which a course of care is compared with others of its practice. */
export interface CourseFingerprints {
  /** Under the current keys: a record of the course holds them. */
  readonly fingerprints: readonly string[];
  /**
   * Under older keys, and of other spellings by the second rule, where there are any: a record of the
   * course holds those that a record of the practice holds already, so that the two are found to look
   * alike.
   */
  readonly olderFingerprints?: readonly string[];
}

/** All that a course of care is compared by. */
export const listFingerprints = ({
  fingerprints,
  olderFingerprints,
}: CourseFingerprints): readonly string[] =>
  olderFingerprints === undefined ? fingerprints : [...fingerprints, ...olderFingerprints];

/**
 * A keyed hash as records hold it: `2.k3:` and the hash, by the second rule under version 3 of the
 * key. Under version 1 it is `2:` and the hash, or the hash alone by the first rule, since there was
 * one key at first, and one rule in version 0.1.
 */
export const formatFingerprint = (
  rule: FingerprintText['rule'],
  keyVersion: number,
  hash: string,
): string => {
  if (keyVersion > 1) return `${rule}.k${keyVersion}:${hash}`;
  return rule === 1 ? hash : `${rule}:${hash}`;
};

/** True if a stored fingerprint was made by the rule of version 0.1. */
export const isRuleV1 = (fingerprint: string): boolean =>
  !fingerprint.includes(':') || fingerprint.startsWith('1.');

/** The version of the key under which a stored fingerprint was made. */
export const parseKeyVersion = (fingerprint: string): number =>
  Number(/^\d\.k(\d+):/.exec(fingerprint)?.[1] ?? 1);

/** True if a course of care states enough to be compared with others. */
export const isIdentified = ({ mother, children }: CourseOfCare): boolean =>
  normalizeName(mother) !== null && children.some((child) => toBirthSecond(child) !== null);

/** The mother's name folded for comparison: family and given names, null when there is neither. */
const normalizeName = (mother: Mother): string | null => {
  const family = isKnown(foldText(mother.family_name ?? ''));
  const given = mother.given_names.map(foldText).map(isKnown).join('');
  return family === '' && given === '' ? null : `${family}${BETWEEN_NAMES}${given}`;
};

/**
 * The mother's name as `normalizeName` has it, with all apostrophes and hyphens alike and without
 * invisible characters.
 */
export const normalizeNameToCompare = (mother: Mother): string | null => {
  // Some signs become an apostrophe or a hyphen only when they are normalized.
  const name = nameAs(unifyPunctuation, mother);
  return name === null || PLAIN.test(name) ? name : unifyPunctuation(name);
};

const isKnown = (name: string): string => (name === 'unk' || name === 'unknown' ? '' : name);

// Upper case first makes ß equal to SS; the final sigma is the only letter that lower case writes
// in two ways.
const foldText = (name: string): string =>
  // Nothing else is left to do for ASCII, which nearly all names are.
  ASCII.test(name)
    ? name.replaceAll(' ', '').toLowerCase()
    : removeSpaces(name.normalize('NFKC'))
        .toUpperCase()
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .normalize('NFKC');

const ASCII = /^[ -~]*$/;

const removeSpaces = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, '');

const readBirthTime = ({ birth_time }: Child): DateAndTime | null =>
  birth_time === null ? null : parseDateAndTime(birth_time);

const readDatePart = ({ birth_date }: Child): string | null =>
  birth_date !== null && isDate(birth_date) ? birth_date : null;

/** In UTC where the offset is known, else the local time; null outside the years 0001 to 9999. */
const readMoment = (time: DateAndTime): string | null => {
  const second = toUtcSecond(time);
  return second === null || time.offsetMinutes === null ? second : `${second}Z`;
};

const toBirthSecond = (child: Child): string | null => {
  const time = readBirthTime(child);
  return (time === null ? null : readMoment(time)) ?? readDatePart(child);
};

const listBirthMinutes = (child: Child, offsetAt: OffsetAt | null): readonly (string | null)[] => {
  const time = readBirthTime(child);
  if (time === null) return [readDatePart(child)];
  const minute = { ...time, second: 0 };
  const minutes = offsetAt === null ? [minute] : toZone(minute, offsetAt);
  return minutes.map((one) => readMoment(one) ?? readDatePart(child));
};

/** A local time that the clock shows twice may be either: it looks like a birth at each of the two. */
const toZone = (time: DateAndTime, offsetAt: OffsetAt): readonly DateAndTime[] => {
  if (time.offsetMinutes !== null) return [time];
  const local = toUtcSecond(time) ?? '';
  const shown = findOffsets(local, offsetAt) ?? [];
  const offsets = shown.length > 1 ? shown : [offsetAt(local) ?? ''];
  return offsets.map((offset) => parseDateAndTime(`${local}${offset}`) ?? time);
};
