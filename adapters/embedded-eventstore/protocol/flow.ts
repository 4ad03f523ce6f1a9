import type { Writable } from 'node:stream';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { batchWrites } from '../../private-parts/node/batch-writes.ts';
import { unavailable } from '../store/errors.ts';
import type { RecordedEvent } from '../store/event.ts';
import { encodeReadEvent, encodeReadLink } from './event-messages.ts';

const BIG_BYTES = 32 * 1024;

/** Writes to a call prepared by {@link batchWrites}; false when its buffer is full. */
export const writeBatched = (call: Writable, message: unknown, written?: () => void): boolean => {
  if (call.writableCorked === 0) {
    call.cork();
    process.nextTick(() => call.uncork());
  }
  return call.write(message, written);
};

/** The failure of a call: code, text and trailers. */
export type Failure = ReturnType<typeof unavailable>;

/** The long calls under way, which have to be failed when the node stops. */
export class OpenCalls {
  readonly #failures = new Set<(failure: Failure) => void>();

  /** Notes a call by what fails it; the returned function strikes it off. */
  add(fail: (failure: Failure) => void): () => void {
    this.#failures.add(fail);
    return () => this.#failures.delete(fail);
  }

  /** Fails them all with UNAVAILABLE: ended with OK, they would leave appends pending for ever. */
  failAll(): void {
    for (const fail of [...this.#failures]) fail(unavailable());
    this.#failures.clear();
  }
}

/** An answer of a read: an event is serialized already, anything else is still a message. */
export type ReadAnswer = ReadResp | Buffer;

/**
 * One answering stream with its end in view. Nothing is produced while the client does not
 * read: the producer asks for room before each page and each event.
 */
export class Flow {
  readonly #call: ServerWritableStream<unknown, ReadAnswer>;
  readonly #ended = new AbortController();
  #hasEnded = false;

  constructor(call: ServerWritableStream<unknown, ReadAnswer>) {
    this.#call = call;
    batchWrites(call);
    const end = () => {
      this.#hasEnded = true;
      this.#ended.abort();
    };
    call.once('cancelled', end);
    call.once('close', end);
    call.once('error', end);
  }

  /** True once the client has gone or the call has been answered. */
  get isOver(): boolean {
    return this.#hasEnded || this.#call.cancelled;
  }

  /**
   * Sends a message; false when the call is over, a promise only when the buffer is full and there
   * has to be room first.
   */
  send(message: ReadAnswer): boolean | Promise<boolean> {
    if (this.isOver) return false;
    return writeBatched(this.#call, message) || this.#room().then(() => !this.isOver);
  }

  /** As {@link send}, of an event; after a big one it waits until that has left the process. */
  sendEvent(event: RecordedEvent, isStructured: boolean): boolean | Promise<boolean> {
    return this.#sendSerialised(encodeReadEvent(event, isStructured));
  }

  /** As {@link sendEvent}, of a link with the event that it leads to; null: there is none. */
  sendLink(
    link: RecordedEvent,
    target: RecordedEvent | null,
    isStructured: boolean,
  ): boolean | Promise<boolean> {
    return this.#sendSerialised(encodeReadLink(link, target, isStructured));
  }

  #sendSerialised(message: Buffer): boolean | Promise<boolean> {
    if (message.length < BIG_BYTES) return this.send(message);
    // The buffer of a stream counts messages, not bytes.
    const hasLeft = this.waitFor((wake) => {
      writeBatched(this.#call, message, wake);
      return () => undefined;
    });
    return hasLeft.then(() => !this.isOver);
  }

  /** Waits until the subscriber calls back, or the call is over. */
  async waitFor(subscribe: (wake: () => void) => () => void): Promise<void> {
    if (this.isOver) return;
    const { signal } = this.#ended;
    let release = (): void => undefined;
    await new Promise<void>((resolve) => {
      const wake = () => resolve();
      signal.addEventListener('abort', wake, { once: true });
      const leave = subscribe(wake);
      release = () => {
        signal.removeEventListener('abort', wake);
        leave();
      };
    });
    release();
  }

  /** Ends the call with status OK. */
  end(): void {
    if (!this.isOver) this.#call.end();
  }

  /** Ends the call with an error. */
  fail(failure: Failure): void {
    if (!this.isOver) this.#call.emit('error', failure);
  }

  #room(): Promise<void> {
    return this.waitFor((wake) => {
      this.#call.once('drain', wake);
      return () => this.#call.removeListener('drain', wake);
    });
  }
}
