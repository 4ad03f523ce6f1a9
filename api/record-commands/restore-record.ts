import {
  findNewMatches,
  findSharedMatches,
  findUnflaggedMatches,
  listRecordedFingerprints,
} from '../../domain/birth-record/decide.ts';
import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import {
  reviveRecord as decideToBringBack,
  restoreVersion as decideToRestore,
  isRestoredAlready,
  latestVersion,
  type RestoredCourse,
  readVersion,
} from '../../domain/birth-record/restore.ts';
import type { KnownBirthRecord } from '../../domain/birth-record/state.ts';
import { createWorkingSet, type WorkingSet } from '../../domain/birth-record/working-set.ts';
import type { OffsetAt } from '../../domain/course/local-times.ts';
import type { Rejection } from '../../domain/course/rejections.ts';
import type { Decision, Refusal } from '../../domain/decision.ts';
import { buildFingerprints } from '../admission/course-content.ts';
import { findSurvivor } from '../ingestion/provider-survivors.ts';
import type { App } from '../ports/app-ports.ts';
import { findPracticeOffsets } from '../practice-time/practice-offsets.ts';
import { decideWithMore, findSharing, listIds } from './find-matches.ts';
import { findVersionEvent } from './record-part.ts';
import { changeRecord, type RecordToChange, type RecordUnderLease } from './record-under-lease.ts';
import { chooseStamp } from './save-course.ts';

/** Only `done` may have written: the record is as requested, by this or an earlier command. */
export type RestoredRecord =
  | { readonly kind: 'done'; readonly state: KnownBirthRecord; readonly isFlagged: boolean }
  | Refusal
  /** The version is not the one that the person saw. */
  | { readonly kind: 'changed-concurrently'; readonly current: KnownBirthRecord }
  /** Oldest first; the person may restore it nevertheless. */
  | { readonly kind: 'look-alike'; readonly submissionUuids: readonly string[] }
  /** An amendment may not match live records, which are listed oldest first. */
  | {
      readonly kind: 'rejected';
      readonly rejection: Rejection;
      readonly matches: readonly string[];
    }
  | { readonly kind: 'no-such-record' };

interface Wish {
  readonly seen: number;
  readonly reason: string | undefined;
}

/** @see restore-version.ts */
export const restoreVersion = (
  app: App,
  record: RecordToChange,
  { version, seen, reason }: Wish & { readonly version: number },
): Promise<RestoredRecord> =>
  restore(
    app,
    record,
    async (current) => {
      const isMeant = readVersion(version, current.events) !== null || isWhole(current);
      if (isMeant) return current.events;
      const { readRecent } = app.log;
      const end = current.stored[0]?.revision ?? 0n;
      const found = await findVersionEvent(readRecent, current.stream, version, end);
      return found === undefined ? current.events : [found.event, ...current.events];
    },
    (events) => readVersion(version, events),
    (known, { state, events }) => {
      if (isRestoredAlready({ version, seen }, state, events)) return DONE_ALREADY;
      if (state.status === 'live' && state.version !== seen)
        return { kind: 'changed-concurrently', current: state };
      const stamp = chooseStamp(app.now(), state);
      const decision = decideToRestore({ ...known, version, stamp, reason }, events, state);
      return decision.kind === 'rejected'
        ? {
            ...decision,
            matches: listIds(findNewMatches(known.matches, listRecordedFingerprints(known), state)),
          }
        : decision;
    },
  );

