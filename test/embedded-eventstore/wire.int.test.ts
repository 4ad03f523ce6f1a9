import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import persistentGrpc from '@eventstore/db-client/generated/persistent_grpc_pb.js';
import persistent from '@eventstore/db-client/generated/persistent_pb.js';
import featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { v4 } from 'uuid';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { within } from '../harness/eventually.ts';
import { freePort } from '../harness/ports.ts';
import {
  type LogUnderTest,
  type OwnNode,
  startOwnLog,
  uniqueStream,
} from './support/log-under-test.ts';

const test = suite('wire');
let log: LogUnderTest & { readonly own: OwnNode };
let address = '';
let client: InstanceType<typeof streamsGrpc.StreamsClient>;

test.before(async () => {
  log = await startOwnLog(await freePort());
  address = /esdb:\/\/([^?]+)/u.exec(log.connectionString)?.[1] ?? '';
  client = new streamsGrpc.StreamsClient(address, credentials.createInsecure());
});

test.after(async () => {
  client.close();
  await log.stop();
});

const identifier = (name: string) =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(name, 'utf8'));

const proposed = (id = v4()) => {
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(id))
    .setData(Buffer.from('{}'));
  message.getMetadataMap().set('type', 'Tried').set('content-type', 'application/json');
  return message;
};

const part = (correlation: string, isFinal: boolean) =>
  new streams.BatchAppendReq()
    .setCorrelationId(new shared.UUID().setString(correlation))
    .setIsFinal(isFinal);

const batchOptions = (stream: string) =>
  new streams.BatchAppendReq.Options().setStreamIdentifier(identifier(stream));

/** Sends parts over one stream and collects as many answers. */
const batch = (
  parts: readonly InstanceType<typeof streams.BatchAppendReq>[],
  answers: number,
): Promise<BatchAppendResp[]> =>
  within(
    'the answers',
    new Promise((resolve, reject) => {
      const found: BatchAppendResp[] = [];
      const call = client.batchAppend();
      call.on('error', reject);
      call.on('data', (answer: BatchAppendResp) => {
        found.push(answer);
        if (found.length === answers) call.end();
      });
      call.on('end', () => resolve(found));
      for (const request of parts) call.write(request);
    }),
  );

const read = (options: InstanceType<typeof streams.ReadReq.Options>): Promise<ReadResp[]> =>
  new Promise((resolve, reject) => {
    const found: ReadResp[] = [];
    const call = client.read(new streams.ReadReq().setOptions(options));
    call.on('data', (answer: ReadResp) => found.push(answer));
    call.on('error', reject);
    call.on('end', () => resolve(found));
  });

const streamRead = (stream: string) =>
  new streams.ReadReq.Options()
    .setStream(
      new streams.ReadReq.Options.StreamOptions()
        .setStreamIdentifier(identifier(stream))
        .setStart(new shared.Empty()),
    )
    .setCount('100')
    .setNoFilter(new shared.Empty());

const failureOf = (start: (done: (error: ServiceError | null) => void) => unknown) =>
  new Promise<ServiceError | null>((resolve) => start(resolve));

test('the features name the long append stream in lower case', async () => {
  const features = new featuresGrpc.ServerFeaturesClient(address, credentials.createInsecure());
  const names = await new Promise<string[]>((resolve, reject) => {
    features.getSupportedMethods(new shared.Empty(), (error, answer) => {
      if (error !== null) return reject(error);
      return resolve(
        answer.getMethodsList().map((m) => `${m.getServiceName()}/${m.getMethodName()}`),
      );
    });
  });
  assert.ok(names.includes('event_store.client.streams.streams/batchappend'));
  features.close();
});

test('gossip names one living leader', async () => {
  const gossip = new gossipGrpc.GossipClient(address, credentials.createInsecure());
  const info = await new Promise<ClusterInfo>((resolve, reject) => {
    gossip.read(new shared.Empty(), (error, answer) =>
      error === null ? resolve(answer) : reject(error),
    );
  });
  const [member, ...others] = info.getMembersList();
  assert.equal(others, []);
  assert.is(member?.getState(), 8);
  assert.ok(member?.getIsAlive());
  const endPoint = member?.getHttpEndPoint();
  assert.is(`${endPoint?.getAddress()}:${endPoint?.getPort()}`, address);
  gossip.close();
});

test('what the node does not serve is UNIMPLEMENTED', async () => {
  const subscriptions = new persistentGrpc.PersistentSubscriptionsClient(
    address,
    credentials.createInsecure(),
  );
  const error = await failureOf((done) =>
    subscriptions.list(new persistent.ListReq(), (thrown) => done(thrown)),
  );
  assert.is(error?.code, status.UNIMPLEMENTED);
  subscriptions.close();
});

test('an append in parts, interleaved with another, is one append', async () => {
  const [one, two] = [uniqueStream('parts'), uniqueStream('parts')];
  const [first, second] = [v4(), v4()];
  const withEvents = (request: InstanceType<typeof streams.BatchAppendReq>, count: number) => {
    for (let n = 0; n < count; n += 1) request.addProposedMessages(proposed());
    return request;
  };
  const answers = await batch(
    [
      withEvents(part(first, false).setOptions(batchOptions(one)), 2),
      withEvents(part(second, false).setOptions(batchOptions(two)), 1),
      withEvents(part(first, true), 3),
      part(second, true),
    ],
    2,
  );
  const revisions = answers.map((answer) => answer.getSuccess()?.getCurrentRevision());
  assert.equal(revisions.sort(), ['0', '4']);
});

