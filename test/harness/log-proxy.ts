import { readFileSync } from 'node:fs';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import type { ShownCertificate } from './certificates.ts';

/** A call that the proxy is about to pass on. */
export interface ProxiedCall {
  readonly kind: 'read' | 'append';
  /** Name of the stream, or `$all`. */
  readonly stream: string;
  /** True if only the leader may answer. */
  readonly requiresLeader: boolean;
}

/**
 * Refusal as EventStoreDB gives it: wrong credentials, missing rights, or the address of the
 * leader, which may be of no use to the caller.
 */
export type Refusal = 'unauthenticated' | 'denied' | { readonly leaderPort: number };

/** A node between the registry and a log, which may refuse what EventStoreDB would. */
export interface LogProxy {
  readonly port: number;
  /** Decides about each call from now on; `null` passes it on. */
  refuses(rule: (call: ProxiedCall) => Refusal | null): void;
  /** Port that it names as the leader of the cluster when it is asked for the members. */
  namesLeader(port: number): void;
  stop(): void;
}

const same = (bytes: Buffer): Buffer => bytes;
const raw = {
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
};
const STREAMS = '/event_store.client.streams.Streams';
const READ = `${STREAMS}/Read`;
const BATCH_APPEND = `${STREAMS}/BatchAppend`;
const FEATURES = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods';
const GOSSIP = '/event_store.client.gossip.Gossip/Read';

const SERVICE: ServiceDefinition = {
  read: { path: READ, requestStream: false, responseStream: true, ...raw },
  batchAppend: { path: BATCH_APPEND, requestStream: true, responseStream: true, ...raw },
  features: { path: FEATURES, requestStream: false, responseStream: false, ...raw },
  gossip: { path: GOSSIP, requestStream: false, responseStream: false, ...raw },
};

/**
 * Starts a proxy in front of a node that asks for no password.
 * @param certificate shows it, and speaks TLS
 */
export const proxyLog = async (
  target: number,
  certificate: ShownCertificate | null = null,
): Promise<LogProxy> => {
  const shown =
    certificate === null
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [
          {
            private_key: readFileSync(certificate.key),
            cert_chain: readFileSync(certificate.cert),
          },
        ]);
  const onward = new Client(`127.0.0.1:${target}`, credentials.createInsecure());
  const server = new Server();
  let rule: (call: ProxiedCall) => Refusal | null = () => null;
  let leaderPort = 0;
  server.addService(SERVICE, {
    read(call: ServerWritableStream<Buffer, Buffer>) {
      const stream = readStreamName(call.request);
      const refusal = rule({ kind: 'read', stream, requiresLeader: asksLeader(call.metadata) });
      if (refusal !== null) return void call.emit('error', buildFailure(refusal));
      const passed = onward.makeServerStreamRequest(READ, same, same, call.request, call.metadata);
      passed.on('data', (answer: Buffer) => call.write(answer));
      passed.on('error', (error) => call.emit('error', error));
      passed.on('end', () => call.end());
      call.on('cancelled', () => passed.cancel());
    },
    batchAppend(call: ServerDuplexStream<Buffer, Buffer>) {
      const passed = onward.makeBidiStreamRequest(BATCH_APPEND, same, same, call.metadata);
      passed.on('data', (answer: Buffer) => call.write(answer));
      passed.on('error', (error) => call.emit('error', error));
      passed.on('end', () => call.end());
      call.on('data', (part: Buffer) => {
        const asked = streams.BatchAppendReq.deserializeBinary(part);
        const stream = asked.getOptions()?.getStreamIdentifier()?.getStreamName_asU8();
        const refusal = rule({
          kind: 'append',
          stream: Buffer.from(stream ?? []).toString(),
          requiresLeader: asksLeader(call.metadata),
        });
        if (refusal === null) passed.write(part);
        else if (refusal === 'denied') call.write(buildDeniedAppend(asked));
        else call.emit('error', buildFailure(refusal));
      });
      call.on('end', () => passed.end());
      call.on('cancelled', () => passed.cancel());
    },
    features(call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) {
      onward.makeUnaryRequest(FEATURES, same, same, call.request, (error, answer) =>
        done(error, answer),
      );
    },
    gossip(_call: unknown, done: sendUnaryData<Buffer>) {
      done(null, buildMembers(leaderPort === 0 ? port : leaderPort));
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', shown, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    port,
    refuses(next) {
      rule = next;
    },
    namesLeader(leader) {
      leaderPort = leader;
    },
    stop() {
      server.forceShutdown();
      onward.close();
    },
  };
};

const asksLeader = (metadata: Metadata): boolean => metadata.get('requires-leader')[0] === 'true';

const readStreamName = (request: Buffer): string => {
  const options = streams.ReadReq.deserializeBinary(request).getOptions();
  const name = options?.getStream()?.getStreamIdentifier()?.getStreamName_asU8();
  return name === undefined ? '$all' : Buffer.from(name).toString();
};

const buildFailure = (refusal: Refusal) => {
  const metadata = new Metadata();
  if (refusal === 'unauthenticated')
    return { code: status.UNAUTHENTICATED, details: 'Unauthenticated', metadata };
  if (refusal === 'denied') {
    metadata.set('exception', 'access-denied');
    return { code: status.PERMISSION_DENIED, details: 'Access Denied', metadata };
  }
  metadata.set('exception', 'not-leader');
  metadata.set('leader-endpoint-host', '127.0.0.1');
  metadata.set('leader-endpoint-port', String(refusal.leaderPort));
  return { code: status.NOT_FOUND, details: 'Leader info available', metadata };
};

/** An append is refused within its call, which goes on. */
const buildDeniedAppend = (asked: InstanceType<typeof streams.BatchAppendReq>): Buffer => {
  const details = new anyPb.Any();
  details.pack(new shared.AccessDenied().serializeBinary(), 'event_store.client.AccessDenied');
  const refused = new statusPb.Status().setMessage('Access Denied').setDetails(details);
  const answer = new streams.BatchAppendResp()
    .setCorrelationId(asked.getCorrelationId())
    .setError(refused);
  return Buffer.from(answer.serializeBinary());
};

const buildMembers = (leaderPort: number): Buffer => {
  const leader = new gossip.MemberInfo()
    .setInstanceId(new shared.UUID().setString('00000000-0000-4000-8000-000000000001'))
    .setTimeStamp('0')
    .setState(gossip.MemberInfo.VNodeState.LEADER)
    .setIsAlive(true)
    .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(leaderPort));
  const members = new gossip.ClusterInfo();
  members.addMembers(leader);
  return Buffer.from(members.serializeBinary());
};
