/** Revision of a stream that holds no event, and the expectation `NO_STREAM`. */
export const NO_STREAM = -1n;

/** Expectation that is met by every stream, the missing one included. */
export const ANY = -2n;

/** Expectation that is met by every stream with an event or metadata that is not deleted. */
export const STREAM_EXISTS = -4n;

/** Revision of the event that ends a stream for ever. */
export const TOMBSTONE = 2n ** 63n - 1n;

/** What the log knows of a stream when it decides on an append. */
export interface StreamState {
  /** Revision of the last event; {@link NO_STREAM} without one, {@link TOMBSTONE} after the end. */
  readonly revision: bigint;
  readonly hasMetadata: boolean;
  readonly isSoftDeleted: boolean;
}

/** Where an event with a known id is stored. */
export interface StoredEvent {
  readonly id: string;
  readonly revision: bigint;
  readonly position: bigint;
}

/** Stored events of the one stream in question. */
interface StoredEvents {
  /** The event at a revision; every revision between expectation and head must be known. */
  readonly atRevision: (revision: bigint) => StoredEvent | undefined;
  /** The event last written under an id, as far as the node remembers. */
  readonly byId: (id: string) => StoredEvent | undefined;
}

/** What is to be done with an append. */
export type Decision =
  | { readonly kind: 'write'; readonly recreates: boolean }
  | { readonly kind: 'replay'; readonly revision: bigint; readonly position: bigint }
  | { readonly kind: 'wrong-version' }
  | { readonly kind: 'deleted' };

const write = (state: StreamState): Decision => ({ kind: 'write', recreates: state.isSoftDeleted });
const wrongVersion: Decision = { kind: 'wrong-version' };

const replayed = (last: StoredEvent): Decision => ({
  kind: 'replay',
  revision: last.revision,
  position: last.position,
});

/** Without an exact revision only the ids tell a repetition from a new append. */
const decideByIds = (ids: readonly string[], state: StreamState, stored: StoredEvents) => {
  let last: StoredEvent | undefined;
  for (const id of ids) {
    const known = stored.byId(id);
    if (known === undefined) return last === undefined ? write(state) : wrongVersion;
    last = known;
  }
  return last === undefined ? write(state) : replayed(last);
};

/** Below the head an append is either the repetition of what is stored there, or too late. */
const decideBelowHead = (
  expected: bigint,
  ids: readonly string[],
  state: StreamState,
  stored: StoredEvents,
): Decision => {
  let last: StoredEvent | undefined;
  for (const [index, id] of ids.entries()) {
    const there = stored.atRevision(expected + BigInt(index) + 1n);
    if (there?.id !== id) {
      const recreates = index === 0 && expected === NO_STREAM && state.isSoftDeleted;
      return recreates ? write(state) : wrongVersion;
    }
    last = there;
  }
  return last === undefined ? wrongVersion : replayed(last);
};

/**
 * Decides an append as EventStoreDB's `IndexWriter.CheckCommit` does.
 * @param expected an exact revision, {@link NO_STREAM}, {@link ANY} or {@link STREAM_EXISTS}
 * @param ids ids of the proposed events, in order
 */
export const decide = (
  expected: bigint,
  ids: readonly string[],
  state: StreamState,
  stored: StoredEvents,
): Decision => {
  if (state.revision === TOMBSTONE) return { kind: 'deleted' };
  if (expected === STREAM_EXISTS) {
    if (state.isSoftDeleted) return { kind: 'deleted' };
    if (state.revision === NO_STREAM && !state.hasMetadata) return wrongVersion;
  }
  if (expected === ANY || expected === STREAM_EXISTS) return decideByIds(ids, state, stored);
  if (expected < state.revision) return decideBelowHead(expected, ids, state, stored);
  return expected > state.revision ? wrongVersion : write(state);
};
