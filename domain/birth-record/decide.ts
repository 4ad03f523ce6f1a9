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
  hasFingerprintData,
  isRuleV1,
  listFingerprints,
  parseKeyVersion,
} from './duplicates/fingerprint.ts';
import type {
  BirthRecordEvent,
  PrefillSaved,
  RecordVersion,
  SubmissionItemId,
  SubmissionSource,
} from './events.ts';
import type { BirthRecord, KnownBirthRecord } from './state.ts';

export interface FingerprintMatch {
  readonly submissionUuid: string;
  readonly duplicateOf: string | null;
  readonly dismissedMatches: readonly string[];
  readonly shared: readonly string[];
}

/** Matches in order of age. Found one by one, because most decisions need only the oldest of many. */
export type Matches = Iterable<FingerprintMatch>;

export interface RecordCourse extends CourseFingerprints {
  readonly submissionUuid: string;
  readonly practiceId: string;
  readonly source: SubmissionSource;
  readonly keyKind: 'native' | 'partner' | null;
  readonly course: CourseOfCare;
  readonly providers: readonly NamedProvider[];
  /** As sent; clamped if far in the future. */
  readonly stamp: string | null;
  readonly receivedAt: string;
  /** Legacy fingerprints that a record of the practice already has, live or voided. */
  readonly existingFingerprints?: readonly string[];
  readonly matches: Matches;
  readonly mark: SubmissionItemId | null;
  readonly prefill?: PrefillSaved | undefined;
  readonly reason?: string | undefined;
}

export interface RetractBirth {
  readonly practiceId: string;
  readonly source: SubmissionSource;
  readonly stamp: string | null;
  readonly receivedAt: string;
  readonly mark: SubmissionItemId | null;
}

export interface Rejected {
  readonly kind: 'rejected';
  readonly rejection: Rejection;
}

export type RecordDecision = Decision<BirthRecordEvent, Rejected>;

export const reject = (rejection: Rejection): Rejected => ({ kind: 'rejected', rejection });

/**
 * Records, amends, or revives. A match is flagged, never merged. An amendment is rejected if it would make a
 * live record match another one.
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
      if (hasMatch(newMatches) && !isSameBirth(command, state)) return reject(DUPLICATE_AMENDMENT);
      // Same birth as before: the match comes from another time zone, or from a later rule.
      const flagged = state.duplicateOf === null ? newMatches : [];
      return accept<BirthRecordEvent>(
        { type: 'BirthAmended', data },
        ...flagDuplicate(state.submissionUuid, command, flagged),
      );
    }
    case 'voided': {
      if (isStale(command.stamp, state.stamp)) return reject(STALE_UPDATE);
      const data = buildNextVersion(command, state);
      const matches = findSharedMatches(command.matches, data.fingerprints);
      return accept<BirthRecordEvent>(
        { type: 'BirthAmended', data },
        ...flagDuplicate(state.submissionUuid, command, findUnflaggedMatches(matches, state)),
      );
    }
  }
};

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

// A correction keeps the warnings of unchanged values.
const isWarned = ({ warnings }: CourseOfCare, field: string, child: number | null): boolean =>
  warnings.some((one) => one.id === FUTURE && one.field === field && one.child === child);

export const listRecordedFingerprints = ({
  fingerprints,
  existingFingerprints,
}: Pick<RecordCourse, 'fingerprints' | 'existingFingerprints'>): readonly string[] =>
  existingFingerprints === undefined ? fingerprints : [...fingerprints, ...existingFingerprints];

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

const buildNextVersion = (command: RecordCourse, current: KnownBirthRecord): RecordVersion => {
  const course = amendCourse(current.course, command.course, command.keyKind);
  return {
    ...buildContent(command),
    course,
    fingerprints: fingerprintsAfterAmendment(command, current, course),
    // A native amendment does not change the attribution, so the record keeps its provider names.
    providers: command.keyKind === 'partner' ? command.providers : current.providers,
    submissionUuid: current.submissionUuid,
    version: current.version + 1,
    // Our choice (docs/design/duplicates.md#stamps): a version without a stamp keeps the current one.
    stamp: command.stamp ?? current.stamp,
  };
};

/**
 * A native version replaces them. A partner's version keeps the current ones if it has too little data, or
 * if the record is still identified by an earlier native version. A user's version keeps those of a
 * de-identified record if it has none of its own and the birth year stays.
 * Our choice, as for the course itself.
 */
