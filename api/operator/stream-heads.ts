import type { RecordDigest } from './record-digest.ts';

export interface StreamHead {
  /** -1 before the first event. */
  revision: bigint;
  /** 0 for other streams than records; `null` if unknown after an accepted loss. */
  version: number | null;
  /** `null` for other streams than records. */
  record: RecordDigest | null;
  /** The state is then unknown. */
  isUnreadable: boolean;
}

export type StoredStream = readonly [stream: string, seen: string];

export interface StreamStore {
  put(streams: readonly StoredStream[]): Promise<void>;
  get(streams: readonly string[]): Promise<readonly StoredStream[]>;
  /** One page at a time. */
  pages(): AsyncIterable<readonly StoredStream[]>;
}

export interface StreamHeads {
  count(): number;
  records(): number;
  /** For the caller to update. @param revision of the event */
  at(stream: string, revision: bigint): Promise<StreamHead>;
  find(streams: readonly string[]): Promise<ReadonlyMap<string, StreamHead>>;
  /** One page at a time; for use at the end of the log. */
  pages(): AsyncIterable<ReadonlyMap<string, StreamHead>>;
}

/** The others are in the store. */
const MAX_STREAMS_IN_MEMORY = 50_000;

export const createStreamHeads = (
  store: StreamStore,
  most = MAX_STREAMS_IN_MEMORY,
): StreamHeads => {
  const heads = new Map<string, StreamHead>();
  let [count, records] = [0, 0];
  let hasStored = false;

  const spill = async (): Promise<void> => {
    records += countRecords(heads);
    await store.put([...heads].map(([stream, seen]) => [stream, serializeHead(seen)]));
    heads.clear();
    hasStored = true;
  };
  const loadStored = async (
    streams: readonly string[],
  ): Promise<ReadonlyMap<string, StreamHead>> =>
    hasStored && streams.length > 0 ? parseHeads(await store.get(streams)) : new Map();

  return {
    count: () => count,
    records: () => records + countRecords(heads),
    async at(stream, revision) {
      const known = heads.get(stream);
      if (known !== undefined) return known;
      if (heads.size >= most) await spill();
      // The first event of a stream has no stored head.
      const before = revision === 0n ? undefined : (await loadStored([stream])).get(stream);
      if (before === undefined) count += 1;
      else if (before.record !== null) records -= 1;
      const seen = before ?? { revision: -1n, version: 0, record: null, isUnreadable: false };
      heads.set(stream, seen);
      return seen;
    },
    async find(streams) {
      const found = new Map(await loadStored(streams.filter((stream) => !heads.has(stream))));
      for (const stream of streams) {
        const seen = heads.get(stream);
        if (seen !== undefined) found.set(stream, seen);
      }
      return found;
    },
    async *pages() {
      if (!hasStored) {
        yield heads;
        return;
      }
      await spill();
      for await (const page of store.pages()) yield parseHeads(page);
    },
  };
};

const countRecords = (streams: ReadonlyMap<string, StreamHead>): number => {
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

const serializeHead = ({ revision, version, record, isUnreadable }: StreamHead): string => {
  const packed: Packed = [revision.toString(), version, record, isUnreadable];
  return JSON.stringify(packed);
};

const parseHeads = (streams: readonly StoredStream[]): ReadonlyMap<string, StreamHead> =>
  new Map(
    streams.map(([stream, text]) => {
      const [revision, version, record, isUnreadable] = JSON.parse(text) as Packed;
      return [stream, { revision: BigInt(revision), version, record, isUnreadable }];
    }),
  );
