import {
  buildFingerprintTexts,
  type CourseFingerprints,
  type FingerprintText,
  formatFingerprint,
} from '../../domain/birth-record/duplicates/fingerprint.ts';
import type {
  FingerprintKey,
  FingerprintKeys,
} from '../../domain/birth-record/duplicates/fingerprint-keys.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import type { OffsetAt } from '../../domain/course/practice-clock.ts';
import { isPossiblyLongerThan } from '../../domain/fhir/json-size.ts';

/** Longest canonical course in JSON characters: with its envelope it must fit an event. */
const MAX_CHARACTERS = 60_000;

/** Whether a course of care, with whatever goes beside it, is too long for an event. */
export const isTooLongToStore = (content: object): boolean =>
  // Nearly all are cleared by a bound in 0.5 µs; the text takes 3.
  isPossiblyLongerThan(content, MAX_CHARACTERS) && JSON.stringify(content).length > MAX_CHARACTERS;

/**
 * The keyed hashes by which a course of care is compared with others of its practice.
 * @param offsetAt of the practice's time zone; null: it has set none
 * @param textsOf the rule
 * @see spec "Duplicate fingerprint"
 */
export const buildFingerprints = (
  course: CourseOfCare,
  practiceId: string,
  { current, older }: FingerprintKeys,
  offsetAt: OffsetAt | null,
  textsOf = buildFingerprintTexts,
): CourseFingerprints => {
  const texts = textsOf(course, offsetAt);
  const under = (
    keys: readonly FingerprintKey[],
    some: readonly FingerprintText[],
  ): readonly string[] =>
    keys.flatMap(({ version, hash }) =>
      some.map(({ rule, text }) => formatFingerprint(rule, version, hash(practiceId, text))),
    );
  const others = texts.filter(({ isOtherSpelling }) => isOtherSpelling === true);
  const own = others.length === 0 ? texts : texts.filter((text) => !others.includes(text));
  const fingerprints = under(current, own);
  const olderFingerprints = [...under(current, others), ...under(older, texts)];
  return older.length === 0 && others.length === 0
    ? { fingerprints }
    : { fingerprints, olderFingerprints };
};
