import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
} from '@grpc/grpc-js';
import type { Message } from 'google-protobuf';
import type pg from 'pg';
import { handleAppend, handleDelete } from './compat/append-and-delete.ts';
import { decodeBatchPart, decodeWriteRequest } from './protocol/append-messages.ts';
import { createGuard } from './protocol/authorization.ts';
import { handleBatchAppend } from './protocol/batch-append.ts';
import { dropRepeatedAppends, type Faults } from './protocol/fault-injection.ts';
import { OpenCalls } from './protocol/flow.ts';
import { encodeUuid } from './protocol/messages.ts';
import { handleRead } from './protocol/read.ts';
import { type HostKind, publishAddress, readerPool, withdrawAddress } from './store/connections.ts';
import { describeError } from './store/errors.ts';
import { Reader } from './store/reader.ts';
import { Writer } from './store/writer.ts';

/** Version that the node reports and whose protocol it implements. */
const SERVER_VERSION = '23.10.0';
const MAX_MESSAGE_BYTES = 17 * 1024 * 1024;
const SHUTDOWN_MS = 2_000;

const asBytes = (answer: Message | Buffer): Buffer =>
  Buffer.isBuffer(answer) ? answer : Buffer.from(answer.serializeBinary());

const generated = streamsGrpc.StreamsService;
const writeCodec = { requestDeserialize: decodeWriteRequest, responseSerialize: asBytes };

/** Generated service definition with our own encoding of events and of requests to write. */
const STREAMS_SERVICE: ServiceDefinition = {
  read: { ...generated.read, responseSerialize: asBytes },
  append: { ...generated.append, ...writeCodec },
  batchAppend: { ...generated.batchAppend, ...writeCodec, requestDeserialize: decodeBatchPart },
  delete: { ...generated.delete, ...writeCodec },
  tombstone: { ...generated.tombstone, ...writeCodec },
};

interface NodeOptions {
  readonly databaseUrl: string;
  readonly hostKind: HostKind;
  readonly authorization: string | null;
  readonly onLog: (line: object) => void;
  /** For tests. */
  readonly faults?: Faults;
}

export interface EventStoreNode {
  /** 0 for any free port. Rejects if the port is taken. */
  readonly listen: (port: number) => Promise<number>;
  /** Finishes pending writes, fails open streams with UNAVAILABLE, and releases the lock. */
  readonly stop: () => Promise<void>;
}

const buildSupportedMethods = (): SupportedMethods => {
  const methods = new features.SupportedMethods().setEventStoreServerVersion(SERVER_VERSION);
  for (const name of ['read', 'append', 'batchappend', 'delete', 'tombstone']) {
    methods.addMethods(
      new features.SupportedMethod()
        .setServiceName('event_store.client.streams.streams')
        .setMethodName(name),
    );
  }
  return methods;
};

const buildClusterInfo = (instanceId: string, port: number): ClusterInfo => {
  const member = new gossip.MemberInfo()
    .setInstanceId(encodeUuid(instanceId, true))
    .setTimeStamp(String(BigInt(Date.now()) * 10_000n))
    .setState(gossip.MemberInfo.VNodeState.LEADER)
    .setIsAlive(true)
    .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port));
  const info = new gossip.ClusterInfo();
  info.addMembers(member);
  return info;
};

/** Opens the log of a database, or returns `null` if another node has the lock, or the connection ended. */
export const openNode = async (options: NodeOptions): Promise<EventStoreNode | null> => {
  const { databaseUrl, hostKind, authorization, onLog, faults = {} } = options;
  const pool = readerPool(databaseUrl);
  const reader = new Reader(pool);
  const calls = new OpenCalls();
  let port = 0;
  let locked: pg.Client | null = null;
  const writer = new Writer({
    databaseUrl,
    reader,
    onLog,
    onLocked: async (client) => {
      locked = client;
      if (port === 0) await withdrawAddress(client);
      else await publishAddress(client, port, hostKind);
    },
  });
  let isOpen = false;
  try {
    isOpen = await writer.open();
  } finally {
    if (!isOpen) await pool.end();
  }
  if (!isOpen) return null;

  const instanceId = randomUUID();
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  });
  const onFault = (thrown: unknown) =>
    onLog({ level: 'warn', event: 'read-failed', ...describeError(thrown) });
  const guarded = createGuard(authorization);
  const appender = dropRepeatedAppends(writer, faults);
  server.addService(STREAMS_SERVICE, {
    read: guarded(handleRead({ reader, writer, faults }, calls, onFault)),
    append: guarded(handleAppend(appender)),
    batchAppend: guarded(handleBatchAppend(appender, calls)),
    delete: guarded(handleDelete(writer, 'delete')),
    tombstone: guarded(handleDelete(writer, 'tombstone')),
  });
  // Without authentication, as on the real server: the client requests this without credentials.
  server.addService(featuresGrpc.ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, done: sendUnaryData<SupportedMethods>) =>
      done(null, buildSupportedMethods()),
  });
  server.addService(gossipGrpc.GossipService, {
    read: guarded(
      (_call: ServerUnaryCall<unknown, ClusterInfo>, done: sendUnaryData<ClusterInfo>) =>
        done(null, buildClusterInfo(instanceId, port)),
    ),
  });

  return {
    listen: async (preferredPort) => {
      port = await new Promise<number>((resolve, reject) => {
        server.bindAsync(
          `127.0.0.1:${preferredPort}`,
          ServerCredentials.createInsecure(),
          (error, bound) => (error === null ? resolve(bound) : reject(error)),
        );
      });
      if (locked !== null) await publishAddress(locked, port, hostKind);
      return port;
    },
    stop: async () => {
      // Closes the port before releasing the lock, so the next node can listen on it.
      const isShut = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      await writer.stop();
      calls.failAll();
      await Promise.race([isShut, delay(SHUTDOWN_MS, undefined, { ref: false })]);
      server.forceShutdown();
      await pool.end();
    },
  };
};
