import { ANY, type AppendToStreamOptions, EventStoreDBClient } from '@eventstore/db-client';
import { convertToCommandError } from '@eventstore/db-client/dist/utils/CommandError.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { CallOptions, Client as GrpcClient, Metadata, StatusObject } from '@grpc/grpc-js';
import { addAuthorizationHeader } from './add-authorization-header.ts';
import { type AppendCall, AppendStream } from './append-stream.ts';
import { decodeAppendResponse } from './append-wire.ts';
import { coalesceWrites } from './coalesce-writes.ts';
import type { LogAddress } from './log-address.ts';
import { bypassProxyForLoopback } from './no-proxy-for-loopback.ts';
import { decodeReadResponse } from './read-wire.ts';

type Create = (client: GrpcClient) => unknown;
type CallSettings = readonly [Metadata, CallOptions];

/** What is not in the client's public types. */
interface PrivateClient {
  GRPCStreamCreator(
    service: unknown,
    name: string,
    create: Create,
    cache?: WeakMap<GrpcClient, unknown>,
  ): () => Promise<unknown>;
  callArguments(options: object, callOptions: object): CallSettings;
  createDeadline(ms?: number): Date;
  createChannel(): Promise<object>;
  supports(method: unknown): Promise<boolean>;
}

coalesceWrites();
bypassProxyForLoopback();

const { StreamsClient, StreamsService } = streamsGrpc;
const { batchAppend, read } = StreamsService;

/**
 * The client with an append and a decoding of events of our own, over its own connections and
 * with its own results and errors. Its append loses answers when another connection breaks, and
 * both take twice the processor time of these.
 * @see docs/decisions/2026-11-20-event-log-and-embedded-node.md
 */
export const createLogClient = ({
  connectionString,
  authorization,
}: LogAddress): EventStoreDBClient => {
  const client = EventStoreDBClient.connectionString(connectionString);
  if (authorization !== undefined) addAuthorizationHeader(client, authorization);
  const parts = client as unknown as PrivateClient;
  decodeEvents(parts);
  widenWindows(parts);
  keepFaultsReadable(parts);
  const appendCalls = new WeakMap<GrpcClient, unknown>();
  const appendStreams = new WeakMap<object, AppendStream>();
  const appendByClient = client.appendToStream.bind(client);

  /** The one append stream of the connection in use; a new connection gets a new one. */
  const appendStream = async (options: AppendToStreamOptions): Promise<AppendStream> => {
    const call = (await parts.GRPCStreamCreator(
      StreamsClient,
      'appendToStream',
      (grpc) => openAppends(grpc, parts.callArguments(options, { deadline: Infinity })),
      appendCalls,
    )()) as AppendCall;
    const known = appendStreams.get(call);
    if (known !== undefined) return known;
    const made = new AppendStream(call);
    appendStreams.set(call, made);
    return made;
  };

  client.appendToStream = async (stream, events, options = {}) => {
    // As the client does: over the long stream, unless the server has none or the call has a name.
    if (options.credentials !== undefined || !(await parts.supports(batchAppend)))
      return appendByClient(stream, events, options);
    const { expectedRevision = ANY, deadline } = options;
    const appends = await appendStream(options);
    const deadlineMs = deadline ?? parts.createDeadline().getTime() - Date.now();
    return appends.append(
      { stream, expected: expectedRevision, deadlineMs },
      Array.isArray(events) ? events : [events],
    );
  };
  return client;
};

/**
 * Bytes that the log may send before it has heard that the ones before were read. With HTTP/2's own
 * 64 KiB, which are some forty events, it stops and waits for a busy reader all the time: rebuilds
 * of 102,303 events took 8.3 to 9.3 s instead of 9.1 to 10 in four pairs of runs.
 */
const WINDOW_BYTES = 1024 * 1024;

/** A channel, which connects with its first call; gRPC's types do not show its settings. */
interface PrivateChannel {
  readonly internalChannel?: { getOptions(): Record<string, unknown> };
}

/** Gives the client's channels a setting of gRPC that it has no option for. */
const widenWindows = (parts: PrivateClient): void => {
  const { createChannel } = parts;
  parts.createChannel = async () => {
    const channel: PrivateChannel = await createChannel();
    const options = channel.internalChannel?.getOptions();
    if (options !== undefined) options['grpc-node.flow_control_window'] = WINDOW_BYTES;
    return channel;
  };
};

/** The part of a channel's calls that matters here. */
interface PrivateCalls {
  createCall(...args: readonly unknown[]): {
    start(metadata: Metadata, listener: CallListener): void;
  };
}

interface CallListener {
  readonly onReceiveMetadata: (metadata: Metadata) => void;
  readonly onReceiveMessage: (message: unknown) => void;
  readonly onReceiveStatus: (status: StatusObject) => void;
}

/**
 * Where a server names an exception and leaves out a part of it, the client throws in a listener, which would
 * end the process. The exception is dropped then; the code of the status stays.
 */
const keepFaultsReadable = (parts: PrivateClient): void => {
  const { createChannel } = parts;
  parts.createChannel = async () => {
    const channel = (await createChannel()) as PrivateCalls;
    const createCall = channel.createCall.bind(channel);
    channel.createCall = (...args) => {
      const call = createCall(...args);
      const start = call.start.bind(call);
      call.start = (metadata, listener) =>
        start(metadata, {
          onReceiveMetadata: (received) => listener.onReceiveMetadata(received),
          onReceiveMessage: (message) => listener.onReceiveMessage(message),
          onReceiveStatus: (status) => listener.onReceiveStatus(readableStatus(status)),
        });
      return call;
    };
    return channel;
  };
};

const readableStatus = (status: StatusObject): StatusObject => {
  try {
    convertToCommandError({ ...status, name: '', message: '' });
  } catch {
    status.metadata.remove('exception');
  }
  return status;
};

const asSent = (bytes: Buffer): Buffer => bytes;

const openAppends = (grpc: GrpcClient, [metadata, options]: CallSettings): AppendCall =>
  grpc.makeBidiStreamRequest(batchAppend.path, asSent, decodeAppendResponse, metadata, options);

/** Lets reads and subscriptions of the client decode what they receive with {@link decodeReadResponse}. */
const decodeEvents = (parts: PrivateClient): void => {
  const create = parts.GRPCStreamCreator;
  parts.GRPCStreamCreator = (service, name, creator, cache) =>
    create(service, name, (grpc) => creator(withLightReads(grpc)), cache);
};

const readsOf =
  (grpc: GrpcClient) =>
  (request: ReadReq, ...[metadata, options]: CallSettings) =>
    grpc.makeServerStreamRequest(
      read.path,
      read.requestSerialize,
      decodeReadResponse,
      request,
      metadata,
      options,
    );

const withLightReads = (grpc: GrpcClient): GrpcClient =>
  new Proxy(grpc, {
    get(target, property) {
      if (property === 'read') return readsOf(target);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