export const fingerprintsAfterAmendment = (
  command: Pick<RecordCourse, 'keyKind' | 'fingerprints' | 'existingFingerprints'>,
  current: KnownBirthRecord,
  amended: CourseOfCare,
): readonly string[] => {
  const fingerprints = listRecordedFingerprints(command);
  switch (command.keyKind) {
    case 'native':
      return fingerprints;
    case 'partner':
      return hasFingerprintData(amended) || fingerprints.length === 0
        ? current.fingerprints
        : fingerprints;
    case null: {
      const staysAsMasked =
        !hasFingerprintData(current.course) && isSameBirthYear(amended, current.course);
      return fingerprints.length === 0 && staysAsMasked ? current.fingerprints : fingerprints;
    }
  }
};

const YEAR_LENGTH = 4;

const listBirthYears = ({ children }: CourseOfCare): readonly string[] =>
  children.flatMap(({ birth_date }) => birth_date?.slice(0, YEAR_LENGTH) ?? []);

const isSameBirthYear = (amended: CourseOfCare, current: CourseOfCare): boolean => {
  const currentYears = listBirthYears(current);
  return (
    currentYears.length === 0 ||
    listBirthYears(amended).every((year) => currentYears.includes(year))
  );
};

/**
 * True if a course has the same mother and times of birth as the current version, to the second. Compares
 * under the newest key that both were hashed with, because a version may have only some of the older hashes.
 */
export const isSameBirth = (command: CourseFingerprints, current: KnownBirthRecord): boolean => {
  const sent = listFingerprints(command).filter(isRuleV1);
  const keyVersion = Math.min(
    findNewestKeyVersion(sent),
    findNewestKeyVersion(current.fingerprints),
  );
  return sent
    .filter((one) => parseKeyVersion(one) === keyVersion)
    .every((one) => current.fingerprints.includes(one));
};

const findNewestKeyVersion = (fingerprints: readonly string[]): number =>
  Math.max(1, ...fingerprints.map(parseKeyVersion));

export const hasMatch = ([oldest]: Matches): boolean => oldest !== undefined;

const selectMatches = (
  matches: Matches,
  predicate: (match: FingerprintMatch) => boolean,
): Matches => ({
  *[Symbol.iterator]() {
    for (const match of matches) if (predicate(match)) yield match;
  },
});

export const omitMatch = (matches: Matches, submissionUuid: string): Matches =>
  selectMatches(matches, (match) => match.submissionUuid !== submissionUuid);

export const findSharedMatches = (matches: Matches, fingerprints: readonly string[]): Matches =>
  selectMatches(matches, (match) => isShared(match, fingerprints));

const isShared = ({ shared }: FingerprintMatch, fingerprints: readonly string[]): boolean =>
  shared.some((one) => fingerprints.includes(one));

/** Records that already share a fingerprint with it, such as that of another twin, are not new. */
export const findNewMatches = (
  matches: Matches,
  fingerprints: readonly string[],
  state: BirthRecord,
): Matches =>
  // Without a new fingerprint there is no new match, however many share the current ones.
  state.status === 'live' && fingerprints.some((one) => !state.fingerprints.includes(one))
    ? selectMatches(
        findUndismissedMatches(matches, state),
        (match) => isShared(match, fingerprints) && !isShared(match, state.fingerprints),
      )
    : [];

/**
 * Filters out dismissed matches. A dismissal is stored on the flagged record, and applies to both records.
 * @see docs/design/duplicates.md#deciding
 */
export const findUndismissedMatches = (matches: Matches, state: BirthRecord): Matches =>
  state.status === 'none'
    ? matches
    : selectMatches(
        matches,
        (match) =>
          !state.dismissedMatches.includes(match.submissionUuid) &&
          !match.dismissedMatches.includes(state.submissionUuid),
      );

/** A second flag would ask about the same pair twice. */
export const findUnflaggedMatches = (matches: Matches, state: KnownBirthRecord): Matches =>
  selectMatches(
    findUndismissedMatches(matches, state),
    ({ duplicateOf }) => duplicateOf !== state.submissionUuid,
  );

export const flagDuplicate = (
  submissionUuid: string,
  command: Pick<RecordCourse, 'practiceId' | 'mark'>,
  [oldest]: Matches,
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

export interface VoidRecord {
  readonly reason: string;
  readonly mergedInto?: string;
}

/** Never stale, unlike a retraction from a sender: the user sees the current record. */
export const voidRecord = (
  command: VoidRecord,
  state: BirthRecord,
): Decision<BirthRecordEvent<'BirthRetracted'>> => {
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
