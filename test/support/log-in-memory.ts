import { randomUUID } from 'node:crypto';
import type { CommandContext } from '../../api/commands/command-context.ts';
import type { practiceCommandsOf } from '../../api/commands/manage-practices.ts';
import type { AppendToStream, Fact, ReadStream, StoredEvent } from '../../domain/event-log.ts';

/** A log that forgets, for tests of what a command does between two appends. */
export interface LogInMemory {
  readonly append: AppendToStream;
  readonly readStream: ReadStream;
  /** The types of a stream's events, oldest first. */
  typesOf(stream: string): readonly string[];
  /** Lets this many appends through and fails the next one. */
  failAfter(appends: number): void;
}

/** An empty log. */
export const logInMemory = (): LogInMemory => {
  const streams = new Map<string, StoredEvent<Fact>[]>();
  let untilFailure = Number.POSITIVE_INFINITY;
  const held = (stream: string) => streams.get(stream) ?? [];
  return {
    async append(stream, expected, events, context) {
      if (untilFailure <= 0) {
        untilFailure = Number.POSITIVE_INFINITY;
        throw new Error('The process ended here');
      }
      untilFailure -= 1;
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
      return {
        kind: 'appended',
        revision: BigInt(stored.length + events.length - 1),
        position: 0n,
      };
    },
    readStream: async (stream) => held(stream),
    typesOf: (stream) => held(stream).map(({ event }) => event.type),
    failAfter(appends) {
      untilFailure = appends;
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
export const WITHOUT_TURNS: Parameters<typeof practiceCommandsOf>[1] = {
  holdTurn: () => Promise.reject(new Error('This test holds no turn')),
  hasLiveRecords: () => Promise.reject(new Error('This test asks for no records')),
};
