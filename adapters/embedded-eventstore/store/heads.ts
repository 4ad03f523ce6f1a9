import { NO_STREAM, type StreamState, TOMBSTONE } from './decide.ts';
import { getBaseStream, isMetastream } from './event.ts';
import { TwoGenerationCache } from './two-generation-cache.ts';

interface StreamMetadata {
  /** Events below this revision are hidden. {@link TOMBSTONE} marks a soft-deleted stream. */
  readonly truncateBefore: bigint;
  readonly maxCount: bigint | null;
  readonly maxAgeSeconds: number | null;
  /** JSON document as written. */
  readonly raw: string;
}

export interface Head {
  readonly revision: bigint;
  readonly metaRevision: bigint;
  readonly metadata: StreamMetadata | null;
}

export const MISSING_HEAD: Head = { revision: NO_STREAM, metaRevision: NO_STREAM, metadata: null };

/** Loads the heads of streams from the database, in the order of the names. */
type LoadHeads = (streams: readonly string[]) => Promise<readonly Head[]>;

const asCount = (value: unknown): bigint | null =>
  typeof value === 'number' && value >= 0 && Number.isFinite(value)
    ? BigInt(Math.trunc(value))
    : null;

/** As on the real server, unreadable metadata counts as none. */
const parseObject = (raw: string): Record<string, unknown> => {
  try {
    const parsed: unknown = JSON.parse(raw);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
};

/** Parses stream metadata. Anything except a JSON object hides nothing. */
export const parseMetadata = (raw: string): StreamMetadata => {
  const found = parseObject(raw);
  const truncateBefore = asCount(found['$tb']) ?? 0n;
  return {
    // 2^63-1 is not a JavaScript number: JSON.parse rounds it up to 2^63.
    truncateBefore: truncateBefore > TOMBSTONE ? TOMBSTONE : truncateBefore,
    maxCount: asCount(found['$maxCount']),
    maxAgeSeconds: typeof found['$maxAge'] === 'number' ? found['$maxAge'] : null,
    raw,
  };
};

/** Replaces `$tb` in the metadata document. It may exceed a JavaScript number. */
export const setTruncateBefore = (raw: string | undefined, truncateBefore: bigint): string => {
  const rest = parseObject(raw ?? '{}');
  delete rest['$tb'];
  const others = JSON.stringify(rest).slice(1, -1);
  return `{${others}${others === '' ? '' : ','}"$tb":${truncateBefore}}`;
};

export const isSoftDeleted = (head: Head): boolean => head.metadata?.truncateBefore === TOMBSTONE;

export const getStreamState = (stream: string, head: Head): StreamState => {
  if (head.revision === TOMBSTONE) {
    return { revision: TOMBSTONE, hasMetadata: false, isSoftDeleted: false };
  }
  if (isMetastream(stream)) {
    return { revision: head.metaRevision, hasMetadata: false, isSoftDeleted: false };
  }
  return {
    revision: head.revision,
    hasMetadata: head.metaRevision > NO_STREAM,
    isSoftDeleted: isSoftDeleted(head),
  };
};

export interface Visible {
  readonly fromRevision: bigint;
  /** 100 ns ticks since 1970. */
  readonly fromCreated: bigint;
}

/** Visible part of a stream according to its metadata. Does not apply to reads of all streams. */
export const findVisiblePart = (stream: string, head: Head, nowMs: number): Visible => {
  // As on the real server, a metastream shows only its last event.
  if (isMetastream(stream)) return { fromRevision: head.metaRevision, fromCreated: 0n };
  const { truncateBefore = 0n, maxCount = null, maxAgeSeconds = null } = head.metadata ?? {};
  const byCount = maxCount === null ? 0n : head.revision - maxCount + 1n;
  return {
    fromRevision: truncateBefore > byCount ? truncateBefore : byCount,
    fromCreated:
      maxAgeSeconds === null ? 0n : BigInt(Math.trunc(nowMs - maxAgeSeconds * 1000)) * 10_000n,
  };
};

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/** Recently used streams only. Loads others in one query for all requests during the previous query. */
export class Heads {
  readonly #load: LoadHeads;
  readonly #known: TwoGenerationCache<Head>;
  #pending = new Map<string, Waiting[]>();
  #isLoading = false;
  #generation = 0;

  constructor(load: LoadHeads, capacity = 10_000) {
    this.#load = load;
    this.#known = new TwoGenerationCache(capacity);
  }

  peek(stream: string): Head | undefined {
    return this.#known.get(getBaseStream(stream));
  }

  set(base: string, head: Head): void {
    this.#known.set(base, head);
  }

  /** Drops one head after the database has contradicted it. */
  forget(stream: string): void {
    this.#known.delete(getBaseStream(stream));
  }

  /** Drops everything, because another writer may have changed it. */
  clear(): void {
    this.#known.clear();
    this.#generation += 1;
  }

  /** Loads the head of a stream, or returns `undefined` if it is already in memory. */
  ensure(stream: string): Promise<void> | undefined {
    const base = getBaseStream(stream);
    if (this.#known.has(base)) return undefined;
    return new Promise((resolve, reject) => {
      const waiting = this.#pending.get(base);
      if (waiting !== undefined) {
        waiting.push({ resolve, reject });
        return;
      }
      this.#pending.set(base, [{ resolve, reject }]);
      // Wait one iteration of the event loop to collect requests that arrived together.
      if (this.#pending.size === 1 && !this.#isLoading)
        setImmediate(() => void this.#loadPending());
    });
  }

  async get(stream: string): Promise<Head> {
    for (;;) {
      const head = this.peek(stream);
      if (head !== undefined) return head;
      await this.ensure(stream);
    }
  }

  async #loadPending(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    while (this.#pending.size > 0) {
      const batch = this.#pending;
      const generation = this.#generation;
      this.#pending = new Map();
      const streams = [...batch.keys()];
      try {
        const heads = await this.#load(streams);
        if (generation === this.#generation) {
          for (const [index, stream] of streams.entries()) {
            const head = heads[index];
            // A head set in the meantime is from a commit and therefore newer.
            if (head !== undefined && !this.#known.has(stream)) this.set(stream, head);
          }
        }
        for (const waiting of batch.values()) for (const { resolve } of waiting) resolve();
      } catch (cause) {
        for (const waiting of batch.values()) for (const { reject } of waiting) reject(cause);
      }
    }
    this.#isLoading = false;
  }
}
