import type { RecordedEvent } from './event.ts';
import { PAGE_EVENTS, type Page, type Reader } from './reader.ts';

/**
 * Pages of the log in its order, for one reader: while a page is sent the next is read, one and no
 * more, however slow the reader is.
 */
export class ReadAhead {
  readonly #reader: Reader;
  #ahead: { readonly after: bigint; readonly page: Promise<Page> } | null = null;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Events above `after`, up to and including `upTo`; none only when there is none. */
  async next(after: bigint, upTo: bigint): Promise<readonly RecordedEvent[]> {
    const { events, hasMore } = (await this.#takeAhead(after)) ?? (await this.#read(after, upTo));
    const last = events.at(-1);
    if (hasMore && last !== undefined) {
      const page = this.#read(last.position, upTo);
      // Its fault reaches the reader that asks for it; a reader that has gone does not.
      page.catch(() => undefined);
      this.#ahead = { after: last.position, page };
    }
    return events;
  }

  /** Null also for an empty page: there may be more by now. */
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
