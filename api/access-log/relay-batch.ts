import pLimit from 'p-limit';
import { getAccessStream, selectUnrecorded } from '../../domain/access-log/decide.ts';
import type {
  DeadLetter,
  DeleteFromOutbox,
  OutboxEntry,
  PeekOutbox,
  PendingEntry,
} from '../../domain/access-log/ports.ts';
import type { AppendContext, ExpectedRevision, NewEvent } from '../../domain/event-log.ts';
import { type DecidedLog, decideAndAppend } from '../writes/decide-and-append.ts';

/** What carries notes to the log. */
export interface RelayDeps extends DecidedLog {
  readonly oldest: PeekOutbox;
  readonly forget: DeleteFromOutbox;
  readonly setAside: DeadLetter;
  /** Whether the log would take the event of a note: one that a newer build has made it may not. */
  readonly fits: (note: OutboxEntry) => boolean;
  /** Whether a fault is one of a store that is away: then the other notes have to wait, too. */
  readonly isOutage: (error: unknown) => boolean;
  /** Called with how many notes were set aside. */
  readonly onSetAside: (notes: number) => void;
}

/** Notes that are looked at together. */
const MAX_BATCH_SIZE = 256;
/** With the most records that a note names these are half a MiB: an append of 1 MiB is refused. */
const MAX_PER_APPEND = 64;
const STREAMS_AT_ONCE = 16;
/** Ends of streams that are remembered; each is of a practice's hour. */
const MAX_REMEMBERED = 1_000;

const BY_THE_SERVICE: AppendContext = {
  correlationId: 'access-log',
  causationId: null,
  actor: { kind: 'service', id: 'access-log' },
};

/**
 * Carries all notes that wait to the log.
 * @param signal ends it between two groups of notes
 * @throws the fault that kept notes from it, after all that could be carried were
 */
export type RelayBatch = (signal?: AbortSignal) => Promise<void>;

/**
 * Carries notes to the log, each once: an event has its note's id and is appended at the exact
 * revision, and where that is not the stream's end, or not known, the stream is read and what it
 * holds already is left out. So it does no harm if two processes carry the same notes, or one ends
 * between appending and forgetting. One that the log would refuse is set aside, and a stream that
 * takes none holds up its own: the others go on.
 */
export const createRelayBatch = (carried: RelayDeps): RelayBatch => {
  const { oldest, forget, append, readStream } = carried;
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
        events: toEvents(selectUnrecorded(new Set(stored.map(({ id }) => id)), notes)),
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
        await forget(some.map(({ noteId }) => noteId));
      } catch (error) {
        // They will be carried again: only the stream itself tells that they are there.
        ends.delete(stream);
        throw error;
      }
    }
  };

  const setMisfitsAside = async (notes: readonly OutboxEntry[]): Promise<void> => {
    if (notes.length === 0) return;
    await carried.setAside(notes.map(({ noteId }) => noteId));
    carried.onSetAside(notes.length);
  };

  /** @returns the faults that kept notes from their streams */
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
      const notes: readonly PendingEntry[] = await oldest(MAX_BATCH_SIZE, after);
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
