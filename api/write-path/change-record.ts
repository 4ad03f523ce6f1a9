import type { CommandDecision } from '../../domain/command-decision.ts';
import {
  dismissDuplicate,
  restoreDuplicateFlag,
} from '../../domain/course-of-care/duplicates/duplicate-decisions.ts';
import type { BirthRecordEvent } from '../../domain/course-of-care/events.ts';
import { keepRevival } from '../../domain/course-of-care/overruled-void.ts';
import type { FindRecordStream } from '../../domain/course-of-care/ports.ts';
import {
  type BirthRecord,
  type KnownBirthRecord,
  noRecord,
  recordFold,
} from '../../domain/course-of-care/state.ts';
import { voidRecord } from '../../domain/course-of-care/void-record.ts';
import type { Actor, ReadStream } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';
import type { HoldTurn } from './hold-turn.ts';
import { decideInTurn, knownRecord } from './record-in-turn.ts';

/** The record that a person wants to change, and who that is. */
export interface RecordToChange {
  readonly practiceId: string;
  readonly submissionUuid: string;
  readonly actor: Actor;
  readonly correlationId: string;
}

/** What became of it. `done`: the record is as was asked, by this or by an earlier command. */
export type ChangedRecord =
  | { readonly kind: 'done'; readonly state: KnownBirthRecord }
  /** For the person who asked: what is wrong, and what to do. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Somebody else has changed the record since the person saw it. */
  | { readonly kind: 'changed-meanwhile'; readonly held: KnownBirthRecord }
  | { readonly kind: 'no-such-record' };

/**
 * What people do to a record beside correcting it, each in the practice's turn. When one returns,
 * the read tables hold it.
 * @throws TurnBusy, TurnLost, ProjectionBehind, EventLogUnavailable: ask the same again
 */
export interface RecordChanges {
  /** Voids the record at the version that the person saw. @param reason 3 to 500 characters */
  voidRecord(
    record: RecordToChange,
    command: { readonly version: number; readonly reason: string },
  ): Promise<ChangedRecord>;
  /** Keeps the record live that was sent again after a void. @param version that made it live again */
  keepRevival(record: RecordToChange, version: number): Promise<ChangedRecord>;
  /** Says that the record and another one that looks like it are different births. */
  dismissDuplicate(record: RecordToChange, duplicateOf: string): Promise<ChangedRecord>;
  /** Undoes the dismissal. */
  restoreDuplicateFlag(record: RecordToChange, duplicateOf: string): Promise<ChangedRecord>;
}

/** What changing a record works with. */
export interface RecordChangesParts {
  readonly holdTurn: HoldTurn;
  readonly readStream: ReadStream;
  readonly findRecordStream: FindRecordStream;
  readonly newEventId: () => string;
}

/** @see RecordChanges */
export const recordChangesWith = (parts: RecordChangesParts): RecordChanges => {
  const change = (
    { practiceId, submissionUuid, actor, correlationId }: RecordToChange,
    decide: (
      state: BirthRecord,
      events: readonly BirthRecordEvent[],
    ) =>
      | CommandDecision<BirthRecordEvent>
      | ChangedRecord
      | Promise<CommandDecision<BirthRecordEvent>>,
  ): Promise<ChangedRecord> =>
    parts.holdTurn(practiceId, async (turn) => {
      const stream = await parts.findRecordStream(practiceId, submissionUuid);
      if (stream === null) return { kind: 'no-such-record' };
      const context = { correlationId, causationId: null, actor };
      const written = await decideInTurn<ChangedRecord>(
        parts.readStream,
        turn,
        stream,
        context,
        async ({ state, stored }) => {
          const decision = await decide(
            state,
            stored.map(({ event }) => event),
          );
          if (decision.kind !== 'accepted') return { kind: 'answer', answer: decision };
          return {
            kind: 'append',
            events: decision.events.map((event) => ({ id: parts.newEventId(), event })),
          };
        },
      );
      if (written.kind === 'answer') return written.answer;
      await turn.settle();
      return { kind: 'done', state: knownRecord(written.state) };
    });

  /** The other record of a pair, by what the log holds: no record if the practice has none. */
  const stateOf = async (practiceId: string, submissionUuid: string): Promise<BirthRecord> => {
    const stream = await parts.findRecordStream(practiceId, submissionUuid);
    if (stream === null) return noRecord;
    return stateAfter(await parts.readStream(stream), recordFold);
  };

  return {
    voidRecord: (record, { version, reason }) =>
      change(record, (state) =>
        state.status === 'live' && state.version !== version
          ? { kind: 'changed-meanwhile', held: state }
          : voidRecord({ reason }, state),
      ),
    keepRevival: (record, version) =>
      change(record, (_state, events) => keepRevival({ version }, events)),
    dismissDuplicate: (record, duplicateOf) =>
      change(record, async (state) => {
        const other = await stateOf(record.practiceId, duplicateOf);
        return dismissDuplicate({ duplicateOf, other, mark: null }, state);
      }),
    restoreDuplicateFlag: (record, duplicateOf) =>
      change(record, async (state) => {
        const other = await stateOf(record.practiceId, duplicateOf);
        return restoreDuplicateFlag({ duplicateOf, other, mark: null }, state);
      }),
  };
};
