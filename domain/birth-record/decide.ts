import { findLatestDate, isLaterDay } from '../course/birth-times.ts';
import { type CourseOfCare, WARNING_REASONS, type Warning } from '../course/course.ts';
import {
  DUPLICATE_AMENDMENT,
  NO_RECORD_TO_RETRACT,
  type Rejection,
  STALE_UPDATE,
} from '../course/rejections.ts';
import { clampStamp, isStale } from '../course/stamps.ts';
import { accept, type Decision, refuse } from '../decision.ts';
import type { NamedProvider } from '../provider/details.ts';
import { parseReason } from '../text-input.ts';
import { amendCourse } from './amend.ts';
import {
  type CourseFingerprints,
  isIdentified,
  isRuleV1,
  listFingerprints,
  parseKeyVersion,
} from './duplicates/fingerprint.ts';
import type {
  BirthRecordEvent,
  BirthRetracted,
  PrefillSaved,
  RecordVersion,
  SubmissionItemId,
  SubmissionSource,
} from './events.ts';
import type { BirthRecord, KnownBirthRecord } from './state.ts';

/** A live record of the practice that shares a fingerprint with the course at hand. */
export interface FingerprintMatch {
  readonly submissionUuid: string;
  /** The record that this one is flagged for; null without a flag. */
  readonly duplicateOf: string | null;
  /** Records dismissed as matches of this one. */
  readonly dismissedMatches: readonly string[];
  /** The fingerprints of the course that it has too. */
  readonly shared: readonly string[];
}

/** Enters a course of care under its chart number: a first version, an amendment or a revival. */
export interface RecordCourse extends CourseFingerprints {
  /** Id of the record if this is its first version. */
  readonly submissionUuid: string;
  readonly practiceId: string;
  readonly source: SubmissionSource;
  readonly keyKind: 'native' | 'partner' | null;
  readonly course: CourseOfCare;
  readonly providers: readonly NamedProvider[];
  /** As sent; a stamp far in the future is clamped. */
  readonly stamp: string | null;
  /** When the registry got it, ISO 8601. */
  readonly receivedAt: string;
  /** The legacy fingerprints that a record of the practice holds, live or voided. */
  readonly heldFingerprints?: readonly string[];
  /** Other live records of the practice that share a fingerprint, oldest first. */
  readonly matches: readonly FingerprintMatch[];
  readonly mark: SubmissionItemId | null;
  /** The pre-fill that a person saves. */
  readonly prefill?: PrefillSaved | undefined;
  /** Why a person corrects the record. */
  readonly reason?: string | undefined;
}

/** Voids the record under a chart number. */
export interface RetractBirth {
  readonly practiceId: string;
  readonly source: SubmissionSource;
  readonly stamp: string | null;
  /** When the registry got it, ISO 8601. */
  readonly receivedAt: string;
  readonly mark: SubmissionItemId | null;
}

/** A submission was not taken; the rejection is for the receipt. */
export interface Rejected {
  readonly kind: 'rejected';
  readonly rejection: Rejection;
}

/** Result of a submission to a record. */
export type RecordDecision = Decision<BirthRecordEvent, Rejected>;

/** Does not take a submission. */
export const reject = (rejection: Rejection): Rejected => ({ kind: 'rejected', rejection });

/**
 * Records, amends or revives. A match is flagged, never merged; an amendment that would make
 * a live record look like another one is refused.
 * @see spec "Record lifecycle"
 */
export const recordCourse = (sent: RecordCourse, state: BirthRecord): RecordDecision => {
  const command = warnOfFutureBirths(withClampedStamp(sent));
  switch (state.status) {
    case 'none':
      return accept<BirthRecordEvent>(
        { type: 'BirthRecorded', data: buildFirstVersion(command) },
        ...flagDuplicate(command.submissionUuid, command, command.matches),
      );
    case 'live': {
      if (isStale(command.stamp, state.stamp)) return reject(STALE_UPDATE);
      const data = buildNextVersion(command, state);
      const newMatches = findNewMatches(command.matches, data.fingerprints, state);
      if (newMatches.length > 0 && !isSameBirth(command, state)) return reject(DUPLICATE_AMENDMENT);
      // Same content as before: another time zone, or a later rule, found the matches.
      const flagged = state.duplicateOf === null ? newMatches : [];
      return accept<BirthRecordEvent>(
        { type: 'BirthAmended', data },
        ...flagDuplicate(state.submissionUuid, command, flagged),
      );
    }
    case 'voided': {
      if (isStale(command.stamp, state.stamp)) return reject(STALE_UPDATE);
      const data = buildNextVersion(command, state);
      const matches = command.matches.filter((match) => isShared(match, data.fingerprints));
      return accept<BirthRecordEvent>(
        { type: 'BirthAmended', data },
        ...flagDuplicate(state.submissionUuid, command, findUnflaggedMatches(matches, state)),
      );
    }
  }
};

