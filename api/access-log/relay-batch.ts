import pLimit from 'p-limit';
import { getAccessStream, selectUnrecorded } from '../../domain/access-log/decide.ts';
import type {
  DeadLetter,
  DeleteFromOutbox,
  OutboxEntry,
  PeekOutbox,
  PendingEntry,
} from '../../domain/access-log/ports.ts';
import {
  type AppendContext,
  type ExpectedRevision,
  isKnown,
  type NewEvent,
} from '../../domain/event-log.ts';
import { type DecidedLog, decideAndAppend } from '../writes/decide-and-append.ts';

export interface RelayDeps extends DecidedLog {
  readonly peek: PeekOutbox;
  readonly delete: DeleteFromOutbox;
  readonly deadLetter: DeadLetter;
  /** False for an entry of a newer build, for example. */
  readonly fits: (note: OutboxEntry) => boolean;
  /** Other entries wait during an outage, too. */
  readonly isOutage: (error: unknown) => boolean;
  readonly onSetAside: (notes: number) => void;
}

const MAX_BATCH_SIZE = 256;
/** Even with the most record ids per entry, below the log's limit of 1 MiB per append. */
const MAX_PER_APPEND = 64;
const STREAMS_AT_ONCE = 16;
/** Each stream is an hour of a practice. */
const MAX_REMEMBERED = 1_000;

const BY_THE_SERVICE: AppendContext = {
  correlationId: 'access-log',
  causationId: null,
  actor: { kind: 'service', id: 'access-log' },
};

/** @throws the fault that prevented some entries, after relaying the others */
export type RelayBatch = (signal?: AbortSignal) => Promise<void>;

/**
 * Relays entries exactly once, even from two processes: an event has its entry's id and is appended
 * at the exact revision. Entries that the log would reject become dead letters. A stream that fails
 * delays only its own entries.
 */
export const createRelayBatch = (carried: RelayDeps): RelayBatch => {
  const { append, readStream } = carried;
  const ends = new Map<string, ExpectedRevision>();

  const remember = (stream: string, end: ExpectedRevision): void => {
    if (ends.size >= MAX_REMEMBERED) ends.clear();
    ends.set(stream, end);
  };

  const appendTo = async (stream: string, notes: readonly OutboxEntry[]): Promise<void> => {
    const known = ends.get(stream);
    ends.delete(stream);
    const { end } = await decideAndAppend(
      { append, readStream },
      stream,
      BY_THE_SERVICE,
      (stored) => ({
        events: toEvents(
          selectUnrecorded(new Set(stored.filter(isKnown).map(({ id }) => id)), notes),
        ),
      }),
      known === undefined ? null : { decided: { events: toEvents(notes) }, end: known },
    );
    remember(stream, end);
  };

  const carry = async (stream: string, notes: readonly OutboxEntry[]): Promise<void> => {
    for (let from = 0; from < notes.length; from += MAX_PER_APPEND) {
      const some = notes.slice(from, from + MAX_PER_APPEND);
      await appendTo(stream, some);
      try {
        await carried.delete(some.map(({ noteId }) => noteId));
      } catch (error) {
        // Only the stream shows if it contains these entries, which are relayed again.
        ends.delete(stream);
        throw error;
      }
    }
  };

  const setMisfitsAside = async (notes: readonly OutboxEntry[]): Promise<void> => {
    if (notes.length === 0) return;
    await carried.deadLetter(notes.map(({ noteId }) => noteId));
    carried.onSetAside(notes.length);
  };

  /** @returns the faults of streams that could not be appended */
  const relayTo = async (
    byStream: ReadonlyMap<string, readonly OutboxEntry[]>,
  ): Promise<readonly unknown[]> => {
    const limit = pLimit(STREAMS_AT_ONCE);
    const carried = await Promise.allSettled(
      [...byStream].map(([stream, notes]) => limit(() => carry(stream, notes))),
    );
    return carried.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  };

  return async (signal) => {
    const faults: unknown[] = [];
    let after: bigint | null = null;
    while (signal?.aborted !== true) {
      const notes: readonly PendingEntry[] = await carried.peek(MAX_BATCH_SIZE, after);
      const last = notes.at(-1);
      if (last === undefined) break;
      after = last.seq;
      const fitting = new Set(notes.filter(carried.fits));
      await setMisfitsAside(notes.filter((note) => !fitting.has(note)));
      const met = await relayTo(groupedByStream([...fitting]));
      faults.push(...met);
      if (met.some(carried.isOutage)) break;
    }
    if (faults.length > 0) throw faults.find(carried.isOutage) ?? faults[0];
  };
};

const toEvents = (notes: readonly OutboxEntry[]): readonly NewEvent[] =>
  notes.map(({ noteId, event, actor, correlationId }) => ({
    id: noteId,
    event,
    context: { correlationId, causationId: null, actor },
  }));

const groupedByStream = (
  notes: readonly OutboxEntry[],
): ReadonlyMap<string, readonly OutboxEntry[]> => {
  const groups = new Map<string, OutboxEntry[]>();
  for (const note of notes) {
    const stream = getAccessStream(note.event);
    const group = groups.get(stream);
    if (group === undefined) groups.set(stream, [note]);
    else group.push(note);
  }
  return groups;
};
