import type { Writable } from 'node:stream';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { batchWrites } from '../../package-internals/node/batch-writes.ts';
import { unavailable } from '../store/errors.ts';
import type { RecordedEvent } from '../store/event.ts';
import { encodeReadEvent, encodeReadLink } from './event-messages.ts';

const BIG_BYTES = 32 * 1024;

/** Writes to a call prepared by {@link batchWrites}. Returns false if its buffer is full. */
export const writeBatched = (call: Writable, message: unknown, written?: () => void): boolean => {
  if (call.writableCorked === 0) {
    call.cork();
    process.nextTick(() => call.uncork());
  }
  return call.write(message, written);
};

export type Failure = ReturnType<typeof unavailable>;

export class OpenCalls {
  readonly #failures = new Set<(failure: Failure) => void>();

  add(fail: (failure: Failure) => void): () => void {
    this.#failures.add(fail);
    return () => this.#failures.delete(fail);
  }

  /** Fails all calls with UNAVAILABLE. An OK status would leave appends pending forever. */
  failAll(): void {
    for (const fail of [...this.#failures]) fail(unavailable());
    this.#failures.clear();
  }
}

/** Response of a read. Events are already serialized, other responses are messages. */
export type ReadAnswer = ReadResp | Buffer;

/** Backpressure: the producer waits for buffer space, so it produces nothing while the client does not read. */
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

  get isOver(): boolean {
    return this.#hasEnded || this.#call.cancelled;
  }

  /** False if the call is over. A promise only if the buffer is full and must drain first. */
  send(message: ReadAnswer): boolean | Promise<boolean> {
    if (this.isOver) return false;
    return writeBatched(this.#call, message) || this.#room().then(() => !this.isOver);
  }

  /** Sends an event like {@link send}. After a large one, waits until it has left the process. */
  sendEvent(event: RecordedEvent, isStructured: boolean): boolean | Promise<boolean> {
    return this.#sendSerialized(encodeReadEvent(event, isStructured));
  }

  sendLink(
    link: RecordedEvent,
    target: RecordedEvent | null,
    isStructured: boolean,
  ): boolean | Promise<boolean> {
    return this.#sendSerialized(encodeReadLink(link, target, isStructured));
  }

  #sendSerialized(message: Buffer): boolean | Promise<boolean> {
    if (message.length < BIG_BYTES) return this.send(message);
    // A stream's buffer counts messages, not bytes.
    const hasLeft = this.waitFor((wake) => {
      writeBatched(this.#call, message, wake);
      return () => undefined;
    });
    return hasLeft.then(() => !this.isOver);
  }

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

  end(): void {
    if (!this.isOver) this.#call.end();
  }

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
