import { randomUUID } from 'node:crypto';
import { decide, NO_STREAM, TOMBSTONE } from './decide.ts';
import type { Outcome } from './errors.ts';
import {
  countEventBytes,
  getBaseStream,
  isMetastream,
  type ProposedEvent,
  type RecordedEvent,
  type StoredEvent,
} from './event.ts';
import {
  getStreamState,
  type Head,
  isSoftDeleted,
  parseMetadata,
  setTruncateBefore,
} from './heads.ts';

export interface Write {
  readonly stream: string;
  /** Exact revision or one of the expectations of `decide.ts`. */
  readonly expected: bigint;
  readonly intent: 'append' | 'delete' | 'tombstone';
  readonly events: readonly ProposedEvent[];
}

/** Committed state before the group. */
export interface Committed {
  readonly position: bigint;
  /** Committed head of a stream, which must be in memory. */
  readonly head: (stream: string) => Head;
  readonly findId: (id: string) => StoredEvent | undefined;
  /** Stored event at a revision. Loaded in advance for appends below the head. */
  readonly storedAt: (stream: string, revision: bigint) => StoredEvent | undefined;
}

interface GroupPlan {
  readonly rows: readonly RecordedEvent[];
  readonly heads: ReadonlyMap<string, Head>;
  readonly outcomes: readonly Outcome[];
}

// Positions grow by event size, like the real server's offsets, so clients cannot compute the next one.
const EVENT_OVERHEAD = 96n;

const metadataEvent = (json: string): ProposedEvent => ({
  id: randomUUID(),
  type: '$metadata',
  isJson: true,
  data: Buffer.from(json, 'utf8'),
  meta: new Uint8Array(),
});

const tombstoneEvent = (): ProposedEvent => ({
  id: randomUUID(),
  type: '$streamDeleted',
  isJson: false,
  data: new Uint8Array(),
  meta: new Uint8Array(),
});

/** Rows of a group by id and by revision. Indexed on demand, which is rare. */
class WrittenInGroup {
  readonly #rows: readonly RecordedEvent[];
  readonly #byId = new Map<string, RecordedEvent>();
  readonly #byRevision = new Map<string, RecordedEvent>();
  #indexed = 0;

  constructor(rows: readonly RecordedEvent[]) {
    this.#rows = rows;
  }

  byId(id: string): RecordedEvent | undefined {
    this.#index();
    return this.#byId.get(id);
  }

  atRevision(stream: string, revision: bigint): RecordedEvent | undefined {
    this.#index();
    return this.#byRevision.get(`${revision} ${stream}`);
  }

  #index(): void {
    for (const row of this.#rows.slice(this.#indexed)) {
      this.#byId.set(row.id, row);
      this.#byRevision.set(`${row.revision} ${row.stream}`, row);
    }
    this.#indexed = this.#rows.length;
  }
}

/** Each write is decided on the state after the previous ones. @param created 100 ns ticks since 1970 */
export const planGroup = (
  writes: readonly Write[],
  committed: Committed,
  created: bigint,
): GroupPlan => {
  const rows: RecordedEvent[] = [];
  const heads = new Map<string, Head>();
  const written = new WrittenInGroup(rows);
  let position = committed.position;

  const getHead = (stream: string): Head =>
    heads.get(getBaseStream(stream)) ?? committed.head(stream);

  const add = (stream: string, revision: bigint, event: ProposedEvent): RecordedEvent => {
    position += EVENT_OVERHEAD + BigInt(countEventBytes(event));
    // Listed field by field, here and below, because spreading dominated the cost of this function.
    const { id, type, isJson, data, meta } = event;
    const row = { position, stream, revision, id, type, isJson, data, meta, created };
    rows.push(row);
    const head = getHead(stream);
    heads.set(
      getBaseStream(stream),
      isMetastream(stream)
        ? {
            revision: head.revision,
            metaRevision: revision,
            metadata: parseMetadata(Buffer.from(data).toString('utf8')),
          }
        : { revision, metaRevision: head.metaRevision, metadata: head.metadata },
    );
    return row;
  };

  const addMetadata = (base: string, json: string): RecordedEvent =>
    add(`$$${base}`, getHead(base).metaRevision + 1n, metadataEvent(json));

  /** Hides the old events of a stream that is written again after its deletion. */
  const recreate = (base: string, firstRevision: bigint): void => {
    addMetadata(base, setTruncateBefore(getHead(base).metadata?.raw, firstRevision));
  };

  const append = (write: Write, head: Head, recreates: boolean): Outcome => {
    const { revision } = getStreamState(write.stream, head);
    let last: RecordedEvent | undefined;
    for (const [index, event] of write.events.entries()) {
      last = add(write.stream, revision + 1n + BigInt(index), event);
    }
    if (last === undefined) return { kind: 'nothing-written' };
    if (recreates) recreate(write.stream, revision + 1n);
    // New metadata restores a soft-deleted stream, but empty.
    else if (isMetastream(write.stream) && isSoftDeleted(head)) {
      recreate(getBaseStream(write.stream), head.revision + 1n);
    }
    return { kind: 'written', revision: last.revision, position: last.position };
  };

  const run = (write: Write): Outcome => {
    const { stream, expected } = write;
    const head = getHead(stream);
    const state = getStreamState(stream, head);
    const isMissing = state.revision === NO_STREAM && !state.hasMetadata;
    if (write.intent === 'delete' && isMissing)
      return { kind: 'wrong-version', current: NO_STREAM };
    const ids = write.intent === 'append' ? write.events.map(({ id }) => id) : [randomUUID()];
    const decision = decide(expected, ids, state, {
      byId: (id) => {
        const known = written.byId(id) ?? committed.findId(id);
        return known?.stream === stream ? known : undefined;
      },
      atRevision: (revision) =>
        written.atRevision(stream, revision) ?? committed.storedAt(stream, revision),
    });
    switch (decision.kind) {
      case 'deleted':
        return { kind: 'deleted' };
      case 'wrong-version':
        return { kind: 'wrong-version', current: state.revision };
      case 'replay':
        return { kind: 'written', revision: decision.revision, position: decision.position };
      case 'write':
        break;
    }
    switch (write.intent) {
      case 'append':
        return append(write, head, decision.recreates);
      case 'delete': {
        const row = addMetadata(stream, setTruncateBefore(undefined, TOMBSTONE));
        return { kind: 'written', revision: row.revision, position: row.position };
      }
      case 'tombstone': {
        const row = add(stream, TOMBSTONE, tombstoneEvent());
        return { kind: 'written', revision: row.revision, position: row.position };
      }
    }
  };

  const outcomes = writes.map(run);
  return { rows, heads, outcomes };
};
