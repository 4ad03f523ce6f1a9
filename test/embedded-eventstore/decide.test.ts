import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ANY,
  type Decision,
  decide,
  NO_STREAM,
  STREAM_EXISTS,
  type StreamState,
  TOMBSTONE,
} from '../../adapters/embedded-eventstore/store/decide.ts';

const test = suite('decide');

interface Row {
  readonly name: string;
  readonly state: Partial<StreamState>;
  /** Ids of the stored events by revision, of a stream whose ids are all remembered. */
  readonly stored?: readonly string[];
  readonly isForgotten?: boolean;
  readonly expected: bigint;
  readonly ids: readonly string[];
  readonly gives: Decision;
}

const write: Decision = { kind: 'write', recreates: false };
const recreate: Decision = { kind: 'write', recreates: true };
const wrong: Decision = { kind: 'wrong-version' };
const deleted: Decision = { kind: 'deleted' };
const replay = (revision: bigint): Decision => ({
  kind: 'replay',
  revision,
  position: revision * 100n,
});

const missing: Partial<StreamState> = { revision: NO_STREAM };
const three = { state: { revision: 2n }, stored: ['a', 'b', 'c'] } as const;
const softDeleted = {
  state: { revision: 2n, hasMetadata: true, isSoftDeleted: true },
  stored: ['a', 'b', 'c'],
} as const;
const tombstoned = { state: { revision: TOMBSTONE } } as const;

