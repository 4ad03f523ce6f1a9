import type { BirthRecordEvent } from '../../domain/course-of-care/events.ts';
import type { HeldRecord } from '../../domain/course-of-care/ledger.ts';
import { heldRecordOf, type StoredRecordEvent } from '../../domain/course-of-care/resume.ts';
import {
  type BirthRecord,
  evolve,
  type KnownBirthRecord,
} from '../../domain/course-of-care/state.ts';
import type { AppendContext, NewEvent, ReadStream } from '../../domain/event-log.ts';
import type { HeldTurn } from './hold-turn.ts';
import { RecordMoved } from './turn-lease.ts';

/** A record as the log holds it, for a decision in the practice's turn. */
export interface RecordInTurn extends HeldRecord {
  readonly stored: readonly StoredRecordEvent[];
}

/** What was decided: events to append (none: nothing changes), or an answer without any. */
export type DecidedInTurn<Answer> =
  | { readonly kind: 'append'; readonly events: readonly NewEvent<BirthRecordEvent>[] }
  | { readonly kind: 'answer'; readonly answer: Answer };

/** The record before and after the events, and which events those were; or the answer. */
export type WrittenInTurn<Answer> =
  | {
      readonly kind: 'written';
      readonly before: BirthRecord;
      readonly state: BirthRecord;
      readonly events: readonly BirthRecordEvent[];
    }
  | { readonly kind: 'answer'; readonly answer: Answer };

// Every writer holds the turn: more than one other write is a turn that was lost.
const MOST_TRIES = 5;

/**
 * Decides on a record by what the log holds, not the read tables, and appends at its exact
 * revision; decides again if the record has moved on.
 * @throws RecordMoved when it moves on again and again, TurnLost
 */
export const decideInTurn = async <Answer>(
  readStream: ReadStream,
  turn: HeldTurn,
  stream: string,
  context: AppendContext,
  decide: (record: RecordInTurn) => Promise<DecidedInTurn<Answer>>,
): Promise<WrittenInTurn<Answer>> => {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    await turn.renew();
    const stored = (await readStream(stream)) as readonly StoredRecordEvent[];
    const held = heldRecordOf(stored);
    const decided = await decide({ ...held, stored });
    if (decided.kind === 'answer') return decided;
    const events = decided.events.map(({ event }) => event);
    const state = events.reduce<BirthRecord>(evolve, held.state);
    const written = { kind: 'written', before: held.state, state, events } as const;
    if (events.length === 0) return written;
    const appended = await turn.append(stream, held.expected, decided.events, context);
    if (appended.kind === 'appended') return written;
  }
  throw new RecordMoved('A record has moved on again and again while it was decided on.');
};

/** The record of a stream that must have one. */
export const knownRecord = (state: BirthRecord): KnownBirthRecord => {
  if (state.status === 'none') throw new Error('A record was decided on that has no event.');
  return state;
};
