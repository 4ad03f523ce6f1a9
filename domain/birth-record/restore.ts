import type { CourseOfCare } from '../course/course.ts';
import { findDifferences } from '../course/course-paths.ts';
import { DUPLICATE_AMENDMENT } from '../course/rejections.ts';
import { accept, type Decision, type Refusal, refuse } from '../decision.ts';
import { repointAttribution } from './attribution.ts';
import {
  findNewMatches,
  findSharedMatches,
  findUnflaggedMatches,
  flagDuplicate,
  hasMatch,
  isSameBirth,
  listRecordedFingerprints,
  type Matches,
  type Rejected,
  reject,
} from './decide.ts';
import type { CourseFingerprints } from './duplicates/fingerprint.ts';
import type { BirthRecordEvent, RecordVersion } from './events.ts';
import { type BirthRecord, evolve, type KnownBirthRecord, noRecord } from './state.ts';

/** Current data about a course of care to restore. */
export interface RestoredCourse extends CourseFingerprints {
  /** Fingerprints of the course, or those of its version if the course has too little data for any. */
  readonly fingerprints: readonly string[];
  readonly heldFingerprints?: readonly string[];
  /** Other live records of the practice that share a fingerprint, oldest first. */
  readonly matches: Matches;
  /** Returns the survivor after all merges; the provider itself if it was never absorbed. */
  readonly survivorOf: (providerId: string) => string;
}

/** Command of a user to restore an earlier version, or a voided record. */
interface RestoreContext extends RestoredCourse {
  /** The later of the current time and the record's stamp: a user who sees the record is never stale. */
  readonly stamp: string | null;
  /** Reason, if the user gave one. */
  readonly reason?: string | undefined;
}

/** Command to restore an earlier version of a live record. */
export interface RestoreVersion extends RestoreContext {
  readonly version: number;
}

/** Command to restore a voided record, unchanged. */
export type ReviveRecord = RestoreContext;

/**
 * Returns the content of a version as received, or `null` if that version voided the record or never existed.
 */
export const readVersion = (
  version: number,
  events: readonly BirthRecordEvent[],
): RecordVersion | null => findVersion(events, (data) => data.version === version);

/** Returns the last version with a course of care, or `null` if there is no record. */
export const latestVersion = (events: readonly BirthRecordEvent[]): RecordVersion | null =>
  findVersion(events, () => true);

const findVersion = (
  events: readonly BirthRecordEvent[],
  isMeant: (data: RecordVersion) => boolean,
): RecordVersion | null => {
  for (const { type, data } of events.toReversed())
    if ((type === 'BirthRecorded' || type === 'BirthAmended') && isMeant(data)) return data;
  return null;
};

/**
 * Restores an earlier version of a live record as a new version, with all of its values, sources, warnings,
 * providers, and custom fields. Refused, like a correction, if it would make the record match another live
 * one. No change if the record already has this content.
 * @param events of the record; of a long history, at least the wanted version
 */
export const restoreVersion = (
  command: RestoreVersion,
  events: readonly BirthRecordEvent[],
  state: BirthRecord = events.reduce(evolve, noRecord),
): Decision<BirthRecordEvent, Rejected | Refusal> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return refuse({ code: 'voided-is-brought-back-first' });
  const wanted = readVersion(command.version, events);
  if (wanted === null) return refuse({ code: 'no-such-version' });
  if (isUnchanged(wanted, state, command)) return accept();
  const newMatches = findNewMatches(command.matches, listRecordedFingerprints(command), state);
  if (hasMatch(newMatches) && !isSameBirth(command, state)) return reject(DUPLICATE_AMENDMENT);
  return buildRestoreEvents(toManualVersion(wanted, state, command), command, state, newMatches);
};

/**
 * Restores a voided record to its last content, as a new version, and flags it if it now matches another live
 * record. No change if the record is live.
 * @param events of the record; of a long history, at least the last version with a course of care
 */
