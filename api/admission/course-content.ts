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
import type { OffsetAt } from '../../domain/course/local-times.ts';
import { isPossiblyLongerThan } from '../../domain/fhir/json-size.ts';

/** Canonical JSON: with its envelope it must fit into one event. */
const MAX_CHARACTERS = 60_000;

export const isTooLongToStore = (content: object): boolean =>
  // A cheap upper bound clears nearly all courses without serializing them.
  isPossiblyLongerThan(content, MAX_CHARACTERS) && JSON.stringify(content).length > MAX_CHARACTERS;

/** @param offsetAt `null` if the practice has set no time zone @see spec "Duplicate fingerprint" */
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
