import type { RecordDigest } from './record-digest.ts';

/** What is remembered of a stream while the whole log is read. */
export interface StreamHead {
  /** Of its last event; -1: none was seen yet. */
  revision: bigint;
  /** Version of a birth record after the last event; 0 for other streams. */
  version: number;
  /** State of a birth record by hashes; null for other streams. */
  record: RecordDigest | null;
  /** Its state cannot be told: an event of it does not fit its schema. */
  isUnreadable: boolean;
}

/** A stream by its name, with what was seen of it as a text. */
export type StoredStream = readonly [stream: string, seen: string];

/** Holds of streams what the memory has no room for. */
export interface StreamStore {
  /** Puts streams in, or in the place of what was put in of them before. */
  put(streams: readonly StoredStream[]): Promise<void>;
  get(streams: readonly string[]): Promise<readonly StoredStream[]>;
  /** All of them, a page at a time. */
  pages(): AsyncIterable<readonly StoredStream[]>;
}

/** The streams of a log that is read. */
export interface StreamHeads {
  /** Streams that were seen. */
  count(): number;
  /** Records among them. */
  records(): number;
  /** What was seen of the stream of an event, to be changed by it. @param revision of the event */
  at(stream: string, revision: bigint): Promise<StreamHead>;
  find(streams: readonly string[]): Promise<ReadonlyMap<string, StreamHead>>;
  /** All of them, a page at a time, when the log has ended. */
  pages(): AsyncIterable<ReadonlyMap<string, StreamHead>>;
}

/** Streams in memory: more are put into the store. Of a log of a million events it takes some 40 MB. */
const MAX_STREAMS_IN_MEMORY = 50_000;

/** Nothing was seen yet. @param most streams in memory, fewer in tests */
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
      // The first event of a stream has nothing before it.
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
  version: number,
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