test('a refusal always carries details, whatever is wrong', async () => {
  const stream = uniqueStream('refused');
  const noType = proposed();
  noType.getMetadataMap().del('type');
  const requests = [
    part(v4(), true).setOptions(batchOptions('')),
    part(v4(), true).setOptions(batchOptions(`${stream}\0`)),
    part(v4(), true).setOptions(batchOptions('x'.repeat(5_000))),
    part(v4(), true).setOptions(
      new streams.BatchAppendReq.Options().setStreamIdentifier(
        new shared.StreamIdentifier().setStreamName(Uint8Array.from([0xff, 0xfe])),
      ),
    ),
    part(v4(), true).setOptions(batchOptions(stream)),
    part(v4(), true).setOptions(batchOptions(stream)),
    part(v4(), true).setOptions(batchOptions(stream).setStreamPosition('18446744073709551615')),
  ];
  requests[4]?.addProposedMessages(noType);
  requests[5]?.addProposedMessages(proposed('no uuid'));
  requests[6]?.addProposedMessages(proposed());
  const answers = await batch(requests, requests.length);
  for (const answer of answers) assert.ok(answer.getError()?.getDetails()?.getTypeName());
});

test('ids are served as text or as two signed integers', async () => {
  const stream = uniqueStream('ids');
  const id = 'fedcba98-7654-4321-8123-456789abcdef';
  const request = part(v4(), true).setOptions(batchOptions(stream));
  const structured = new shared.UUID().setStructured(
    new shared.UUID.Structured()
      .setMostSignificantBits(String(BigInt.asIntN(64, 0xfedcba9876544321n)))
      .setLeastSignificantBits(String(BigInt.asIntN(64, 0x8123456789abcdefn))),
  );
  request.addProposedMessages(proposed().setId(structured));
  await batch([request], 1);
  const [asText] = await read(streamRead(stream));
  assert.is(asText?.getEvent()?.getEvent()?.getId()?.getString(), id);
  const uuids = new streams.ReadReq.Options.UUIDOption().setStructured(new shared.Empty());
  const [asBits] = await read(streamRead(stream).setUuidOption(uuids));
  const bits = asBits?.getEvent()?.getEvent()?.getId()?.getStructured();
  assert.is(bits?.getMostSignificantBits(), String(BigInt.asIntN(64, 0xfedcba9876544321n)));
  assert.is(bits?.getLeastSignificantBits(), String(BigInt.asIntN(64, 0x8123456789abcdefn)));
});

test('a filtered read counts the matching events', async () => {
  const [stream, other] = [uniqueStream('filtered'), uniqueStream('other')];
  const requests = Array.from({ length: 30 }, (_, n) => {
    const request = part(v4(), true).setOptions(batchOptions(n % 3 === 0 ? stream : other));
    request.addProposedMessages(proposed());
    return request;
  });
  await batch(requests, 30);
  const options = () =>
    new streams.ReadReq.Options()
      .setAll(new streams.ReadReq.Options.AllOptions().setStart(new shared.Empty()))
      .setFilter(
        new streams.ReadReq.Options.FilterOptions()
          .setStreamIdentifier(
            new streams.ReadReq.Options.FilterOptions.Expression().setPrefixList([stream]),
          )
          .setCount(new shared.Empty())
          .setCheckpointintervalmultiplier(1),
      );
  assert.is((await read(options().setCount('4'))).length, 4);
  assert.is((await read(options().setCount('1000'))).length, 10);
});

test('a broken filter is the fault of the request', async () => {
  const filter = new streams.ReadReq.Options.FilterOptions().setEventType(
    new streams.ReadReq.Options.FilterOptions.Expression().setRegex('('),
  );
  const options = new streams.ReadReq.Options()
    .setAll(new streams.ReadReq.Options.AllOptions().setStart(new shared.Empty()))
    .setCount('1')
    .setFilter(filter);
  const error = await read(options).catch((thrown: ServiceError) => thrown);
  assert.is('code' in error ? error.code : null, status.INVALID_ARGUMENT);
});

test('a correlation id that is none ends its call, and nothing else', async () => {
  const any = new Client(address, credentials.createInsecure());
  const asIs = (bytes: Buffer) => bytes;
  const path = '/event_store.client.streams.Streams/BatchAppend';
  // Field 1, of three bytes that are no message; then an empty append, which needs an answer of its own.
  const broken = Buffer.concat([
    Buffer.from([0x0a, 3, 0xff, 0xff, 0xff]),
    new streams.BatchAppendReq()
      .setOptions(batchOptions(uniqueStream('broken')))
      .setIsFinal(true)
      .serializeBinary(),
  ]);
  const code = await within(
    'the end of the call',
    new Promise<number | undefined>((resolve) => {
      const call = any.makeBidiStreamRequest(path, asIs, asIs, new Metadata(), {});
      call.on('data', () => undefined);
      call.on('error', (error: ServiceError) => resolve(error.code));
      call.write(broken);
    }),
  );
  any.close();
  assert.is(code, status.INVALID_ARGUMENT);
  const id = v4();
  const whole = part(id, true).setOptions(batchOptions(uniqueStream('whole')));
  whole.addProposedMessages(proposed());
  assert.is((await batch([whole], 1)).length, 1);
});

test.run();