/**
 * Voids a live birth record. A second retraction changes nothing.
 * @see spec "Record lifecycle"
 */
export const retractBirth = (command: RetractBirth, state: BirthRecord): RecordDecision => {
  if (state.status === 'none') return reject(NO_RECORD_TO_RETRACT);
  if (state.status === 'voided') return accept();
  if (isStale(clampStamp(command.stamp, command.receivedAt), state.stamp))
    return reject(STALE_UPDATE);
  const { practiceId, source, mark } = command;
  const { submissionUuid } = state;
  return accept<BirthRecordEvent>({
    type: 'BirthRetracted',
    data: { submissionUuid, practiceId, version: state.version + 1, source, mark },
  });
};

/** The command with a stamp that counts; one that was not believed leaves a warning in the record. */
const withClampedStamp = (command: RecordCourse): RecordCourse => {
  const { course, keyKind, receivedAt } = command;
  const stamp = clampStamp(command.stamp, receivedAt);
  if (stamp === command.stamp) return command;
  const warning: Warning = {
    field: 'stamp',
    child: null,
    raw: keyKind === 'partner' ? null : command.stamp,
    id: 'stamp-ahead',
    reason: WARNING_REASONS['stamp-ahead'],
  };
  const warnings = [...course.warnings, warning];
  return { ...command, stamp, course: { ...course, stamp, warnings } };
};

/** The command with a warning for each birth that is still to come, the mother's own included; the dates stay. */
const warnOfFutureBirths = (command: RecordCourse): RecordCourse => {
  const { course, keyKind, receivedAt } = command;
  const latest = findLatestDate(receivedAt);
  const dates = [
    { field: 'mother.birth_date', child: null, date: course.mother.birth_date },
    ...course.children.map(({ birth_date: date }, child) => ({
      field: 'children.birth_date',
      child,
      date,
    })),
  ];
  const warnings = dates
    .filter(({ date }) => isLaterDay(date, latest))
    .filter(({ field, child }) => !isWarned(course, field, child))
    .map(
      ({ field, child, date }): Warning => ({
        field,
        child,
        raw: keyKind === 'partner' ? null : date,
        id: FUTURE,
        reason: WARNING_REASONS[FUTURE],
      }),
    );
  if (warnings.length === 0) return command;
  return { ...command, course: { ...course, warnings: [...course.warnings, ...warnings] } };
};

const FUTURE = 'born-in-future';

// A correction keeps the warnings of the values that it leaves unchanged.
const isWarned = ({ warnings }: CourseOfCare, field: string, child: number | null): boolean =>
  warnings.some((one) => one.id === FUTURE && one.field === field && one.child === child);

/** The fingerprints that a record of the course holds, unless it keeps those that it has. */
export const listRecordedFingerprints = ({
  fingerprints,
  heldFingerprints,
}: Pick<RecordCourse, 'fingerprints' | 'heldFingerprints'>): readonly string[] =>
  heldFingerprints === undefined ? fingerprints : [...fingerprints, ...heldFingerprints];

const buildContent = (command: RecordCourse) => {
  const { practiceId, source, keyKind, course, providers, mark, prefill, reason } = command;
  const fingerprints = listRecordedFingerprints(command);
  const version = { practiceId, source, keyKind, course, providers, fingerprints, mark };
  return {
    ...version,
    ...(prefill === undefined ? {} : { prefill }),
    ...(reason === undefined ? {} : { reason }),
  };
};

const buildFirstVersion = (command: RecordCourse): RecordVersion => ({
  ...buildContent(command),
  submissionUuid: command.submissionUuid,
  version: 1,
  stamp: command.stamp,
});

