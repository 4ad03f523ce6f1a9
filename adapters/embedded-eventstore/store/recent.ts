import type { RecordedEvent, StoredEvent } from './event.ts';
import { TwoGenerationCache } from './two-generation-cache.ts';

/** Ids of the latest events, to recognize retried appends without an exact revision. */
export class RecentIds {
  readonly #events: TwoGenerationCache<StoredEvent>;
  readonly capacity: number;

  constructor(capacity = 100_000) {
    this.capacity = capacity;
    this.#events = new TwoGenerationCache(capacity);
  }

  find(id: string): StoredEvent | undefined {
    return this.#events.get(id);
  }

  add({ id, stream, revision, position }: StoredEvent): void {
    this.#events.set(id, { id, stream, revision, position });
  }

  clear(): void {
    this.#events.clear();
  }
}

/** Streams that may exist without an event at revision 0. For others, wrongly assuming one missing causes a collision. */
export class StreamsWithMetadataOrTombstone {
  readonly capacity: number;
  readonly #names = new Set<string>();
  #areAllKnown = false;

  constructor(capacity = 20_000) {
    this.capacity = capacity;
  }

  reset(names: readonly string[]): void {
    this.#names.clear();
    this.#areAllKnown = true;
    for (const name of names) this.add(name);
  }

  add(name: string): void {
    if (!this.#areAllKnown) return;
    this.#names.add(name);
    if (this.#names.size > this.capacity) this.forget();
  }

  forget(): void {
    this.#areAllKnown = false;
    this.#names.clear();
  }

  excludes(name: string): boolean {
    return this.#areAllKnown && !this.#names.has(name);
  }
}

const EVENT_OVERHEAD_BYTES = 400;

export class RecentEvents {
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  #events: RecordedEvent[] = [];
  #start = 0;
  #bytes = 0;
  #floor = 0n;

  constructor(maxEvents = 8192, maxBytes = 4 * 1024 * 1024) {
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytes;
  }

  /** Starts over. The next event added is the first one above the position. */
  reset(position: bigint): void {
    this.#events = [];
    this.#start = 0;
    this.#bytes = 0;
    this.#floor = position;
  }

  add(event: RecordedEvent): void {
    this.#events.push(event);
    this.#bytes += event.data.length + event.meta.length + EVENT_OVERHEAD_BYTES;
    while (this.#events.length - this.#start > this.#maxEvents || this.#bytes > this.#maxBytes) {
      const oldest = this.#events[this.#start];
      if (oldest === undefined) break;
      this.#bytes -= oldest.data.length + oldest.meta.length + EVENT_OVERHEAD_BYTES;
      this.#floor = oldest.position;
      this.#start += 1;
    }
    if (this.#start > this.#maxEvents) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }

  /** Up to `limit` events above a position in order, or `null` if some of them were dropped. */
  after(position: bigint, limit: number): readonly RecordedEvent[] | null {
    if (position < this.#floor) return null;
    let low = this.#start;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = this.#events[middle];
      if (event !== undefined && event.position <= position) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low, low + limit);
  }
}
