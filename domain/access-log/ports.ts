import type { Actor } from '../event-log.ts';
import type { AccessEvent } from './events.ts';

/** Something of the access log on its way to the log. */
export interface OutboxEntry {
  /** Will be the id of its event, so that it comes to the log once. */
  readonly noteId: string;
  readonly event: AccessEvent;
  readonly actor: Actor;
  /** Of the request or command that it happened in. */
  readonly correlationId: string;
}

/** Keeps notes durably, all or none, also while the log is away. */
export type EnqueueOutbox = (notes: readonly OutboxEntry[]) => Promise<void>;

/** A note with its place among those that wait. */
export interface PendingEntry extends OutboxEntry {
  readonly seq: bigint;
}

/**
 * The notes that have waited longest, in the order in which they were made; none that was set aside.
 * @param after only those made later than this one
 */
export type PeekOutbox = (most: number, after: bigint | null) => Promise<readonly PendingEntry[]>;

/** Keeps notes that the log would refuse beside the others, which go on without them. */
export type DeadLetter = (noteIds: readonly string[]) => Promise<void>;

/** Forgets notes that are in the log. */
export type DeleteFromOutbox = (noteIds: readonly string[]) => Promise<void>;

/** Who has an account, as far as the registry's tables know. */
export type AccountOwner =
  | { readonly kind: 'member'; readonly practiceId: string }
  | { readonly kind: 'staff' };

/** The owner of an account; null: there is no such account, or it has no seat now. */
export type FindAccountOwner = (accountId: string) => Promise<AccountOwner | null>;