const buildNextVersion = (command: RecordCourse, held: KnownBirthRecord): RecordVersion => {
  const course = amendCourse(held.course, command.course, command.keyKind);
  return {
    ...buildContent(command),
    course,
    fingerprints: fingerprintsAfterAmendment(command, held, course),
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
 * states too little for any keeps the last ones. So does a person's version of a
 * de-identified record, which shows neither name nor date, unless it moves the birth to another year.
 * Our choice, as for the course itself (design §5 "amendment").
 */
export const fingerprintsAfterAmendment = (
  command: Pick<RecordCourse, 'keyKind' | 'fingerprints' | 'heldFingerprints'>,
  held: KnownBirthRecord,
  amended: CourseOfCare,
): readonly string[] => {
  const fingerprints = listRecordedFingerprints(command);
  switch (command.keyKind) {
    case 'native':
      return fingerprints;
    case 'partner':
      return isIdentified(amended) || fingerprints.length === 0 ? held.fingerprints : fingerprints;
    case null: {
      const staysAsMasked = !isIdentified(held.course) && isSameBirthYear(amended, held.course);
      return fingerprints.length === 0 && staysAsMasked ? held.fingerprints : fingerprints;
    }
  }
};

const YEAR_LENGTH = 4;

const listBirthYears = ({ children }: CourseOfCare): readonly string[] =>
  children.flatMap(({ birth_date }) => birth_date?.slice(0, YEAR_LENGTH) ?? []);

const isSameBirthYear = (amended: CourseOfCare, held: CourseOfCare): boolean => {
  const heldYears = listBirthYears(held);
  return (
    heldYears.length === 0 || listBirthYears(amended).every((year) => heldYears.includes(year))
  );
};

/**
 * True if a course states the same mother and times of birth as the held version, to the second: by
 * the newest key that both were hashed under, for of older ones a version holds a part.
 */
export const isSameBirth = (command: CourseFingerprints, held: KnownBirthRecord): boolean => {
  const sent = listFingerprints(command).filter(isRuleV1);
  const keyVersion = Math.min(findNewestKeyVersion(sent), findNewestKeyVersion(held.fingerprints));
  return sent
    .filter((one) => parseKeyVersion(one) === keyVersion)
    .every((one) => held.fingerprints.includes(one));
};

const findNewestKeyVersion = (fingerprints: readonly string[]): number =>
  Math.max(1, ...fingerprints.map(parseKeyVersion));

/** True if a match was found by one of these fingerprints. */
export const isShared = ({ shared }: FingerprintMatch, fingerprints: readonly string[]): boolean =>
  shared.some((one) => fingerprints.includes(one));

/**
 * The records that an amendment would make a live record look like, and that it does not look like
 * yet: of one that shares a fingerprint with it already, such as another twin's, nothing is new.
 * @param fingerprints those of the version that the amendment makes
 */
export const findNewMatches = (
  matches: readonly FingerprintMatch[],
  fingerprints: readonly string[],
  state: BirthRecord,
): readonly FingerprintMatch[] =>
  state.status === 'live'
    ? findUndismissedMatches(matches, state).filter(
        (match) => isShared(match, fingerprints) && !isShared(match, state.fingerprints),
      )
    : [];

/**
 * Matches that were not dismissed. A dismissal is stored on the record that
 * was flagged and counts for both of the pair.
 * @see docs/decisions/2026-11-20-what-people-change.md
 */
export const findUndismissedMatches = (
  matches: readonly FingerprintMatch[],
  state: BirthRecord,
): readonly FingerprintMatch[] =>
  state.status === 'none'
    ? matches
    : matches.filter(
        (match) =>
          !state.dismissedMatches.includes(match.submissionUuid) &&
          !match.dismissedMatches.includes(state.submissionUuid),
      );

/**
 * The matches that the record makes no pair with yet: one that is flagged for this record does already,
 * and a flag here would ask twice.
 */
export const findUnflaggedMatches = (
  matches: readonly FingerprintMatch[],
  state: KnownBirthRecord,
): readonly FingerprintMatch[] =>
  findUndismissedMatches(matches, state).filter(
    ({ duplicateOf }) => duplicateOf !== state.submissionUuid,
  );

/** Flags a record for the oldest of these matches; without any there is nothing to flag. */
export const flagDuplicate = (
  submissionUuid: string,
  command: Pick<RecordCourse, 'practiceId' | 'mark'>,
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

/** A person's wish to void a record. */
export interface VoidRecord {
  /** Why, for readers of the history: `MIN_REASON_LENGTH` to `MAX_REASON_LENGTH` characters. */
  readonly reason: string;
  /** The record that it is merged into. */
  readonly mergedInto?: string;
}

/**
 * Voids a live record by hand. Voiding a voided one changes nothing. Unlike a retraction that a
 * system sends it is never stale: the person has the record before their eyes.
 */
export const voidRecord = (command: VoidRecord, state: BirthRecord): Decision<BirthRetracted> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  const reason = parseReason(command.reason);
  if (reason.kind === 'refused') return reason;
  if (state.status === 'voided') return accept();
  const { submissionUuid, practiceId } = state;
  const { mergedInto } = command;
  return accept({
    type: 'BirthRetracted',
    data: {
      submissionUuid,
      practiceId,
      version: state.version + 1,
      source: 'manual',
      reason: reason.line,
      ...(mergedInto === undefined ? {} : { mergedInto }),
      mark: null,
    },
  });
};
