import pLimit from 'p-limit';
import { notYetIn, streamOf } from '../../domain/access-log/decide.ts';
import type { ForgetNotes, NotedAccess, OldestNotes } from '../../domain/access-log/ports.ts';
import type {
  AppendContext,
  AppendToStream,
  ExpectedRevision,
  ReadStream,
} from '../../domain/event-log.ts';

/** What carries notes to the log. */
export interface CarryParts {
  readonly oldest: OldestNotes;
  readonly forget: ForgetNotes;
  readonly append: AppendToStream;
  readonly readStream: ReadStream;
}

/** Notes that are looked at together. */
const MOST_AT_ONCE = 256;
/** With the most records that a note names these are half a MiB: an append of 1 MiB is refused. */
const MOST_IN_APPEND = 64;
const STREAMS_AT_ONCE = 16;
/** Ends of streams that are remembered; each is of a practice's hour. */
const MOST_REMEMBERED = 1_000;

const BY_THE_SERVICE: AppendContext = {
  correlationId: 'access-log',
  causationId: null,
  actor: { kind: 'service', id: 'access-log' },
};

/** Carries the notes that have waited longest to the log. @returns how many are there now */
export type CarryNotes = () => Promise<number>;

/**
 * Carries notes to the log, each once: an event has its note's id and is appended at the exact
 * revision, and where that is not the stream's end, or not known, the stream is read and what it
 * holds already is left out. So it does no harm if two processes carry the same notes, or one ends
 * between appending and forgetting.
 */
export const carryNotesWith = ({ oldest, forget, append, readStream }: CarryParts): CarryNotes => {
  const ends = new Map<string, ExpectedRevision>();

  const remember = (stream: string, end: ExpectedRevision): void => {
    if (ends.size >= MOST_REMEMBERED) ends.clear();
    ends.set(stream, end);
  };

  /** What of the notes is still to be appended, and where. */
  const lookInto = async (stream: string, notes: readonly NotedAccess[]) => {
    const stored = await readStream(stream);
    const expected: ExpectedRevision = stored.at(-1)?.revision ?? 'no-stream';
    return { expected, left: notYetIn(new Set(stored.map(({ id }) => id)), notes) };
  };

  const appendTo = async (stream: string, notes: readonly NotedAccess[]): Promise<void> => {
    const known = ends.get(stream);
    ends.delete(stream);
    let next = known === undefined ? null : { expected: known, left: notes };
    for (;;) {
      const { expected, left } = next ?? (await lookInto(stream, notes));
      if (left.length === 0) return remember(stream, expected);
      const appended = await append(
        stream,
        expected,
        left.map(({ noteId, event, actor, correlationId }) => ({
          ...{ id: noteId, event },
          context: { correlationId, causationId: null, actor },
        })),
        BY_THE_SERVICE,
      );
      if (appended.kind === 'appended') return remember(stream, appended.revision);
      next = null;
    }
  };

  const carry = async (stream: string, notes: readonly NotedAccess[]): Promise<number> => {
    for (let from = 0; from < notes.length; from += MOST_IN_APPEND) {
      const some = notes.slice(from, from + MOST_IN_APPEND);
      await appendTo(stream, some);
      try {
        await forget(some.map(({ noteId }) => noteId));
      } catch (error) {
        // They will be carried again: only the stream itself tells that they are there.
        ends.delete(stream);
        throw error;
      }
    }
    return notes.length;
  };

  return async () => {
    const byStream = groupedByStream(await oldest(MOST_AT_ONCE));
    const limit = pLimit(STREAMS_AT_ONCE);
    const carried = await Promise.allSettled(
      [...byStream].map(([stream, notes]) => limit(() => carry(stream, notes))),
    );
    const fault = carried.find((one) => one.status === 'rejected');
    if (fault !== undefined) throw fault.reason;
    return carried.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0);
  };
};

const groupedByStream = (
  notes: readonly NotedAccess[],
): ReadonlyMap<string, readonly NotedAccess[]> => {
  const groups = new Map<string, NotedAccess[]>();
  for (const note of notes) {
    const stream = streamOf(note.event);
    const group = groups.get(stream);
    if (group === undefined) groups.set(stream, [note]);
    else group.push(note);
  }
  return groups;
};
