import { randomUUID } from 'node:crypto';
import { voidRecord as decideVoid } from '../../domain/birth-record/decide.ts';
import {
  dismissDuplicate as decideDismissal,
  restoreDuplicateFlag as decideRestoredFlag,
} from '../../domain/birth-record/duplicate-decisions.ts';
import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import type { StoredRecordEvent } from '../../domain/birth-record/replay.ts';
import { keepRevival as decideToKeep } from '../../domain/birth-record/revival-review.ts';
import {
  type BirthRecord,
  type KnownBirthRecord,
  noRecord,
  recordFold,
} from '../../domain/birth-record/state.ts';
import {
  type ConfirmQuestions,
  confirmQuestions as decideToConfirm,
} from '../../domain/birth-record/unusual-values.ts';
import type { Decision, Refusal } from '../../domain/decision.ts';
import type { Actor } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { withPracticeLease } from '../writes/with-practice-lease.ts';
import { decideUnderLease, knownRecord } from './record-under-lease.ts';

/** The record to change, and the person who changes it. */
export interface RecordToChange {
  readonly practiceId: string;
  readonly submissionUuid: string;
  readonly actor: Actor;
  readonly correlationId: string;
}

/** Result of a change. `done`: the record is as requested, by this or an earlier command. */
export type ChangedRecord =
  | { readonly kind: 'done'; readonly state: KnownBirthRecord }
  | Refusal
  /** The record was changed since the person loaded it. */
  | { readonly kind: 'changed-meanwhile'; readonly held: KnownBirthRecord }
  | { readonly kind: 'no-such-record' };

/**
 * Changes a record under the practice lease. When it returns, the read tables show the change.
 * @throws PracticeLeaseTimeout, PracticeLeaseLost, ProjectionBehind, EventLogUnavailable: the same
 * command may be retried
 */
const change = (
  registry: AppPorts,
  { practiceId, submissionUuid, actor, correlationId }: RecordToChange,
  decide: (
    state: BirthRecord,
    events: readonly BirthRecordEvent[],
    stored: readonly StoredRecordEvent[],
  ) => Decision<BirthRecordEvent> | ChangedRecord | Promise<Decision<BirthRecordEvent>>,
): Promise<ChangedRecord> =>
  withPracticeLease(registry, practiceId, async (leaseScope) => {
    const stream = await registry.reads.findRecordStream(practiceId, submissionUuid);
    if (stream === null) return { kind: 'no-such-record' };
    const context = { correlationId, causationId: null, actor };
    const written = await decideUnderLease<ChangedRecord>(
      registry.log.readStream,
      leaseScope,
      stream,
      context,
      async ({ state, stored }) => {
        const decision = await decide(
          state,
          stored.map(({ event }) => event),
          stored,
        );
        if (decision.kind !== 'accepted') return { kind: 'answer', answer: decision };
        return {
          kind: 'append',
          events: decision.events.map((event) => ({ id: randomUUID(), event })),
        };
      },
    );
    if (written.kind === 'answer') return written.answer;
    await leaseScope.settle();
    return { kind: 'done', state: knownRecord(written.state) };
  });

/** Voids the record at the version the person saw. @param reason 3 to 500 characters */
export const voidRecord = (
  registry: AppPorts,
  record: RecordToChange,
  { version, reason }: { readonly version: number; readonly reason: string },
): Promise<ChangedRecord> =>
  change(registry, record, (state) =>
    state.status === 'live' && state.version !== version
      ? { kind: 'changed-meanwhile', held: state }
      : decideVoid({ reason }, state),
  );

/** Keeps a record live that a Bundle revived. @param version that revived it */
export const keepRevival = (
  registry: AppPorts,
  record: RecordToChange,
  version: number,
): Promise<ChangedRecord> =>
  change(registry, record, (_state, events) => decideToKeep({ version }, events));

/** Confirms unusual values, at the version the person saw. */
export const confirmQuestions = (
  registry: AppPorts,
  record: RecordToChange,
  { version, questions }: ConfirmQuestions & { readonly version: number },
): Promise<ChangedRecord> =>
  change(registry, record, (state, _events, stored) =>
    state.status === 'live' && state.version !== version
      ? { kind: 'changed-meanwhile', held: state }
      : decideToConfirm({ questions }, stored),
  );

/** Dismisses a match: the two records are different births. */
export const dismissDuplicate = (
  registry: AppPorts,
  record: RecordToChange,
  duplicateOf: string,
): Promise<ChangedRecord> =>
  change(registry, record, async (state) => {
    const other = await stateOf(registry, record.practiceId, duplicateOf);
    return decideDismissal({ duplicateOf, other, mark: null }, state);
  });

/** Undoes the dismissal. */
export const restoreDuplicateFlag = (
  registry: AppPorts,
  record: RecordToChange,
  duplicateOf: string,
): Promise<ChangedRecord> =>
  change(registry, record, async (state) => {
    const other = await stateOf(registry, record.practiceId, duplicateOf);
    return decideRestoredFlag({ duplicateOf, other, mark: null }, state);
  });

/** Reads the other record of a pair from the log; `noRecord` if the practice has none. */
const stateOf = async (
  { log, reads }: AppPorts,
  practiceId: string,
  submissionUuid: string,
): Promise<BirthRecord> => {
  const stream = await reads.findRecordStream(practiceId, submissionUuid);
  if (stream === null) return noRecord;
  return stateAfter(await log.readStream(stream), recordFold);
};