/** @param overrule true if the person saw the matches: restores the record and flags it */
export const restoreVoided = (
  app: App,
  record: RecordToChange,
  { seen, reason, overrule }: Wish & { readonly overrule: boolean },
): Promise<RestoredRecord> =>
  restore(
    app,
    record,
    (current) => readUntilVersion(app, current),
    latestVersion,
    (known, { state, events }) => {
      if (state.status === 'voided' && state.version !== seen)
        return { kind: 'changed-concurrently', current: state };
      const stamp = chooseStamp(app.now(), state);
      const decision = decideToBringBack({ ...known, stamp, reason }, events, state);
      const isFlagged =
        decision.kind === 'accepted' &&
        decision.events.some(({ type }) => type === 'DuplicateFlagged');
      if (overrule || !isFlagged || state.status === 'none') return decision;
      const fingerprints = listRecordedFingerprints(known);
      const alike = findSharedMatches(known.matches, fingerprints);
      return { kind: 'look-alike', submissionUuids: listIds(findUnflaggedMatches(alike, state)) };
    },
  );

const isWhole = ({ stored: [first] }: RecordUnderLease): boolean =>
  first === undefined || first.revision === 0n;

/** All events if the recent ones have no course of care. */
const readUntilVersion = async (
  { log }: App,
  current: RecordUnderLease,
): Promise<readonly BirthRecordEvent[]> =>
  isWhole(current) || latestVersion(current.events) !== null
    ? current.events
    : (await log.readStream(current.stream)).flatMap(
        ({ event }) => (event as BirthRecordEvent) ?? [],
      );

const DONE_ALREADY = { kind: 'accepted', events: [] } as const;

type Answer = Exclude<RestoredRecord, { readonly kind: 'done' }>;

const restore = async (
  app: App,
  record: RecordToChange,
  readEvents: (current: RecordUnderLease) => Promise<readonly BirthRecordEvent[]>,
  findTarget: (events: readonly BirthRecordEvent[]) => RecordVersion | null,
  decide: (known: RestoredCourse, current: RecordUnderLease) => Decision<BirthRecordEvent, Answer>,
): Promise<RestoredRecord> => {
  const { practiceId, submissionUuid } = record;
  const findStream = () => app.reads.findRecordStream(practiceId, submissionUuid);
  const offsetAt = await findPracticeOffsets(app, practiceId);
  const restored = await changeRecord(app, record, findStream, async (current) => {
    const restoring = createRestoring(practiceId, offsetAt);
    const events = await readEvents(current);
    const known = await loadKnown(app, restoring, findTarget(events), current);
    return decideWithMore(app, restoring, () => decide(known, { ...current, events }));
  });
  if (restored.kind !== 'written') return restored;
  const isFlagged = restored.events.some(({ type }) => type === 'DuplicateFlagged');
  return { kind: 'done', state: restored.state, isFlagged };
};

export interface Restoring {
  readonly practiceId: string;
  /** `null` if the practice has set no time zone. */
  readonly offsetAt: OffsetAt | null;
  readonly workingSet: WorkingSet;
}

export const createRestoring = (practiceId: string, offsetAt: OffsetAt | null): Restoring => ({
  practiceId,
  offsetAt,
  workingSet: createWorkingSet(),
});

/**
 * Loads fingerprints under today's keys, records that share them, and survivors of providers.
 * @param target `null` if no such version exists; then the result is empty
 */
export const loadKnown = async (
  app: App,
  { practiceId, offsetAt, workingSet }: Restoring,
  target: RecordVersion | null,
  record: RecordUnderLease,
): Promise<RestoredCourse> => {
  workingSet.put(record.stream, record);
  if (target === null) return { fingerprints: [], matches: [], resolveSurvivor: (id) => id };
  const { course } = target;
  const keys = app.fingerprintKeysAt(app.now());
  const computed = buildFingerprints(course, practiceId, keys, offsetAt);
  // Without a name and a date there are no new fingerprints, so those of the version remain.
  const courseFingerprints =
    computed.fingerprints.length > 0 ? computed : { fingerprints: target.fingerprints };
  const survivors = new Map<string, string>();
  for (const id of [course.attendant, course.certifier])
    if (id !== null) survivors.set(id, await findSurvivor(app, id, null));
  return {
    ...(await findSharing(app, { practiceId, workingSet, record, courseFingerprints })),
    resolveSurvivor: (id) => survivors.get(id) ?? id,
  };
};
