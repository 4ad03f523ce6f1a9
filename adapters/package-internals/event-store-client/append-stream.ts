import { randomUUID } from 'node:crypto';
import type { AppendResult, EventData } from '@eventstore/db-client';
import { unpackToCommandError } from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import { convertToCommandError } from '@eventstore/db-client/dist/utils/CommandError.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { EventLogUnavailable } from '../../../domain/event-log-errors.ts';
import {
  type AppendOptions,
  type AppendResponse,
  encodeAppendRequest,
  type SerializedEvent,
  serializeEvent,
} from './append-wire.ts';

/** Maximum size of one message, as in the client. We split larger appends. */
const MESSAGE_BYTES = 3 * 1024 * 1024;
const EVENT_OVERHEAD_BYTES = 200;

interface Pending {
  readonly stream: string;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
}

/** gRPC call for appends and their responses. */
export type AppendCall = ClientDuplexStream<Buffer, AppendResponse>;

/** A broken call rejects only its own appends. The client would drop those of all its connections. */
export class AppendStream {
  readonly #call: AppendCall;
  readonly #pending = new Map<string, Pending>();

  constructor(call: AppendCall) {
    this.#call = call;
    call.on('data', (answer: AppendResponse) => this.#answer(answer));
    call.on('error', (error: ServiceError) => this.#fail(convertToCommandError(error)));
    // The call ended with OK, so we do not know if the pending appends were written.
    const end = () => this.#fail(new EventLogUnavailable('The append stream has ended.'));
    // The client keeps a call until both sides have ended.
    call.on('end', () => {
      end();
      call.end();
    });
    call.on('close', end);
  }

  append(options: AppendOptions, events: readonly EventData[]): Promise<AppendResult> {
    const { stream } = options;
    const correlation = randomUUID();
    return new Promise((resolve, reject) => {
      const parts = inParts(events.map(serializeEvent));
      if (this.#call.destroyed || this.#call.writableEnded)
        throw new EventLogUnavailable('The append stream has ended.');
      this.#pending.set(correlation, { stream, resolve, reject });
      for (const [index, part] of parts.entries()) {
        const head = index === 0 ? options : null;
        this.#call.write(encodeAppendRequest(correlation, head, part, index === parts.length - 1));
      }
    });
  }

  #answer({ correlation, error, revision, position }: AppendResponse): void {
    const pending = this.#pending.get(correlation);
    if (pending === undefined) return;
    this.#pending.delete(correlation);
    if (error !== null) pending.reject(unpackedError(error, pending.stream));
    else
      pending.resolve({
        success: true,
        nextExpectedRevision: revision,
        ...(position === null ? {} : { position: { commit: position, prepare: position } }),
      });
  }

  #fail(error: Error): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }
}

/** If we threw an unreadable error into the call, it would end the process. */
const unpackedError = (error: Status, stream: string): Error => {
  try {
    return unpackToCommandError(error, stream);
  } catch (cause) {
    return new EventLogUnavailable('An append was refused with an error that cannot be read.', {
      cause,
    });
  }
};

/** Groups of events that fit into one message each. Always at least one. */
const inParts = (events: readonly SerializedEvent[]): SerializedEvent[][] => {
  let part: SerializedEvent[] = [];
  let bytes = 0;
  const parts = [part];
  for (const event of events) {
    const size = event.data.length + event.metadata.length + EVENT_OVERHEAD_BYTES;
    if (part.length > 0 && bytes + size > MESSAGE_BYTES) {
      part = [];
      bytes = 0;
      parts.push(part);
    }
    part.push(event);
    bytes += size;
  }
  return parts;
};
