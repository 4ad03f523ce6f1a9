import { repointAttribution } from '../birth-record/attribution.ts';
import {
  isDifferentMother,
  isSameIdentity,
  toBirthIdentity,
} from '../birth-record/birth-identity.ts';
import { type RecordCourse, recordCourse, retractBirth } from '../birth-record/decide.ts';
import {
  type CourseFingerprints,
  listFingerprints,
} from '../birth-record/duplicates/fingerprint.ts';
import type {
  BirthRecordEvent,
  SubmissionItemId,
  SubmissionSource,
} from '../birth-record/events.ts';
import { type BirthRecord, evolve } from '../birth-record/state.ts';
import { type LoadedRecord, NEW_RECORD, type WorkingSet } from '../birth-record/working-set.ts';
import type { Rejection } from '../course/rejections.ts';
import { CHART_NUMBER_CONFLICT } from '../mapping/csv/row.ts';
import { recordStream } from '../stream-names.ts';
import type { AcceptedEntry, RejectedEntry } from './events.ts';
import type { QueuedItem } from './queued-item.ts';
import { toAcceptedEntry } from './receipt.ts';

export interface SubmissionItem {
  readonly queued: QueuedItem;
  /** Stream of its chart number, or its own stream if it has none. */
  readonly stream: string;
  readonly submissionUuid: string;
  readonly practiceId: string;
  readonly keyKind: 'native' | 'partner' | null;
  readonly source: SubmissionSource;
  readonly mark: SubmissionItemId;
  readonly receivedAt: string;
}

export type ItemsOfSubmission = Pick<
  SubmissionItem,
  'practiceId' | 'keyKind' | 'source' | 'receivedAt'
> & { readonly ingestionId: string };

export interface NewNames {
  deriveId(ingestionId: string, position: number): string;
  /** Returns the keyed hash for the stream of a record without a chart number. */
  submissionHash(submissionUuid: string): string;
}

export const toSubmissionItem = (
  queued: QueuedItem,
  { ingestionId, practiceId, keyKind, source, receivedAt }: ItemsOfSubmission,
  names: NewNames,
): SubmissionItem => {
  const submissionUuid = names.deriveId(ingestionId, queued.position);
  const recordHash = queued.kind === 'rejected' ? null : queued.recordHash;
  return {
    queued,
    stream: recordStream(recordHash ?? names.submissionHash(submissionUuid)),
    submissionUuid,
    practiceId,
    keyKind,
    source,
    mark: { ingestionId, position: queued.position },
    receivedAt,
  };
};

export interface ItemOutcome {
  readonly accepted: AcceptedEntry | null;
  readonly rejected: RejectedEntry | null;
  readonly events: readonly BirthRecordEvent[];
  /** Record before these events; its revision fences the append. */
  readonly before: LoadedRecord;
}

/**
 * Stores the result in the working set, so that the next item is decided as if this one were already
 * written.
 */
export const decideItem = (course: SubmissionItem, workingSet: WorkingSet): ItemOutcome => {
  const { queued, stream, mark, practiceId, source, keyKind, receivedAt } = course;
  const before = workingSet.record(stream) ?? NEW_RECORD;
  const { reference, isChartNumber } = queued;
  const toRejected = (...rejections: readonly Rejection[]): ItemOutcome => ({
    ...buildEmptyOutcome(before),
    rejected: { reference, ...(isChartNumber && { isChartNumber }), rejections },
  });
  if (queued.kind === 'rejected') return toRejected(...queued.rejections);
  if (source === 'csv' && isUnconfirmedReplacement(queued, before.state))
    return toRejected(CHART_NUMBER_CONFLICT);

  const { stamp } = queued;
  const recordUuid = before.state.status === 'none' ? null : before.state.submissionUuid;
  const decision =
    queued.kind === 'retraction'
      ? retractBirth({ practiceId, source, stamp, receivedAt, mark }, before.state)
      : recordCourse(
          {
            submissionUuid: course.submissionUuid,
            practiceId,
            source,
            keyKind,
            stamp,
            receivedAt,
            mark,
            course: queued.course,
            providers: queued.providers,
            ...listKnownFingerprints(queued, workingSet),
            matches: workingSet.matches(listComparedFingerprints(queued, before.state), recordUuid),
          },
          before.state,
        );
  if (decision.kind === 'rejected') return toRejected(decision.rejection);

  const decided = decision.events.reduce(evolve, before.state);
  // A course that names an absorbed provider is stored as sent, then repointed to the survivor.
  const repointed =
    queued.kind === 'course'
      ? repointAttribution({ resolveSurvivor: workingSet.resolveSurvivor, mark }, decided)
      : [];
  const events = [...decision.events, ...repointed];
  const state = repointed.reduce<BirthRecord>(evolve, decided);
  if (state.status === 'none') return buildEmptyOutcome(before);
  if (events.length > 0)
    workingSet.put(stream, {
      state,
      expectedRevision: getNextRevision(before, events.length),
      firstPosition: before.firstPosition,
    });
  return {
    accepted: toAcceptedEntry(queued, events, state),
    rejected: null,
    events,
    before,
  };
};

/** Only checked for imports: senders of pushed Bundles are responsible for their chart numbers. */
const isUnconfirmedReplacement = (queued: QueuedItem, state: BirthRecord): boolean => {
  if (queued.kind !== 'course' || state.status === 'none') return false;
  const identity = toBirthIdentity(state.course);
  if (!isDifferentMother(identity, toBirthIdentity(queued.course))) return false;
  const { replaces } = queued;
  return replaces?.version !== state.version || !isSameIdentity(replaces.whose, identity);
};

/** Fingerprints of a voided record still count, because a revival need not repeat its values. */
export const listComparedFingerprints = (
  course: CourseFingerprints,
  state: BirthRecord,
): readonly string[] => {
  const sent = listFingerprints(course);
  return state.status === 'voided' ? [...new Set([...sent, ...state.fingerprints])] : sent;
};

export const listKnownFingerprints = (
  { fingerprints, olderFingerprints }: CourseFingerprints,
  workingSet: Pick<WorkingSet, 'hasHolder'>,
): Pick<RecordCourse, 'fingerprints' | 'olderFingerprints' | 'existingFingerprints'> =>
  olderFingerprints === undefined
    ? { fingerprints }
    : {
        fingerprints,
        olderFingerprints,
        existingFingerprints: olderFingerprints.filter(workingSet.hasHolder),
      };

const buildEmptyOutcome = (before: LoadedRecord): ItemOutcome => ({
  accepted: null,
  rejected: null,
  events: [],
  before,
});

const getNextRevision = (before: LoadedRecord, events: number): bigint =>
  (before.expectedRevision === 'no-stream' ? -1n : before.expectedRevision) + BigInt(events);
