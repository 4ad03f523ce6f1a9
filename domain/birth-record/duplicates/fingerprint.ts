import type { Child, CourseOfCare, Mother } from '../../course/course.ts';
import { findOffsets, type OffsetAt } from '../../course/local-times.ts';
import { type DateAndTime, isDate, parseDateAndTime, toUtcSecond } from '../../fhir/dates.ts';
import { listOtherSpellings, unifyPunctuation } from '../../text-input.ts';

// Neither occurs in a normalized name.
const BETWEEN_NAMES = '\u001f';
const BEFORE_TIME = '\u001e';

export interface FingerprintText {
  /**
   * 1: the time of birth to the second, ignoring the practice's time zone, as in version 0.1.
   * 2: to the minute in UTC; a time without an offset is in the practice's time zone.
   * 3: like 2, but with unified apostrophes and hyphens, and without invisible characters.
   */
  readonly rule: 1 | 2 | 3;
  readonly text: string;
  /** True for another spelling of the name, to find records from before the third rule. */
  readonly isOtherSpelling?: true;
}

/**
 * Empty without the mother's name, or without any time or full date of birth. Callers store keyed hashes of the texts, never the texts.
 * @see spec "Duplicate fingerprint", docs/design/duplicates.md#finding
 */
export const buildFingerprintTexts = (
  { mother, children }: CourseOfCare,
  offsetAt: OffsetAt | null,
): readonly FingerprintText[] => {
  const name = normalizeName(mother);
  if (name === null) return [];
  const collectMoments = (
    listMoments: (child: Child) => readonly (string | null)[],
  ): readonly string[] => {
    const moments = new Set<string>();
    for (const child of children)
      for (const moment of listMoments(child)) if (moment !== null) moments.add(moment);
    return [...moments];
  };
  const minutes = collectMoments((child) => listBirthMinutes(child, offsetAt));
  const buildTexts = (rule: FingerprintText['rule'], of: string, moments: readonly string[]) =>
    moments.map((moment): FingerprintText => ({ rule, text: `${of}${BEFORE_TIME}${moment}` }));
  const seconds = collectMoments((child) => [getBirthMoment(child)]);
  const texts = [...buildTexts(1, name, seconds), ...buildTexts(2, name, minutes)];
  if (PLAIN.test(name)) return texts;
  const others = new Set(
    listOtherSpellings(joinNames(mother)).map((spell) => normalizeNameSpelledBy(spell, mother)),
  );
  others.delete(name);
  return [
    ...texts,
    ...buildTexts(3, normalizeNameToCompare(mother) ?? name, minutes),
    ...[...others].flatMap((other) =>
      buildTexts(2, other ?? name, minutes).map(
        (text): FingerprintText => ({ ...text, isOtherSpelling: true }),
      ),
    ),
  ];
};

const joinNames = ({ family_name, given_names }: Mother): string =>
  [family_name ?? '', ...given_names].join(' ');

const normalizeNameSpelledBy = (spell: (part: string) => string, mother: Mother): string | null =>
  normalizeName({
    ...mother,
    family_name: mother.family_name === null ? null : spell(mother.family_name),
    given_names: mother.given_names.map(spell),
  });

const PLAIN = new RegExp(`^[a-z0-9.${BETWEEN_NAMES}]*$`);

export interface CourseFingerprints {
  /** Under the current keys; stored with the record. */
  readonly fingerprints: readonly string[];
  /**
   * Under older keys, and for other spellings also under the current ones: queued items store the name.
   * Any that another record of the practice has is also stored with this one, so that the two match.
   */
  readonly olderFingerprints?: readonly string[];
}

export const listFingerprints = ({
  fingerprints,
  olderFingerprints,
}: CourseFingerprints): readonly string[] =>
  olderFingerprints === undefined ? fingerprints : [...fingerprints, ...olderFingerprints];

/**
 * `2.k3:` and the hash, by rule 2 under version 3 of the key. Version 1 of the key is left out (`2:`);
 * rule 1 under it has no prefix.
 */
export const formatFingerprint = (
  rule: FingerprintText['rule'],
  keyVersion: number,
  hash: string,
): string => {
  if (keyVersion > 1) return `${rule}.k${keyVersion}:${hash}`;
  return rule === 1 ? hash : `${rule}:${hash}`;
};

export const isRuleV1 = (fingerprint: string): boolean =>
  !fingerprint.includes(':') || fingerprint.startsWith('1.');

export const parseKeyVersion = (fingerprint: string): number =>
  Number(/^\d\.k(\d+):/.exec(fingerprint)?.[1] ?? 1);

export const hasFingerprintData = ({ mother, children }: CourseOfCare): boolean =>
  normalizeName(mother) !== null && children.some((child) => getBirthMoment(child) !== null);

/** `null` if she has neither name. */
const normalizeName = (mother: Mother): string | null => {
  const family = blankIfUnknown(foldText(mother.family_name ?? ''));
  const given = mother.given_names.map(foldText).map(blankIfUnknown).join('');
  return family === '' && given === '' ? null : `${family}${BETWEEN_NAMES}${given}`;
};

/** Like `normalizeName`, but with unified apostrophes and hyphens and without invisible characters. */
export const normalizeNameToCompare = (mother: Mother): string | null => {
  // Some characters become an apostrophe or a hyphen only after normalization.
  const name = normalizeNameSpelledBy(unifyPunctuation, mother);
  return name === null || PLAIN.test(name) ? name : unifyPunctuation(name);
};

const blankIfUnknown = (name: string): string => (name === 'unk' || name === 'unknown' ? '' : name);

// Converting to upper case first makes ß equal to SS. Only the final sigma has two lowercase forms.
const foldText = (name: string): string =>
  // Nearly all names are ASCII, which needs nothing else.
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

const readBirthDate = ({ birth_date }: Child): string | null =>
  birth_date !== null && isDate(birth_date) ? birth_date : null;

/** In UTC if the offset is known, otherwise local time; `null` outside the years 0001 to 9999. */
const readMoment = (time: DateAndTime): string | null => {
  const second = toUtcSecond(time);
  return second === null || time.offsetMinutes === null ? second : `${second}Z`;
};

const getBirthMoment = (child: Child): string | null => {
  const time = readBirthTime(child);
  return (time === null ? null : readMoment(time)) ?? readBirthDate(child);
};

const listBirthMinutes = (child: Child, offsetAt: OffsetAt | null): readonly (string | null)[] => {
  const time = readBirthTime(child);
  if (time === null) return [readBirthDate(child)];
  const minute = { ...time, second: 0 };
  const minutes = offsetAt === null ? [minute] : toZone(minute, offsetAt);
  return minutes.map((one) => readMoment(one) ?? readBirthDate(child));
};

/** A local time that the clock shows twice is ambiguous, so both are compared. */
const toZone = (time: DateAndTime, offsetAt: OffsetAt): readonly DateAndTime[] => {
  if (time.offsetMinutes !== null) return [time];
  const local = toUtcSecond(time) ?? '';
  const candidates = findOffsets(local, offsetAt) ?? [];
  const offsets = candidates.length > 1 ? candidates : [offsetAt(local) ?? ''];
  return offsets.map((offset) => parseDateAndTime(`${local}${offset}`) ?? time);
};
