import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import {
  ANY,
  type AppendResult,
  type AppendToStreamOptions,
  type EventData,
  EventStoreDBClient,
} from '@eventstore/db-client';
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { convertToCommandError } from '@eventstore/db-client/dist/utils/CommandError.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import {
  type CallOptions,
  type Channel,
  connectivityState,
  type Client as GrpcClient,
  Metadata,
  type StatusObject,
  status,
} from '@grpc/grpc-js';
import { EventLogUnavailable } from '../../../domain/event-log-errors.ts';
import { findCertificateProblem } from '../../crypto/certificate-problem.ts';
import { type AppendCall, AppendStream } from './append-stream.ts';
import { decodeAppendResponse } from './append-wire.ts';
import { coalesceWrites } from './coalesce-writes.ts';
import { type LogAddress, withGossipTimeout } from './log-address.ts';
import { decodeReadResponse } from './read-wire.ts';

const LOOPBACK = ['127.0.0.0/8', '::1', 'localhost'];

/** gRPC reads its exceptions from the environment before each connection. */
const bypassProxyForLoopback = (): void => {
  const { no_grpc_proxy, no_proxy = '' } = process.env;
  const listed = (no_grpc_proxy || no_proxy).split(',').filter((host) => host !== '');
  process.env['no_grpc_proxy'] = [...new Set([...listed, ...LOOPBACK])].join(',');
};

/** Members missing from the client's public types. */
interface PrivateCalls {
  callArguments(options: object, callOptions?: object): [Metadata, CallOptions];
}

/** Without TLS, the client drops its own credentials, as gRPC does; a header is not dropped. */
export const addAuthorizationHeader = (client: EventStoreDBClient, authorization: string): void => {
  const parts = client as unknown as PrivateCalls;
  const { callArguments } = parts;
  parts.callArguments = (options, callOptions) => {
    const [metadata, settings] = callArguments(options, callOptions);
    metadata.set('authorization', authorization);
    return [metadata, settings];
  };
};

type Create = (client: GrpcClient) => unknown;
type CallSettings = readonly [Metadata, CallOptions];

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
  getChannel(): Promise<object>;
  handleError(client: Pick<GrpcClient, 'getChannel'>, error: Error): Promise<void>;
  supports(method: unknown): Promise<boolean>;
}

coalesceWrites();
bypassProxyForLoopback();

const { StreamsClient, StreamsService } = streamsGrpc;
const { batchAppend, read } = StreamsService;

/** One connection to one node. A client that connects again has another one. */
export type LogConnection = object;

export interface LogClient extends EventStoreDBClient {
  /** Current connection, which may be about to open. */
  connection(): Promise<LogConnection>;
  /** Appends over this connection. @throws EventLogUnavailable if it has ended */
  appendOver(
    connection: LogConnection,
    stream: string,
    events: readonly EventData[],
    options: AppendToStreamOptions,
  ): Promise<AppendResult>;
}

/** The client's own append loses responses when another connection breaks. @see docs/design/event-log.md */
export const createLogClient = ({ connectionString, authorization }: LogAddress): LogClient => {
  const client = EventStoreDBClient.connectionString(withGossipTimeout(connectionString));
  if (authorization !== undefined) addAuthorizationHeader(client, authorization);
  const parts = client as unknown as PrivateClient;
  decodeEvents(parts);
  widenWindows(parts);
  keepFaultsReadable(parts);
  endChannelsWithConnection(parts);
  explainFailedSearch(parts, connectionString);
  const appendCalls = new WeakMap<GrpcClient, unknown>();
  const appendStreams = new WeakMap<object, AppendStream>();

  /** Append stream of a connection. @throws EventLogUnavailable if it is not the current one */
  const openAppendStream = async (
    connection: LogConnection,
    options: AppendToStreamOptions,
  ): Promise<AppendStream> => {
    const call = (await parts.GRPCStreamCreator(
      StreamsClient,
      'appendToStream',
      (grpc) => openAppends(grpc, parts.callArguments(options, { deadline: Infinity })),
      appendCalls,
    )()) as OpenCall;
    if (call.connection !== connection) throw new EventLogUnavailable(ENDED);
    const known = appendStreams.get(call);
    if (known !== undefined) return known;
    const made = new AppendStream(call);
    appendStreams.set(call, made);
    return made;
  };

  return Object.assign(client, {
    connection: () => parts.getChannel(),

    async appendOver(
      connection: LogConnection,
      stream: string,
      events: readonly EventData[],
      options: AppendToStreamOptions,
    ): Promise<AppendResult> {
      // Like the client: use the long-lived stream if the server has it.
      if (!(await parts.supports(batchAppend))) {
        if ((await parts.getChannel()) !== connection) throw new EventLogUnavailable(ENDED);
        return client.appendToStream(stream, [...events], options);
      }
      const { expectedRevision = ANY, deadline } = options;
      const appends = await openAppendStream(connection, options);
      const deadlineMs = deadline ?? parts.createDeadline().getTime() - Date.now();
      return appends.append({ stream, expected: expectedRevision, deadlineMs }, events);
    },
  });
};

