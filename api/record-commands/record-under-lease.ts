import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import { type StoredRecordEvent, toLoadedRecord } from '../../domain/birth-record/replay.ts';
import {
  type BirthRecord,
  evolve,
  type KnownBirthRecord,
} from '../../domain/birth-record/state.ts';
import type { LoadedRecord } from '../../domain/birth-record/working-set.ts';
import type { AppendContext, NewEvent, ReadStream } from '../../domain/event-log.ts';
import { decideAndAppend } from '../writes/decide-and-append.ts';
import { ConcurrentModification } from '../writes/practice-lease.ts';
import type { PracticeLeaseScope } from '../writes/with-practice-lease.ts';

/** A record as stored in the log, for a decision under the practice lease. */
export interface RecordUnderLease extends LoadedRecord {
  readonly stored: readonly StoredRecordEvent[];
}

/** Decision: events to append, none if nothing changes, or an answer without events. */
export type DecidedUnderLease<Answer> =
  | { readonly kind: 'append'; readonly events: readonly NewEvent<BirthRecordEvent>[] }
  | { readonly kind: 'answer'; readonly answer: Answer };

/** The record before and after the events, with the events; or the answer. */
export type WrittenUnderLease<Answer> =
  | {
      readonly kind: 'written';
      readonly before: BirthRecord;
      readonly state: BirthRecord;
      readonly events: readonly BirthRecordEvent[];
    }
  | { readonly kind: 'answer'; readonly answer: Answer };

// Every writer has the practice lease, so more than one concurrent write means that it was lost.
const MAX_TRIES = 5;

/**
 * Decides on a record from the log, not the read tables, and appends at its exact revision. Decides
 * again after a concurrent append.
 * @throws ConcurrentModification after too many of them, PracticeLeaseLost
 */
export const decideUnderLease = async <Answer>(
  readStream: ReadStream,
  leaseScope: PracticeLeaseScope,
  stream: string,
  context: AppendContext,
  decide: (record: RecordUnderLease) => Promise<DecidedUnderLease<Answer>>,
): Promise<WrittenUnderLease<Answer>> => {
  let tries = 0;
  const read: ReadStream = async (name) => {
    tries += 1;
    if (tries > MAX_TRIES)
      throw new ConcurrentModification(
        'A record has moved on again and again while it was decided on.',
      );
    await leaseScope.renew();
    return readStream(name);
  };
  const log = { append: leaseScope.append, readStream: read };
  const { decided } = await decideAndAppend(log, stream, context, async (all) => {
    const stored = all as readonly StoredRecordEvent[];
    const held = toLoadedRecord(stored);
    const outcome = await decide({ ...held, stored });
    const events = outcome.kind === 'answer' ? [] : outcome.events;
    return { held, outcome, events };
  });
  if (decided.outcome.kind === 'answer') return decided.outcome;
  const events = decided.events.map(({ event }) => event);
  const before = decided.held.state;
  return { kind: 'written', before, state: events.reduce<BirthRecord>(evolve, before), events };
};

/** State of a stream that must have a record. */
export const knownRecord = (state: BirthRecord): KnownBirthRecord => {
  if (state.status === 'none') throw new Error('A record was decided on that has no event.');
  return state;
};
