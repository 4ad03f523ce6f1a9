import type { StoredEvent } from './event.ts';

/** Revision of a stream without events, and the expectation `NO_STREAM`. */
export const NO_STREAM = -1n;

/** Expectation that every stream meets, even a missing one. */
export const ANY = -2n;

/** Expectation that a stream meets if it has events or metadata and is not deleted. */
export const STREAM_EXISTS = -4n;

/** Revision of the event that ends a stream permanently. */
export const TOMBSTONE = 2n ** 63n - 1n;

export interface StreamState {
  /** Revision of the last event, {@link NO_STREAM} if there is none, or {@link TOMBSTONE}. */
  readonly revision: bigint;
  readonly hasMetadata: boolean;
  readonly isSoftDeleted: boolean;
}

interface StoredEvents {
  /** Event at a revision. Must know every revision between the expected one and the head. */
  readonly atRevision: (revision: bigint) => StoredEvent | undefined;
  /** Latest event with an id, if the node remembers it. */
  readonly byId: (id: string) => StoredEvent | undefined;
}

export type Decision =
  | { readonly kind: 'write'; readonly recreates: boolean }
  | { readonly kind: 'replay'; readonly revision: bigint; readonly position: bigint }
  | { readonly kind: 'wrong-version' }
  | { readonly kind: 'deleted' };

const write = (state: StreamState): Decision => ({ kind: 'write', recreates: state.isSoftDeleted });
const wrongVersion: Decision = { kind: 'wrong-version' };

const buildReplay = (last: StoredEvent): Decision => ({
  kind: 'replay',
  revision: last.revision,
  position: last.position,
});

/** Without an exact revision, only the ids distinguish a retry from a new append. */
const decideByIds = (ids: readonly string[], state: StreamState, stored: StoredEvents) => {
  let last: StoredEvent | undefined;
  for (const id of ids) {
    const known = stored.byId(id);
    if (known === undefined) return last === undefined ? write(state) : wrongVersion;
    last = known;
  }
  return last === undefined ? write(state) : buildReplay(last);
};

/** Below the head, an append is either a retry of the stored events or outdated. */
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
  return last === undefined ? wrongVersion : buildReplay(last);
};

/** Like EventStoreDB's `IndexWriter.CheckCommit`, for an exact revision or one of the constants above. */
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