const ENDED = 'The connection of an append has ended.';

/** Otherwise a channel reconnects by itself, maybe to another log, and sends it what was for the first. */
const endChannelsWithConnection = (parts: PrivateClient): void => {
  const { createChannel } = parts;
  parts.createChannel = async () => {
    const channel = (await createChannel()) as Channel;
    let wasConnected = false;
    const watch = (): void => {
      const state = channel.getConnectivityState(false);
      if (state === connectivityState.SHUTDOWN) return;
      if (wasConnected && state !== connectivityState.READY) {
        channel.close();
        void parts.handleError({ getChannel: () => channel }, createConnectionEnd());
        return;
      }
      wasConnected ||= state === connectivityState.READY;
      channel.watchConnectivityState(state, Infinity, watch);
    };
    watch();
    return channel;
  };
};

/** The client's search for a leader does not say that it refused the certificates of all nodes. */
const explainFailedSearch = (parts: PrivateClient, address: string): void => {
  const { createChannel } = parts;
  parts.createChannel = async () => {
    try {
      return await createChannel();
    } catch (error) {
      throw (await findRefusedCertificate(address)) ?? error;
    }
  };
};

const PROBE_TIMEOUT_MS = 1_000;

/** Error of a TLS connection to the first node of an address, if it is about the certificate. */
const findRefusedCertificate = async (address: string): Promise<Error | null> => {
  const { tls, tlsCAFile, hosts } = parseConnectionString(address);
  const [node] = hosts;
  if (tls === false || node === undefined) return null;
  const { address: host, port } = node;
  const ca = tlsCAFile && (await readFile(tlsCAFile));
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      ...(ca && { ca }),
      ...(!isIP(host) && { servername: host }),
    });
    const end = (error: Error | null) => {
      socket.destroy();
      resolve(findCertificateProblem(error) === null ? null : error);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => end(null));
    socket.once('secureConnect', () => end(null));
    socket.on('error', end);
  });
};

/** Error of a call whose connection ended, after which the client opens another one. */
const createConnectionEnd = (): Error => {
  const details = 'The connection has ended.';
  const metadata = new Metadata();
  return Object.assign(new Error(details), { code: status.UNAVAILABLE, details, metadata });
};

/** HTTP/2's default of 64 KiB is only some forty events, so the log would keep waiting for a busy reader. */
const WINDOW_BYTES = 1024 * 1024;

/** Channel, which connects on its first call. gRPC's types hide its options. */
interface PrivateChannel {
  readonly internalChannel?: { getOptions(): Record<string, unknown> };
}

const widenWindows = (parts: PrivateClient): void => {
  const { createChannel } = parts;
  parts.createChannel = async () => {
    const channel: PrivateChannel = await createChannel();
    const options = channel.internalChannel?.getOptions();
    if (options !== undefined) options['grpc-node.flow_control_window'] = WINDOW_BYTES;
    return channel;
  };
};

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

/** If a server omits a part of an exception, the client throws in a listener, which ends the process. */
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

type OpenCall = AppendCall & { readonly connection: LogConnection };

const openAppends = (grpc: GrpcClient, [metadata, options]: CallSettings): OpenCall =>
  Object.assign(
    grpc.makeBidiStreamRequest(batchAppend.path, asSent, decodeAppendResponse, metadata, options),
    { connection: grpc.getChannel() },
  );

/** Makes the client's reads and subscriptions decode with {@link decodeReadResponse}. */
const decodeEvents = (parts: PrivateClient): void => {
  const create = parts.GRPCStreamCreator;
  parts.GRPCStreamCreator = (service, name, creator, cache) =>
    create(service, name, (grpc) => creator(withLightReads(grpc)), cache);
};

const createRead =
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
      if (property === 'read') return createRead(target);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