const rows: readonly Row[] = [
  {
    name: 'NO_STREAM on a missing stream',
    state: missing,
    expected: NO_STREAM,
    ids: ['a'],
    gives: write,
  },
  { name: 'ANY on a missing stream', state: missing, expected: ANY, ids: ['a'], gives: write },
  {
    name: 'STREAM_EXISTS on a missing stream',
    state: missing,
    expected: STREAM_EXISTS,
    ids: ['a'],
    gives: wrong,
  },
  {
    name: 'STREAM_EXISTS on a stream that has only metadata',
    state: { revision: NO_STREAM, hasMetadata: true },
    expected: STREAM_EXISTS,
    ids: ['a'],
    gives: write,
  },
  {
    name: 'an exact revision on a missing stream',
    state: missing,
    expected: 0n,
    ids: ['a'],
    gives: wrong,
  },

  { name: 'the exact head', ...three, expected: 2n, ids: ['d'], gives: write },
  {
    name: 'the exact head with an id that is stored',
    ...three,
    expected: 2n,
    ids: ['a'],
    gives: write,
  },
  { name: 'above the head', ...three, expected: 3n, ids: ['d'], gives: wrong },
  { name: 'below the head, another id', ...three, expected: 1n, ids: ['x'], gives: wrong },
  { name: 'below the head, the same id', ...three, expected: 1n, ids: ['c'], gives: replay(2n) },
  {
    name: 'below the head, the same ids',
    ...three,
    expected: 0n,
    ids: ['b', 'c'],
    gives: replay(2n),
  },
  {
    name: 'below the head, a part of the ids',
    ...three,
    expected: 0n,
    ids: ['b'],
    gives: replay(1n),
  },
  {
    name: 'below the head, the first differs',
    ...three,
    expected: 0n,
    ids: ['x', 'c'],
    gives: wrong,
  },
  {
    name: 'below the head, a later one differs',
    ...three,
    expected: 0n,
    ids: ['b', 'x'],
    gives: wrong,
  },
  {
    name: 'below the head, one more than stored',
    ...three,
    expected: 0n,
    ids: ['b', 'c', 'd'],
    gives: wrong,
  },
  {
    name: 'below the head, in another order',
    ...three,
    expected: 0n,
    ids: ['c', 'b'],
    gives: wrong,
  },
  { name: 'below the head, no events', ...three, expected: 0n, ids: [], gives: wrong },
  { name: 'NO_STREAM, another id', ...three, expected: NO_STREAM, ids: ['x'], gives: wrong },
  {
    name: 'NO_STREAM, all the ids',
    ...three,
    expected: NO_STREAM,
    ids: ['a', 'b', 'c'],
    gives: replay(2n),
  },
  {
    name: 'an exact replay of forgotten ids',
    ...three,
    isForgotten: true,
    expected: NO_STREAM,
    ids: ['a', 'b'],
    gives: replay(1n),
  },

  { name: 'ANY with a new id', ...three, expected: ANY, ids: ['d'], gives: write },
  { name: 'ANY with stored ids', ...three, expected: ANY, ids: ['a', 'b'], gives: replay(1n) },
  {
    name: 'ANY with a stored, then a new id',
    ...three,
    expected: ANY,
    ids: ['c', 'd'],
    gives: wrong,
  },
  {
    name: 'ANY with a new, then a stored id',
    ...three,
    expected: ANY,
    ids: ['d', 'c'],
    gives: write,
  },
  {
    name: 'ANY with a forgotten id',
    ...three,
    isForgotten: true,
    expected: ANY,
    ids: ['a'],
    gives: write,
  },
  { name: 'ANY with no events', ...three, expected: ANY, ids: [], gives: write },
  {
    name: 'STREAM_EXISTS with stored ids',
    ...three,
    expected: STREAM_EXISTS,
    ids: ['c'],
    gives: replay(2n),
  },
  {
    name: 'STREAM_EXISTS with a new id',
    ...three,
    expected: STREAM_EXISTS,
    ids: ['d'],
    gives: write,
  },

  {
    name: 'soft-deleted: NO_STREAM',
    ...softDeleted,
    expected: NO_STREAM,
    ids: ['d'],
    gives: recreate,
  },
  { name: 'soft-deleted: ANY', ...softDeleted, expected: ANY, ids: ['d'], gives: recreate },
  {
    name: 'soft-deleted: the exact head',
    ...softDeleted,
    expected: 2n,
    ids: ['d'],
    gives: recreate,
  },
  {
    name: 'soft-deleted: STREAM_EXISTS',
    ...softDeleted,
    expected: STREAM_EXISTS,
    ids: ['d'],
    gives: deleted,
  },
  { name: 'soft-deleted: below the head', ...softDeleted, expected: 0n, ids: ['d'], gives: wrong },
  {
    name: 'soft-deleted: a replay',
    ...softDeleted,
    expected: NO_STREAM,
    ids: ['a'],
    gives: replay(0n),
  },
  {
    name: 'soft-deleted: a replay, then a new id',
    ...softDeleted,
    expected: NO_STREAM,
    ids: ['a', 'x'],
    gives: wrong,
  },

  { name: 'tombstone: ANY', ...tombstoned, expected: ANY, ids: ['d'], gives: deleted },
  { name: 'tombstone: NO_STREAM', ...tombstoned, expected: NO_STREAM, ids: ['d'], gives: deleted },
  {
    name: 'tombstone: STREAM_EXISTS',
    ...tombstoned,
    expected: STREAM_EXISTS,
    ids: ['d'],
    gives: deleted,
  },
  { name: 'tombstone: exact', ...tombstoned, expected: 2n, ids: ['d'], gives: deleted },
];

for (const { name, state, stored = [], isForgotten = false, expected, ids, gives } of rows) {
  test(name, () => {
    const at = (revision: number) => {
      const id = stored[revision];
      const found = BigInt(revision);
      if (id === undefined) return undefined;
      return { id, stream: 'any', revision: found, position: found * 100n };
    };
    const decision = decide(
      expected,
      ids,
      { revision: NO_STREAM, hasMetadata: false, isSoftDeleted: false, ...state },
      {
        byId: (id) => (isForgotten ? undefined : at(stored.indexOf(id))),
        atRevision: (revision) => at(Number(revision)),
      },
    );
    assert.equal(decision, gives);
  });
}

test.run();
