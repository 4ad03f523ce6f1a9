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
  readonly heldFingerprints?: readonly string[];
  readonly matches: Matches;
  readonly survivorOf: (providerId: string) => string;
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
  isMeant: (data: RecordVersion) => boolean,
): RecordVersion | null => {
  for (const { type, data } of events.toReversed())
    if ((type === 'BirthRecorded' || type === 'BirthAmended') && isMeant(data)) return data;
  return null;
};

/**
 * Refused, like a correction, if it would make the record match another live one.
 * @param events of a long history, at least the wanted version
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
 * Flagged if it now matches another live record.
 * @param events of a long history, at least the last version with a course of care
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
 * Keeps the version's providers, and then repoints the record to the survivors of those absorbed since.
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

export const withSurvivors = (
  course: CourseOfCare,
  survivorOf: RestoredCourse['survivorOf'],
): CourseOfCare => ({
  ...course,
  attendant: course.attendant === null ? null : survivorOf(course.attendant),
  certifier: course.certifier === null ? null : survivorOf(course.certifier),
});

export const isRestoredAlready = (
  { version, seen }: { readonly version: number; readonly seen: number },
  state: BirthRecord,
  events: readonly BirthRecordEvent[],
): boolean =>
  state.status === 'live' &&
  state.version === seen + 1 &&
  latestVersion(events)?.restored?.version === version;
