import { randomUUID } from 'node:crypto';
import { createKey } from '../../adapters/crypto/keys.ts';
import type { SealingKeys } from '../../adapters/crypto/sealing.ts';
import type { FollowLog } from '../../adapters/event-log/follow-log.ts';
import type { ProjectorOptions } from '../../adapters/postgres/projector/projector.ts';
import type { CommandContext } from '../../api/commands/command-context.ts';
import type { createPracticeCommands } from '../../api/commands/manage-practices.ts';
import type {
  AppendToStream,
  Fact,
  LogEntry,
  ReadStream,
  StoredEvent,
} from '../../domain/event-log.ts';
import { hashLeaf } from '../../transparency-log/leaf-entry.ts';

/** A log that forgets, for tests of what a command does between two appends. */
export interface LogInMemory {
  readonly append: AppendToStream;
  readonly readStream: ReadStream;
  /** The types of a stream's events, oldest first. */
  typesOf(stream: string): readonly string[];
  /** Lets this many appends through and fails the next one, or so many. */
  failAfter(appends: number, failures?: number): void;
  /** Lets this many appends through and stores the next one without an answer. */
  loseAnswerAfter(appends: number): void;
}

/** An empty log. */
export const logInMemory = (): LogInMemory => {
  const streams = new Map<string, StoredEvent<Fact>[]>();
  let appends = 0;
  let fails: (append: number) => boolean = () => false;
  let isLost: (append: number) => boolean = () => false;
  const held = (stream: string) => streams.get(stream) ?? [];
  return {
    async append(stream, expected, events, context) {
      const append = appends;
      appends += 1;
      if (fails(append)) throw new Error('The process ended here');
      const stored = held(stream);
      if ((stored.at(-1)?.revision ?? 'no-stream') !== expected) return { kind: 'wrong-revision' };
      const added = events.map(({ id, event, context: own }, index) => ({
        id,
        event,
        stream,
        revision: BigInt(stored.length + index),
        position: 0n,
        metadata: { ...(own ?? context), schemaVersion: 1, recordedAt: '2026-03-01T10:00:00Z' },
      }));
      streams.set(stream, [...stored, ...added]);
      if (isLost(append)) throw new Error('The answer was lost');
      return {
        kind: 'appended',
        revision: BigInt(stored.length + events.length - 1),
        position: 0n,
      };
    },
    readStream: async (stream) => held(stream),
    typesOf: (stream) => held(stream).map(({ event }) => event.type),
    failAfter(passed, failures = 1) {
      const first = appends + passed;
      fails = (append) => append >= first && append < first + failures;
    },
    loseAnswerAfter(passed) {
      const lost = appends + passed;
      isLost = (append) => append === lost;
    },
  };
};

/** What commands are given. */
export const testCommandContext = (
  announceAccessChange: () => Promise<void> = async () => undefined,
): CommandContext => ({
  append: { correlationId: 'test', causationId: null, actor: { kind: 'operator', id: 'test' } },
  newId: randomUUID,
  newEventId: randomUUID,
  announceAccessChange,
});

/** For tests that sign nobody out, and choose no common passwords. */
export const WITHOUT_SESSIONS = {
  isCommonPassword: () => false,
  endSessions: () => Promise.reject(new Error('This test ends no sessions')),
  noteSessionsEnded: () => Promise.reject(new Error('This test ends no sessions')),
};

/** For tests that change nothing of what needs the turn of a practice. */
export const WITHOUT_TURNS: Parameters<typeof createPracticeCommands>[1] = {
  withPracticeLease: () => Promise.reject(new Error('This test holds no turn')),
  hasLiveRecords: () => Promise.reject(new Error('This test asks for no records')),
};

/** One key, and no other version of it. */
export const soleKey = (key = createKey()): SealingKeys => ({
  getNewest: () => ({ version: 1, key }),
  find: async (version) => (version === 1 ? key : null),
});

/** What such a log answers to whoever asks whether it has lost anything. */
export const WHOLE_LOG: ProjectorOptions['log'] = {
  end: async () => 1_000_000n,
  holds: async () => true,
  positionOf: async () => null,
};

/** A fact as an entry of a log, at this position. */
export const entryAt = (
  position: bigint,
  stream: string,
  revision: bigint,
  event: Fact,
): LogEntry => ({
  kind: 'event',
  leaf: hashLeaf(Buffer.from(`${position}`)),
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
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  };
