import { voidRecord } from '../../domain/birth-record/decide.ts';
import { decideMerge, mergeCourses } from '../../domain/birth-record/merge-records.ts';
import { type KnownBirthRecord, recordFold } from '../../domain/birth-record/state.ts';
import { type Refusal, refuse } from '../../domain/decision.ts';
import type { Actor } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import { isTooLongToStore } from '../intake/course-content.ts';
import type { App } from '../ports/app-ports.ts';
import { type PracticeLeaseScope, withPracticeLease } from '../writes/with-practice-lease.ts';
import { findMatches } from './find-matches.ts';
import { decideUnderLease, knownRecord } from './record-under-lease.ts';
import { stampAfter } from './save-course.ts';

/** A record of a pair, at the version the person saw. */
export interface SeenRecord {
  readonly submissionUuid: string;
  readonly version: number;
}

/** Command to merge two records of the same birth. */
export interface RecordsToMerge {
  readonly practiceId: string;
  readonly actor: Actor;
  readonly correlationId: string;
  /** Id of the form: sending it again resumes the merge. */
  readonly submissionId: string;
  readonly kept: SeenRecord;
  readonly other: SeenRecord;
  /** Paths of `listMergeChoices` whose values come from the other record. */
  readonly taken: readonly string[];
  /** Reason for voiding the other record, for readers of its history. */
  readonly reason: string;
}

export type MergedRecords =
  | { readonly kind: 'done'; readonly kept: KnownBirthRecord }
  | Refusal
  /** One of the two was changed since the person saw it. */
  | { readonly kind: 'changed-meanwhile' }
  | { readonly kind: 'no-such-record' };

/**
 * Copies values into the kept record, then voids the other, under one practice lease. If the
 * process dies between the two, both are live and still match. Sending the form again then voids
 * the other, unless either was changed since. When it returns, the read tables show both.
 * @throws PracticeLeaseTimeout, PracticeLeaseLost, ProjectionBehind, EventLogUnavailable: the same
 * command may be retried
 */
export const mergeRecords = (registry: App, command: RecordsToMerge): Promise<MergedRecords> =>
  withPracticeLease(registry, command.practiceId, async (leaseScope): Promise<MergedRecords> => {
    const { reads } = registry;
    const { practiceId, kept, other } = command;
    const [keptStream, otherStream] = await Promise.all([
      reads.findRecordStream(practiceId, kept.submissionUuid),
      reads.findRecordStream(practiceId, other.submissionUuid),
    ]);
    if (keptStream === null || otherStream === null) return { kind: 'no-such-record' };
    const taken = await takeOver(registry, leaseScope, { ...command, keptStream, otherStream });
    if (taken.kind !== 'done') return taken;
    const voided = await voidOther(registry, leaseScope, otherStream, command);
    if (voided !== null) return voided;
    await leaseScope.settle();
    return taken;
  });

const TOO_LONG = refuse({ code: 'merged-too-long' });

const contextOf = ({ correlationId, actor }: RecordsToMerge) => ({
  correlationId,
  causationId: null,
  actor,
});

const voidingId = ({ idOf }: App, { practiceId, submissionId }: RecordsToMerge): string =>
  idOf('merge', practiceId, submissionId, 1);

const takeOver = async (
  registry: App,
  leaseScope: PracticeLeaseScope,
  command: RecordsToMerge & { readonly keptStream: string; readonly otherStream: string },
): Promise<MergedRecords> => {
  const { log, idOf } = registry;
  const { practiceId, submissionId, kept, taken, reason, keptStream, otherStream } = command;
  const id = idOf('merge', practiceId, submissionId, 0);
  const ofOther = await log.readStream(otherStream);
  const other = stateAfter(ofOther, recordFold);
  const isDone = ofOther.some((one) => one.id === voidingId(registry, command));
  const written = await decideUnderLease<Exclude<MergedRecords, { readonly kind: 'done' }>>(
    log.readStream,
    leaseScope,
    keptStream,
    contextOf(command),
    async (record) => {
      const { state, stored } = record;
      const isTaken = stored.some((one) => one.id === id);
      // After an interrupted attempt, the merge resumes only if the record is unchanged since.
      const seen = isTaken ? kept.version + 1 : kept.version;
      if (isDone) return { kind: 'append', events: [] };
      if (state.status === 'none') return { kind: 'answer', answer: { kind: 'no-such-record' } };
      const isOutdated =
        state.version !== seen ||
        (other.status === 'live' && other.version !== command.other.version);
      if (isOutdated) return { kind: 'answer', answer: { kind: 'changed-meanwhile' } };
      if (isTaken) return { kind: 'append', events: [] };
      if (other.status === 'none') return { kind: 'answer', answer: { kind: 'no-such-record' } };
      // Checked first: once the values are copied, the void must not be refused.
      const voiding = voidRecord({ reason }, other);
      if (voiding.kind === 'refused') return { kind: 'answer', answer: voiding };
      const { course } = mergeCourses(state, other, taken);
      if (isTooLongToStore(course)) return { kind: 'answer', answer: TOO_LONG };
      const alike = await findMatches(registry, { practiceId, stream: keptStream, record, course });
      const stamp = stampAfter(registry.now(), state);
      const decision = decideMerge({ ...alike, other, taken, stamp }, state);
      return decision.kind === 'refused'
        ? { kind: 'answer', answer: decision }
        : { kind: 'append', events: decision.events.map((event) => ({ id, event })) };
    },
  );
  return written.kind === 'answer'
    ? written.answer
    : { kind: 'done', kept: knownRecord(written.state) };
};

/** Voids the duplicate. @returns `null` if it is voided, now or by an earlier attempt */
const voidOther = async (
  registry: App,
  leaseScope: PracticeLeaseScope,
  stream: string,
  command: RecordsToMerge,
): Promise<Exclude<MergedRecords, { readonly kind: 'done' }> | null> => {
  const { reason, kept } = command;
  const written = await decideUnderLease<Refusal>(
    registry.log.readStream,
    leaseScope,
    stream,
    contextOf(command),
    async ({ state }) => {
      const decision = voidRecord({ reason, mergedInto: kept.submissionUuid }, state);
      if (decision.kind === 'refused') return { kind: 'answer', answer: decision };
      const id = voidingId(registry, command);
      return { kind: 'append', events: decision.events.map((event) => ({ id, event })) };
    },
  );
  return written.kind === 'answer' ? written.answer : null;
};
