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

export interface RestoredCourse extends CourseFingerprints {
  /** Fingerprints of the course, or those of its version if the course has too little data for any. */
  readonly fingerprints: readonly string[];
  readonly existingFingerprints?: readonly string[];
  readonly matches: Matches;
  readonly resolveSurvivor: (providerId: string) => string;
}

interface RestoreContext extends RestoredCourse {
  /** The later of the current time and the record's stamp: a user who sees the record is never stale. */
  readonly stamp: string | null;
  readonly reason?: string | undefined;
}

export interface RestoreVersion extends RestoreContext {
  readonly version: number;
}

export type ReviveRecord = RestoreContext;

/** As received; `null` if that version voided the record or never existed. */
export const readVersion = (
  version: number,
  events: readonly BirthRecordEvent[],
): RecordVersion | null => findVersion(events, (data) => data.version === version);

export const latestVersion = (events: readonly BirthRecordEvent[]): RecordVersion | null =>
  findVersion(events, () => true);

const findVersion = (
  events: readonly BirthRecordEvent[],
  predicate: (data: RecordVersion) => boolean,
): RecordVersion | null => {
  for (const { type, data } of events.toReversed())
    if ((type === 'BirthRecorded' || type === 'BirthAmended') && predicate(data)) return data;
  return null;
};

/**
 * Refused, like a correction, if it would make the record match another live one.
 * @param events of a long history, at least the target version
 */
export const restoreVersion = (
  command: RestoreVersion,
  events: readonly BirthRecordEvent[],
  state: BirthRecord = events.reduce(evolve, noRecord),
): Decision<BirthRecordEvent, Rejected | Refusal> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return refuse({ code: 'voided-is-brought-back-first' });
  const target = readVersion(command.version, events);
  if (target === null) return refuse({ code: 'no-such-version' });
  if (isUnchanged(target, state, command)) return accept();
  const newMatches = findNewMatches(command.matches, listRecordedFingerprints(command), state);
  if (hasMatch(newMatches) && !isSameBirth(command, state)) return reject(DUPLICATE_AMENDMENT);
  return buildRestoreEvents(toManualVersion(target, state, command), command, state, newMatches);
};

/**
 * Flagged if it now matches another live record.
 * @param events of a long history, at least the last version with a course of care
 */
export const reviveRecord = (
  command: ReviveRecord,
  events: readonly BirthRecordEvent[],
  state: BirthRecord = events.reduce(evolve, noRecord),
): Decision<BirthRecordEvent> => {
  const target = latestVersion(events);
  if (state.status === 'none' || target === null) return refuse({ code: 'no-record' });
  if (state.status === 'live') return accept();
  const fingerprints = listRecordedFingerprints(command);
  const matches = findSharedMatches(command.matches, fingerprints);
  return buildRestoreEvents(
    toManualVersion(target, state, command),
    command,
    state,
    findUnflaggedMatches(matches, state),
  );
};

/**
 * Keeps the version's providers, and then repoints the record to the survivors of those absorbed since.
 */
export const buildRestoreEvents = (
  data: RecordVersion,
  { resolveSurvivor }: Pick<RestoredCourse, 'resolveSurvivor'>,
  state: KnownBirthRecord,
  newMatches: Matches,
) => {
  const event: BirthRecordEvent<'BirthAmended'> = { type: 'BirthAmended', data };
  // A flagged live record keeps its flag.
  const flagged = state.status === 'live' && state.duplicateOf !== null ? [] : newMatches;
  return accept<BirthRecordEvent>(
    event,
    ...flagDuplicate(state.submissionUuid, { practiceId: state.practiceId, mark: null }, flagged),
    ...repointAttribution({ resolveSurvivor, mark: null }, evolve(state, event)),
  );
};

export const toRestoredVersion = (
  target: RecordVersion,
  current: KnownBirthRecord,
  command: Pick<RestoredCourse, 'fingerprints' | 'existingFingerprints'>,
): RecordVersion => ({
  submissionUuid: current.submissionUuid,
  practiceId: current.practiceId,
  version: current.version + 1,
  source: 'manual',
  // A partner's record remains de-identified, and later amendments treat it as such.
  keyKind: target.keyKind,
  course: target.course,
  providers: target.providers,
  stamp: target.stamp,
  fingerprints: listRecordedFingerprints(command),
  mark: null,
  restored: { version: target.version },
});

const toManualVersion = (
  target: RecordVersion,
  current: KnownBirthRecord,
  command: RestoreContext,
): RecordVersion => {
  const { stamp, reason } = command;
  return {
    ...toRestoredVersion(target, current, command),
    stamp,
    course: { ...target.course, stamp },
    ...(reason === undefined ? {} : { reason }),
  };
};

const isUnchanged = (
  { course, keyKind }: RecordVersion,
  current: KnownBirthRecord,
  { resolveSurvivor }: Pick<RestoredCourse, 'resolveSurvivor'>,
): boolean =>
  keyKind === current.keyKind &&
  findDifferences(withSurvivors(course, resolveSurvivor), current.course).length === 0 &&
  JSON.stringify(omitMarks(course)) === JSON.stringify(omitMarks(current.course));

const omitMarks = ({ sources, warnings, edit_flags, ig_version }: CourseOfCare) => [
  sources,
  warnings,
  edit_flags,
  ig_version,
];

export const withSurvivors = (
  course: CourseOfCare,
  resolveSurvivor: RestoredCourse['resolveSurvivor'],
): CourseOfCare => ({
  ...course,
  attendant: course.attendant === null ? null : resolveSurvivor(course.attendant),
  certifier: course.certifier === null ? null : resolveSurvivor(course.certifier),
});

export const isRestoredAlready = (
  { version, seen }: { readonly version: number; readonly seen: number },
  state: BirthRecord,
  events: readonly BirthRecordEvent[],
): boolean =>
  state.status === 'live' &&
  state.version === seen + 1 &&
  latestVersion(events)?.restored?.version === version;
