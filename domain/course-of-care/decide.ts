import {
  DUPLICATE_AMENDMENT,
  NO_RECORD_TO_RETRACT,
  type Rejection,
  STALE_UPDATE,
} from '../rejections.ts';
import { amendedCourse } from './amendment.ts';
import type { CourseOfCare } from './canonical-record.ts';
import { fingerprintTexts } from './duplicates/fingerprint.ts';
import type {
  BirthRecordEvent,
  NamedProvider,
  RecordVersion,
  SubmissionMark,
  SubmissionSource,
} from './events.ts';
import { isStale } from './stamps.ts';
import type { BirthRecord, KnownBirthRecord } from './state.ts';

/** A live record of the practice that shares a fingerprint with the course at hand. */
export interface FingerprintMatch {
  readonly submissionUuid: string;
  /** The record that this one is flagged for; null without a flag. */
  readonly duplicateOf: string | null;
  /** The record from which a person has told this one apart; null if none was. */
  readonly dismissedDuplicateOf: string | null;
  /** The fingerprints of the course that it has too. */
  readonly shared: readonly string[];
}

/** Enters a course of care under its chart number: a first version, an amendment or a revival. */
export interface RecordCourse {
  /** Id of the record if this is its first version. */
  readonly submissionUuid: string;
  readonly practiceId: string;
  readonly source: SubmissionSource;
  readonly keyKind: 'native' | 'partner' | null;
  readonly course: CourseOfCare;
  readonly providers: readonly NamedProvider[];
  readonly stamp: string | null;
  readonly fingerprints: readonly string[];
  /** Other live records of the practice that share a fingerprint, oldest first. */
  readonly matches: readonly FingerprintMatch[];
  readonly mark: SubmissionMark | null;
}

/** Voids the record under a chart number. */
export interface RetractBirth {
  readonly practiceId: string;
  readonly source: SubmissionSource;
  readonly stamp: string | null;
  readonly mark: SubmissionMark | null;
}

/** What a command leads to: events (none: nothing changes), or the rejection for the receipt. */
export type Decision =
  | { readonly kind: 'accepted'; readonly events: readonly BirthRecordEvent[] }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

const accept = (...events: BirthRecordEvent[]): Decision => ({ kind: 'accepted', events });
const reject = (rejection: Rejection): Decision => ({ kind: 'rejected', rejection });

/**
 * Records, amends or revives. A look-alike is flagged, never merged; an amendment that would make
 * a live record look like another one is refused.
 * @see spec "Record lifecycle"
 */
export const recordCourse = (command: RecordCourse, state: BirthRecord): Decision => {
  switch (state.status) {
    case 'none':
      return accept(
        { type: 'BirthRecorded', data: firstVersion(command) },
        ...flag(command.submissionUuid, command, command.matches),
      );
    case 'live': {
      if (isStale(command.stamp, state.stamp)) return reject(STALE_UPDATE);
      const data = nextVersion(command, state);
      if (newLookAlikes(command.matches, data.fingerprints, state).length > 0)
        return reject(DUPLICATE_AMENDMENT);
      return accept({ type: 'BirthAmended', data });
    }
    case 'voided':
      if (isStale(command.stamp, state.stamp)) return reject(STALE_UPDATE);
      return accept(
        { type: 'BirthAmended', data: nextVersion(command, state) },
        ...flag(state.submissionUuid, command, unpaired(command.matches, state)),
      );
  }
};

/**
 * Voids a live birth record. A second retraction changes nothing.
 * @see spec "Record lifecycle"
 */
export const retractBirth = (command: RetractBirth, state: BirthRecord): Decision => {
  if (state.status === 'none') return reject(NO_RECORD_TO_RETRACT);
  if (state.status === 'voided') return accept();
  if (isStale(command.stamp, state.stamp)) return reject(STALE_UPDATE);
  const { practiceId, source, mark } = command;
  const { submissionUuid } = state;
  return accept({
    type: 'BirthRetracted',
    data: { submissionUuid, practiceId, version: state.version + 1, source, mark },
  });
};

const content = (command: RecordCourse) => {
  const { practiceId, source, keyKind, course, providers, fingerprints, mark } = command;
  return { practiceId, source, keyKind, course, providers, fingerprints, mark };
};

const firstVersion = (command: RecordCourse): RecordVersion => ({
  ...content(command),
  submissionUuid: command.submissionUuid,
  version: 1,
  stamp: command.stamp,
});

const nextVersion = (command: RecordCourse, held: KnownBirthRecord): RecordVersion => {
  const course = amendedCourse(held.course, command.course, command.keyKind);
  return {
    ...content(command),
    course,
    fingerprints: fingerprintsAfter(command, held, course),
    // A native amendment records no attribution: the one that stands keeps its names.
    providers: command.keyKind === 'partner' ? command.providers : held.providers,
    submissionUuid: held.submissionUuid,
    version: held.version + 1,
    // our choice (design §5 "stamps"): a version without a stamp keeps the held one
    stamp: command.stamp ?? held.stamp,
  };
};

/**
 * The fingerprints of an amended record. A partner's version moves them only where it moves what
 * they stand for: the name and date of an earlier native version stay, and so do theirs. One that
 * tells too little for any keeps the last that were told.
 * Our choice, as for the course itself (design §5 "amendment").
 */
const fingerprintsAfter = (
  { keyKind, fingerprints }: RecordCourse,
  held: KnownBirthRecord,
  amended: CourseOfCare,
): readonly string[] => {
  if (keyKind !== 'partner') return fingerprints;
  const isIdentified = fingerprintTexts(amended).length > 0;
  return isIdentified || fingerprints.length === 0 ? held.fingerprints : fingerprints;
};

/**
 * The records that an amendment would make a live record look like, and that it does not look like
 * yet: of one that shares a fingerprint with it already, such as another twin's, nothing is new.
 * @param fingerprints those of the version that the amendment makes
 */
export const newLookAlikes = (
  matches: readonly FingerprintMatch[],
  fingerprints: readonly string[],
  state: BirthRecord,
): readonly FingerprintMatch[] =>
  state.status === 'live'
    ? suspects(matches, state).filter(
        ({ shared }) =>
          shared.some((one) => fingerprints.includes(one)) &&
          !shared.some((one) => state.fingerprints.includes(one)),
      )
    : [];

/**
 * The matches from which nobody has told the record apart. A dismissal stands on the record that
 * was flagged and counts for both of the pair.
 * @see docs/decisions/2026-11-20-what-people-change.md
 */
export const suspects = (
  matches: readonly FingerprintMatch[],
  state: BirthRecord,
): readonly FingerprintMatch[] =>
  state.status === 'none'
    ? matches
    : matches.filter(
        (match) =>
          match.submissionUuid !== state.dismissedDuplicateOf &&
          match.dismissedDuplicateOf !== state.submissionUuid,
      );

// A record that is flagged for this one makes a pair with it already: a flag here would ask twice.
const unpaired = (
  matches: readonly FingerprintMatch[],
  state: KnownBirthRecord,
): readonly FingerprintMatch[] =>
  suspects(matches, state).filter(({ duplicateOf }) => duplicateOf !== state.submissionUuid);

const flag = (
  submissionUuid: string,
  command: RecordCourse,
  [oldest]: readonly FingerprintMatch[],
): BirthRecordEvent[] => {
  if (oldest === undefined) return [];
  const { practiceId, mark } = command;
  return [
    {
      type: 'DuplicateFlagged',
      data: { submissionUuid, practiceId, duplicateOf: oldest.submissionUuid, mark },
    },
  ];
};
