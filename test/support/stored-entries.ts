import type { FollowLog } from '../../adapters/eventstore/follow-log.ts';
import type { LogBehindTables } from '../../adapters/postgres/projector/ahead-of-log.ts';
import type { Fact, LogEntry } from '../../domain/event-log.ts';
import { leafHash } from '../../domain/transparency-log/leaf-entry.ts';

/** What such a log answers to whoever asks whether it has lost anything. */
export const WHOLE_LOG: LogBehindTables = {
  end: async () => 1_000_000n,
  holds: async () => true,
};

/** A fact as an entry of a log, at this position. */
export const entryAt = (
  position: bigint,
  stream: string,
  revision: bigint,
  event: Fact,
): LogEntry => ({
  kind: 'event',
  leaf: leafHash(Buffer.from(`${position}`)),
  stored: {
    id: `event-${position}`,
    stream,
    revision,
    position,
    event,
    metadata: {
      schemaVersion: 1,
      correlationId: 'test',
      causationId: null,
      actor: { kind: 'service', id: 'test' },
      recordedAt: '2026-03-01T10:00:00.000Z',
    },
  },
});

/**
 * Follows entries that stand at the positions 0, 1, 2 … and are made as they are asked for.
 * @param sizeOf how many entries the batch has that begins at a position
 */
export const followEntries =
  (
    count: number,
    entryOf: (position: number) => LogEntry,
    sizeOf: (position: number) => number,
  ): FollowLog =>
  async (from, onBatch, onCaughtUp, signal) => {
    let next = from === null ? 0 : Number(from) + 1;
    while (next < count && !signal.aborted) {
      const size = Math.min(sizeOf(next), count - next);
      const entries = Array.from({ length: size }, (_, index) => entryOf(next + index));
      next += size;
      await onBatch({ entries, position: BigInt(next - 1) });
    }
    if (!signal.aborted) onCaughtUp();
    while (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 1));
  };
