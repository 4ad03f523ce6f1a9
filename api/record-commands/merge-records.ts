import { voidRecord } from '../../domain/birth-record/decide.ts';
import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import { decideMerge, mergeCourses } from '../../domain/birth-record/merge-records.ts';
import type { BirthRecord, KnownBirthRecord } from '../../domain/birth-record/state.ts';
import type { OffsetAt } from '../../domain/course/local-times.ts';
import { accept, type Decision, type Refusal, refuse } from '../../domain/decision.ts';
import { isTooLongToStore } from '../admission/course-content.ts';
import type { App } from '../ports/app-ports.ts';
import { findPracticeOffsets } from '../practice-time/practice-offsets.ts';
import { withPracticeLease } from '../writes/with-practice-lease.ts';
import { decideByMatches } from './find-matches.ts';
import {
  type DecideOnRecord,
  decideUnderLease,
  knownRecord,
  loadRecent,
  type RecordChanger,
  type RecordUnderLease,
  readRecentHistory,
  requirePermissionToAppend,
} from './record-under-lease.ts';
import { chooseStamp } from './save-course.ts';

/** Version that the person saw. */
export interface SeenRecord {
  readonly submissionUuid: string;
  readonly version: number;
}

export interface RecordsToMerge extends RecordChanger {
  /** Id of the form: sending it again resumes the merge. */
  readonly submissionId: string;
  readonly survivor: SeenRecord;
  readonly other: SeenRecord;
  /** Paths of `listMergeChoices` with values from the other record. */
  readonly taken: readonly string[];
  /** Shown in the history of the other record, which is voided. */
  readonly reason: string;
}

export type MergedRecords =
  | { readonly kind: 'done'; readonly survivor: KnownBirthRecord }
  | Refusal
  | { readonly kind: 'changed-concurrently' }
  | { readonly kind: 'no-such-record' };

/**
 * Copies the values, then voids the other record, under one practice lease. Sending the form again
 * after a crash between the two voids the other, unless either was changed since. The read tables
 * show both.
 * @throws PracticeLeaseTimeout, PracticeLeaseLost, ProjectionBehind, EventLogUnavailable: may be
 * retried
 */
export const mergeRecords = async (app: App, command: RecordsToMerge): Promise<MergedRecords> => {
  const offsetAt = await findPracticeOffsets(app, command.practiceId);
  return withPracticeLease(app, command.practiceId, async (lease): Promise<MergedRecords> => {
    const leaseScope = requirePermissionToAppend(lease, command);
    const { reads, deriveId } = app;
    const { practiceId, submissionId, actor, correlationId, survivor, other, reason } = command;
    const [survivorStream, otherStream] = await Promise.all([
      reads.findRecordStream(practiceId, survivor.submissionUuid),
      reads.findRecordStream(practiceId, other.submissionUuid),
    ]);
    if (survivorStream === null || otherStream === null) return { kind: 'no-such-record' };
    const context = { correlationId, causationId: null, actor };
    const decideOn = <Answer extends NotMerged>(
      stream: string,
      eventId: string,
      decide: DecideOnRecord<Answer>,
    ) =>
      decideUnderLease(readRecentHistory(app), leaseScope, stream, context, decide, () => eventId);
    const mergeId = deriveId('merge', practiceId, submissionId, 0);
    const voidId = deriveId('merge', practiceId, submissionId, 1);

    const { state: otherState, stored } = await loadRecent(app, otherStream);
    const pair = {
      mergeId,
      other: otherState,
      isDone: stored.some(({ id }) => id === voidId),
    };
    const merged = await decideOn(survivorStream, mergeId, (record) =>
      decideTakeOver(app, command, pair, offsetAt, record),
    );
    if (merged.kind !== 'written') return merged;
    const state = knownRecord(merged.state);
    const voided = await decideOn(otherStream, voidId, (record) =>
      voidRecord({ reason, mergedInto: survivor.submissionUuid }, record.state),
    );
    if (voided.kind !== 'written') return voided;
    await leaseScope.settle();
    return { kind: 'done', survivor: state };
  });
};

type NotMerged = Exclude<MergedRecords, { readonly kind: 'done' }>;

const decideTakeOver = async (
  app: App,
  { practiceId, survivor, other: { version }, taken, reason }: RecordsToMerge,
  pair: { readonly mergeId: string; readonly other: BirthRecord; readonly isDone: boolean },
  offsetAt: OffsetAt | null,
  record: RecordUnderLease,
): Promise<Decision<BirthRecordEvent, NotMerged>> => {
  const { state, stored } = record;
  const { mergeId, other, isDone } = pair;
  const isTaken = stored.some(({ id }) => id === mergeId);
  // After an interrupted attempt, the merge resumes only if the record is unchanged since.
  const seen = isTaken ? survivor.version + 1 : survivor.version;
  if (isDone) return accept();
  if (state.status === 'none') return { kind: 'no-such-record' };
  const isOutdated =
    state.version !== seen || (other.status === 'live' && other.version !== version);
  if (isOutdated) return { kind: 'changed-concurrently' };
  if (isTaken) return accept();
  if (other.status === 'none') return { kind: 'no-such-record' };
  // Checked first: once the values are copied, the void must not be refused.
  const voiding = voidRecord({ reason }, other);
  if (voiding.kind === 'refused') return voiding;
  const { course } = mergeCourses(state, other, taken);
  if (isTooLongToStore(course)) return refuse({ code: 'merged-too-long' });
  const stamp = chooseStamp(app.now(), state);
  return decideByMatches(app, { practiceId, record, course, offsetAt }, (known) =>
    decideMerge({ ...known, other, taken, stamp }, state),
  );
};