export const reviveRecord = (
  command: ReviveRecord,
  events: readonly BirthRecordEvent[],
  state: BirthRecord = events.reduce(evolve, noRecord),
): Decision<BirthRecordEvent> => {
  const wanted = latestVersion(events);
  if (state.status === 'none' || wanted === null) return refuse({ code: 'no-record' });
  if (state.status === 'live') return accept();
  const fingerprints = listRecordedFingerprints(command);
  const matches = findSharedMatches(command.matches, fingerprints);
  return buildRestoreEvents(
    toManualVersion(wanted, state, command),
    command,
    state,
    findUnflaggedMatches(matches, state),
  );
};

/**
 * Builds the events that give a record the course of care of an earlier version. The version keeps its
 * providers, and the record is then repointed to the survivors of those absorbed since.
 * @param newMatches other live records that it then matches
 */
export const buildRestoreEvents = (
  data: RecordVersion,
  { survivorOf }: Pick<RestoredCourse, 'survivorOf'>,
  state: KnownBirthRecord,
  newMatches: Matches,
) => {
  const event: BirthRecordEvent<'BirthAmended'> = { type: 'BirthAmended', data };
  // A flagged live record keeps its flag.
  const flagged = state.status === 'live' && state.duplicateOf !== null ? [] : newMatches;
  return accept<BirthRecordEvent>(
    event,
    ...flagDuplicate(state.submissionUuid, { practiceId: state.practiceId, mark: null }, flagged),
    ...repointAttribution({ resolveSurvivor: survivorOf, mark: null }, evolve(state, event)),
  );
};

/**
 * Builds the next version, with the course of care of an earlier one. A user restored it, so the source is
 * manual.
 */
export const toRestoredVersion = (
  wanted: RecordVersion,
  held: KnownBirthRecord,
  command: Pick<RestoredCourse, 'fingerprints' | 'heldFingerprints'>,
): RecordVersion => ({
  submissionUuid: held.submissionUuid,
  practiceId: held.practiceId,
  version: held.version + 1,
  source: 'manual',
  // A partner's record remains de-identified, and later amendments treat it as such.
  keyKind: wanted.keyKind,
  course: wanted.course,
  providers: wanted.providers,
  stamp: wanted.stamp,
  fingerprints: listRecordedFingerprints(command),
  mark: null,
  restored: { version: wanted.version },
});

const toManualVersion = (
  wanted: RecordVersion,
  held: KnownBirthRecord,
  command: RestoreContext,
): RecordVersion => {
  const { stamp, reason } = command;
  return {
    ...toRestoredVersion(wanted, held, command),
    stamp,
    course: { ...wanted.course, stamp },
    ...(reason === undefined ? {} : { reason }),
  };
};

/** True if a record has the same content as the version. */
const isUnchanged = (
  { course, keyKind }: RecordVersion,
  held: KnownBirthRecord,
  { survivorOf }: Pick<RestoredCourse, 'survivorOf'>,
): boolean =>
  keyKind === held.keyKind &&
  findDifferences(withSurvivors(course, survivorOf), held.course).length === 0 &&
  JSON.stringify(omitMarks(course)) === JSON.stringify(omitMarks(held.course));

const omitMarks = ({ sources, warnings, ig_version }: CourseOfCare) => [
  sources,
  warnings,
  ig_version,
];

/** Replaces absorbed providers with their survivors. */
export const withSurvivors = (
  course: CourseOfCare,
  survivorOf: RestoredCourse['survivorOf'],
): CourseOfCare => ({
  ...course,
  attendant: course.attendant === null ? null : survivorOf(course.attendant),
  certifier: course.certifier === null ? null : survivorOf(course.certifier),
});

/**
 * True if the command already ran right after the version that the user saw, so that this one is a repeat.
 */
export const isRestoredAlready = (
  { version, seen }: { readonly version: number; readonly seen: number },
  state: BirthRecord,
  events: readonly BirthRecordEvent[],
): boolean =>
  state.status === 'live' &&
  state.version === seen + 1 &&
  latestVersion(events)?.restored?.version === version;
