import type { RecordDigest } from './record-digest.ts';

/** State of a stream while the whole log is read. */
export interface StreamHead {
  /** Revision of its last event; -1 before the first. */
  revision: bigint;
  /**
   * Version of a birth record after the last event; 0 for other streams, and `null` if it is unknown after a loss that
   * was accepted.
   */
  version: number | null;
  /** Digest of a birth record; `null` for other streams. */
  record: RecordDigest | null;
  /** True if an event does not fit its schema, so that the state is unknown. */
  isUnreadable: boolean;
}

/** Name of a stream, and its head as text. */
export type StoredStream = readonly [stream: string, seen: string];

/** Stores the streams that do not fit in memory. */
export interface StreamStore {
  /** Inserts or replaces streams. */
  put(streams: readonly StoredStream[]): Promise<void>;
  get(streams: readonly string[]): Promise<readonly StoredStream[]>;
  /** All streams, one page at a time. */
  pages(): AsyncIterable<readonly StoredStream[]>;
}

/** Heads of the streams of a log that is being read. */
export interface StreamHeads {
  /** Number of streams read so far. */
  count(): number;
  /** Number of birth records among them. */
  records(): number;
  /** Head of an event's stream, for the caller to update. @param revision of the event */
  at(stream: string, revision: bigint): Promise<StreamHead>;
  find(streams: readonly string[]): Promise<ReadonlyMap<string, StreamHead>>;
  /** All streams, one page at a time; for use at the end of the log. */
  pages(): AsyncIterable<ReadonlyMap<string, StreamHead>>;
}

/** Maximum number of streams in memory; the others are in the store. */
const MAX_STREAMS_IN_MEMORY = 50_000;

/** @param most maximum number of streams in memory; lower in tests */
export const createStreamHeads = (
  store: StreamStore,
  most = MAX_STREAMS_IN_MEMORY,
): StreamHeads => {
  const held = new Map<string, StreamHead>();
  let [count, records] = [0, 0];
  let hasStored = false;

  const spill = async (): Promise<void> => {
    records += recordsIn(held);
    await store.put([...held].map(([stream, seen]) => [stream, textOf(seen)]));
    held.clear();
    hasStored = true;
  };
  const stored = async (streams: readonly string[]): Promise<ReadonlyMap<string, StreamHead>> =>
    hasStored && streams.length > 0 ? seenIn(await store.get(streams)) : new Map();

  return {
    count: () => count,
    records: () => records + recordsIn(held),
    async at(stream, revision) {
      const known = held.get(stream);
      if (known !== undefined) return known;
      if (held.size >= most) await spill();
      // The first event of a stream has no stored head.
      const before = revision === 0n ? undefined : (await stored([stream])).get(stream);
      if (before === undefined) count += 1;
      else if (before.record !== null) records -= 1;
      const seen = before ?? { revision: -1n, version: 0, record: null, isUnreadable: false };
      held.set(stream, seen);
      return seen;
    },
    async find(streams) {
      const found = new Map(await stored(streams.filter((stream) => !held.has(stream))));
      for (const stream of streams) {
        const seen = held.get(stream);
        if (seen !== undefined) found.set(stream, seen);
      }
      return found;
    },
    async *pages() {
      if (!hasStored) {
        yield held;
        return;
      }
      await spill();
      for await (const page of store.pages()) yield seenIn(page);
    },
  };
};

const recordsIn = (streams: ReadonlyMap<string, StreamHead>): number => {
  let records = 0;
  for (const { record } of streams.values()) if (record !== null) records += 1;
  return records;
};

type Packed = readonly [
  revision: string,
  version: number | null,
  record: RecordDigest | null,
  isUnreadable: boolean,
];

const textOf = ({ revision, version, record, isUnreadable }: StreamHead): string => {
  const packed: Packed = [revision.toString(), version, record, isUnreadable];
  return JSON.stringify(packed);
};

const seenIn = (streams: readonly StoredStream[]): ReadonlyMap<string, StreamHead> =>
  new Map(
    streams.map(([stream, text]) => {
      const [revision, version, record, isUnreadable] = JSON.parse(text) as Packed;
      return [stream, { revision: BigInt(revision), version, record, isUnreadable }];
    }),
  );
