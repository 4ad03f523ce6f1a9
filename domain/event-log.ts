/**
 * The event log as the domain sees it: streams of past facts, appended at an expected revision.
 * The adapter behind these ports is `adapters/event-log/`.
 * @see docs/decisions/2026-11-20-event-log-and-embedded-node.md
 */

/** A past fact: what happened (`type`) and the values that go with it (`data`). */
export interface Fact<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/** Cause of an event: an API key, a seat of a practice, an operator command, or the service. */
export interface Actor {
  readonly kind: 'key' | 'member' | 'staff' | 'operator' | 'service';
  readonly id: string;
}

/** Metadata of an event. */
export interface EventMetadata {
  /** Version of the event type's JSON Schema that the data was written with. */
  readonly schemaVersion: number;
  readonly correlationId: string;
  /** Id of the event or request that led to this one. */
  readonly causationId: string | null;
  readonly actor: Actor;
  /** ISO 8601 instant of the writing process' clock. */
  readonly recordedAt: string;
}

/** An event to append: the id is deterministic, so that a repeated append is recognized. */
export interface NewEvent<E extends Fact = Fact> {
  readonly id: string;
  readonly event: E;
  /** Its own context, where one append holds what several people did; else that of the append. */
  readonly context?: AppendContext;
}

/** An event as the log holds it. */
export interface StoredEvent<E extends Fact = Fact> {
  readonly id: string;
  readonly stream: string;
  /** Place in its stream, from 0. */
  readonly revision: bigint;
  /** Place in the whole log; grows, has gaps. */
  readonly position: bigint;
  readonly event: E;
  readonly metadata: EventMetadata;
}

/** Revision of the last event that the stream must have for an append to succeed. */
export type ExpectedRevision = 'no-stream' | bigint;

/** Context of an append, stored as metadata with each of its events. */
export interface AppendContext {
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly actor: Actor;
}

/** Answer of the log to an append. `wrong-revision`: the stream has moved on, decide again. */
export type AppendResult =
  | { readonly kind: 'appended'; readonly revision: bigint; readonly position: bigint }
  | { readonly kind: 'wrong-revision' };

/**
 * Appends events to one stream, all or none.
 * A repeat with the same ids and expected revision answers as the first time.
 * @throws EventLogUnavailable when the outcome is still unknown after all retries
 */
export type AppendToStream = (
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
  context: AppendContext,
) => Promise<AppendResult>;

/**
 * Reads a whole stream, oldest event first; an unknown stream is empty.
 * @throws EventLogUnavailable
 */
export type ReadStream = (stream: string) => Promise<readonly StoredEvent[]>;

/** Entry of the log at one position. `leaf` is its hash in the log's tree. */
export type LogEntry =
  | { readonly kind: 'event'; readonly stored: StoredEvent; readonly leaf: Uint8Array }
  /** An event of one of our streams that does not fit the schema of its type. */
  | {
      readonly kind: 'unreadable';
      readonly stream: string;
      readonly revision: bigint;
      readonly position: bigint;
      readonly type: string;
      /** Description of the fault, without submitted values. */
      readonly problem: string;
      readonly leaf: Uint8Array;
    };

/** An entry, or a retention set on one of our streams: with it the server would drop events. */
export type AuditEntry = LogEntry | { readonly kind: 'retention'; readonly stream: string };

/** The clock of this machine against that of the log. */
export interface ClockDifference {
  /** By how much ours is ahead; negative: it is behind. */
  readonly aheadMs: number;
  /** The difference is known up to this much, because an append takes its time. */
  readonly uncertaintyMs: number;
}

/** Current health of this process's appends. */
export interface AppendHealth {
  /** When tries began to fail; null: the last one was answered, or there was none lately. */
  readonly failingSince: Date | null;
  /** Null: not measured yet. */
  readonly clock: ClockDifference | null;
}
