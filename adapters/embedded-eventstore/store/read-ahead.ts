import type { RecordedEvent } from './event.ts';
import { PAGE_EVENTS, type Page, type Reader } from './reader.ts';

/** Pages of the log in order, for one reader. Prefetches one page while the current one is sent. */
export class ReadAhead {
  readonly #reader: Reader;
  #ahead: { readonly after: bigint; readonly page: Promise<Page> } | null = null;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Events above `after`, up to and including `upTo`. Empty only if there are none. */
  async next(after: bigint, upTo: bigint): Promise<readonly RecordedEvent[]> {
    const { events, hasMore } = (await this.#takeAhead(after)) ?? (await this.#read(after, upTo));
    const last = events.at(-1);
    if (hasMore && last !== undefined) {
      const page = this.#read(last.position, upTo);
      // `next` reports the error. If the reader has disconnected, nothing needs to.
      page.catch(() => undefined);
      this.#ahead = { after: last.position, page };
    }
    return events;
  }

  /** Also `null` for an empty page, because there may be new events by now. */
  async #takeAhead(after: bigint): Promise<Page | null> {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead?.after !== after) return null;
    const page = await ahead.page;
    return page.events.length === 0 ? null : page;
  }

  #read(after: bigint, upTo: bigint): Promise<Page> {
    return this.#reader.allForwards(after, upTo, PAGE_EVENTS);
  }
}
