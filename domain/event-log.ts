/** @see docs/design/event-log.md */

export interface Fact<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

export interface Actor {
  readonly kind: 'key' | 'member' | 'staff' | 'operator' | 'service';
  readonly id: string;
}

export interface EventMetadata {
  /** Version of the JSON Schema that the data was written with. */
  readonly schemaVersion: number;
  readonly correlationId: string;
  /** Id of the event or request that caused this event. */
  readonly causationId: string | null;
  readonly actor: Actor;
  /** ISO 8601 instant, by the clock of the process that appended the event. */
  readonly recordedAt: string;
}

/** Event to append. Its id is deterministic, so the log recognizes a retry. */
export interface NewEvent<E extends Fact = Fact> {
  readonly id: string;
  readonly event: E;
  /** Overrides the context of the append, if one append combines the actions of several people. */
  readonly context?: AppendContext;
}

export interface StoredEvent<E extends Fact = Fact> {
  readonly id: string;
  readonly stream: string;
  /** Zero-based position in its stream. */
  readonly revision: bigint;
  /** Position in the whole log: increasing, with gaps. */
  readonly position: bigint;
  readonly event: E;
  readonly metadata: EventMetadata;
}

/**
 * Event of a type that a newer version of the service added. Folds and tables pass over it, so a newer version
 * must not rely on an older one to obey it.
 * @see docs/decisions/2026-11-28-newer-events-and-tables.md
 */
export interface UnknownEvent extends Omit<StoredEvent, 'event'> {
  readonly event: null;
  readonly written: Fact;
}

/**
 * Event in a stream of ours that the service did not write: it belongs to another program, or was damaged. It
 * changes no state, but counts for the revision of the next append.
 * @see docs/decisions/2026-11-28-foreign-events.md
 */
export interface ForeignEvent extends Pick<StoredEvent, 'id' | 'stream' | 'revision' | 'position'> {
  readonly event: null;
  readonly foreign: {
    readonly type: string;
    /** Difference from an event of ours, without values. */
    readonly problem: string;
  };
}

export type PassedOverEvent = UnknownEvent | ForeignEvent;

export type StreamEvent = StoredEvent | PassedOverEvent;

export const isKnown = <Stored extends StoredEvent>(
  stored: Stored | PassedOverEvent,
): stored is Stored => stored.event !== null;

export const isForeign = (stored: StreamEvent): stored is ForeignEvent => 'foreign' in stored;

export type ExpectedRevision = 'no-stream' | bigint;

export interface AppendContext {
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly actor: Actor;
}

/** `wrong-revision`: the stream has newer events: load it and decide again. */
export type AppendResult =
  | { readonly kind: 'appended'; readonly revision: bigint; readonly position: bigint }
  | { readonly kind: 'wrong-revision' };

/**
 * Atomic. A retry with the same ids and expected revision returns the same result.
 * @throws EventLogUnavailable if the outcome is still unknown after all retries
 */
export type AppendToStream = (
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
  context: AppendContext,
) => Promise<AppendResult>;

/** No events for an unknown stream. @throws EventLogUnavailable */
export type ReadStream = (stream: string) => Promise<readonly StreamEvent[]>;

/** Oldest event first. @throws EventLogUnavailable */
export type ReadRecent = (
  stream: string,
  most: number,
  before?: bigint,
) => Promise<readonly StreamEvent[]>;

/** Log entry at one position. `leaf` is its hash in the log's tree. */
export type LogEntry =
  | { readonly kind: 'event'; readonly stored: StoredEvent; readonly leaf: Uint8Array }
  | { readonly kind: 'unknown'; readonly stored: UnknownEvent; readonly leaf: Uint8Array }
  | { readonly kind: 'foreign'; readonly stored: ForeignEvent; readonly leaf: Uint8Array }
  /** Event with newer data of a known type. A state without that data would be wrong. */
  | {
      readonly kind: 'unreadable';
      readonly id: string;
      readonly stream: string;
      readonly revision: bigint;
      readonly position: bigint;
      readonly type: string;
      readonly problem: string;
      readonly leaf: Uint8Array;
    }
  | RetentionEntry;

/**
 * Change of the settings of a registry stream. By a retention setting, the server hides events from readers of
 * the stream, and may delete them. No event, so no leaf.
 */
export interface RetentionEntry {
  readonly kind: 'retention';
  readonly stream: string;
  readonly position: bigint;
  readonly isSet: boolean;
}

export type EventEntry = Exclude<LogEntry, RetentionEntry>;

export interface ClockDifference {
  /** Negative if this machine's clock is behind. */
  readonly aheadMs: number;
  /** Margin of error, because an append takes time. */
  readonly uncertaintyMs: number;
}

export interface AppendHealth {
  /** Time of the first failed attempt; `null` if the last one got a response, or there was none recently. */
  readonly failingSince: Date | null;
  /** Absent if the state of the log is the reason. */
  readonly cause?: 'denied' | 'unconfirmed';
  /** `null` until measured. */
  readonly clock: ClockDifference | null;
}
