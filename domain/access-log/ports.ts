import type { Actor } from '../event-log.ts';
import type { AccessEvent } from './events.ts';

/** Entry of the transactional outbox, waiting to be appended to the access log. */
export interface OutboxEntry {
  /** Becomes the event id, so that a retry does not append the event twice. */
  readonly noteId: string;
  readonly event: AccessEvent;
  readonly actor: Actor;
  readonly correlationId: string;
}

/** Atomic and durable, even while the log is unavailable. */
export type EnqueueOutbox = (notes: readonly OutboxEntry[]) => Promise<void>;

export interface PendingEntry extends OutboxEntry {
  readonly seq: bigint;
}

/** Oldest first, without dead letters. */
export type PeekOutbox = (most: number, after: bigint | null) => Promise<readonly PendingEntry[]>;

/** Moves entries that the log would reject to the dead letters, so that they do not block the others. */
export type DeadLetter = (noteIds: readonly string[]) => Promise<void>;

export type DeleteFromOutbox = (noteIds: readonly string[]) => Promise<void>;
