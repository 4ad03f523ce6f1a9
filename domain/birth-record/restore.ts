import type { CourseOfCare } from '../course/course.ts';
import { findDifferences } from '../course/course-paths.ts';
import { DUPLICATE_AMENDMENT } from '../course/rejections.ts';
import { accept, type Decision, type Refusal, refuse } from '../decision.ts';
import { repointAttribution } from './attribution.ts';
import {
  type FingerprintMatch,
  findNewMatches,
  findUnflaggedMatches,
  flagDuplicate,
  isSameBirth,
  isShared,
  listRecordedFingerprints,
  type Rejected,
  reject,
} from './decide.ts';
import type { CourseFingerprints } from './duplicates/fingerprint.ts';
import type { BirthAmended, BirthRecordEvent, RecordVersion } from './events.ts';
import { type BirthRecord, evolve, type KnownBirthRecord, noRecord } from './state.ts';

/** Current data about a course of care that is to be restored. */
export interface RestoredCourse extends CourseFingerprints {
  /** Those of its version, if the course states too little for any. */
  readonly fingerprints: readonly string[];
  readonly heldFingerprints?: readonly string[];
  /** Other live records of the practice that share a fingerprint, oldest first. */
  readonly matches: readonly FingerprintMatch[];
  /** Returns the survivor after all merges; the provider itself if it was never absorbed. */
  readonly survivorOf: (providerId: string) => string;
}

/** A person's wish to have an earlier version, or a voided record, back. */
interface RestoreContext extends RestoredCourse {
  /** The later of now and the held stamp: a person who sees the record is never stale. */
  readonly stamp: string | null;
  /** Why, if the person says so. */
  readonly reason?: string | undefined;
}

/** Gives a live record the values of one of its earlier versions. */
export interface RestoreVersion extends RestoreContext {
  readonly version: number;
}

/** Makes a voided record live again, unchanged. */
export type ReviveRecord = RestoreContext;

/** Returns the content of a version as received; null if that version voided the record or never existed. */
export const readVersion = (
  version: number,
  events: readonly BirthRecordEvent[],
): RecordVersion | null => findVersion(events, (data) => data.version === version);

/** The last version that stated a course of care; null: there is no record. */
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
 * Restores an earlier version of a live record: every value, mark of origin, warning, provider and value
 * of the practice's own fields, as a new version. What would make it look like another live record is
 * refused, as a correction is. Restoring what the record says already changes nothing.
 */
export const restoreVersion = (
  command: RestoreVersion,
  events: readonly BirthRecordEvent[],
): Decision<BirthRecordEvent, Rejected | Refusal> => {
  const state = events.reduce(evolve, noRecord);
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return refuse({ code: 'voided-is-brought-back-first' });
  const wanted = readVersion(command.version, events);
  if (wanted === null) return refuse({ code: 'no-such-version' });
  if (isUnchanged(wanted, state, command)) return accept();
  const newMatches = findNewMatches(command.matches, listRecordedFingerprints(command), state);
  if (newMatches.length > 0 && !isSameBirth(command, state)) return reject(DUPLICATE_AMENDMENT);
  return buildRestoreEvents(toManualVersion(wanted, state, command), command, state, newMatches);
};

/**
 * Restores a voided record to its content before the void, as a new version. It is flagged if it now
 * matches another live record. A live record is left unchanged.
 */
export const reviveRecord = (
  command: ReviveRecord,
  events: readonly BirthRecordEvent[],
): Decision<BirthRecordEvent> => {
  const state = events.reduce(evolve, noRecord);
  const wanted = latestVersion(events);
  if (state.status === 'none' || wanted === null) return refuse({ code: 'no-record' });
  if (state.status === 'live') return accept();
  const fingerprints = listRecordedFingerprints(command);
  const matches = command.matches.filter((match) => isShared(match, fingerprints));
  return buildRestoreEvents(
    toManualVersion(wanted, state, command),
    command,
    state,
    findUnflaggedMatches(matches, state),
  );
};

/**
 * The event that gives a record the course of care of an earlier version, and what follows from it. The
 * version names providers as it did; where one was absorbed since, the record names the survivor.
 * @param newMatches other live records that it then matches
 */
export const buildRestoreEvents = (
  data: RecordVersion,
  { survivorOf }: Pick<RestoredCourse, 'survivorOf'>,
  state: KnownBirthRecord,
  newMatches: readonly FingerprintMatch[],
) => {
  const event: BirthAmended = { type: 'BirthAmended', data };
  // A live record that is flagged already stays flagged for the record that it names.
  const flagged = state.status === 'live' && state.duplicateOf !== null ? [] : newMatches;
  return accept<BirthRecordEvent>(
    event,
    ...flagDuplicate(state.submissionUuid, { practiceId: state.practiceId, mark: null }, flagged),
    ...repointAttribution({ resolveSurvivor: survivorOf, mark: null }, evolve(state, event)),
  );
};

/** The next version of a record with the course of care of an earlier one. A person did it: none sent it. */
export const toRestoredVersion = (
  wanted: RecordVersion,
  held: KnownBirthRecord,
  command: Pick<RestoredCourse, 'fingerprints' | 'heldFingerprints'>,
): RecordVersion => ({
  submissionUuid: held.submissionUuid,
  practiceId: held.practiceId,
  version: held.version + 1,
  source: 'manual',
  // A partner's record stays de-identified, and is amended as such.
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

/** True if a record has the same content as at a version. */
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

/** A course of care with the providers that stand for those that it names. */
export const withSurvivors = (
  course: CourseOfCare,
  survivorOf: RestoredCourse['survivorOf'],
): CourseOfCare => ({
  ...course,
  attendant: course.attendant === null ? null : survivorOf(course.attendant),
  certifier: course.certifier === null ? null : survivorOf(course.certifier),
});

/** True if a repeated command was already carried out right after the version that the person saw. */
export const isRestoredAlready = (
  { version, seen }: { readonly version: number; readonly seen: number },
  state: BirthRecord,
  events: readonly BirthRecordEvent[],
): boolean =>
  state.status === 'live' &&
  state.version === seen + 1 &&
  latestVersion(events)?.restored?.version === version;
