import { randomBytes, randomUUID } from 'node:crypto';
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { voidRecord } from '../../api/record-commands/change-record.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import {
  ingestionStream,
  keyStream,
  memberStream,
  partnerStream,
  practiceStream,
  REGISTRY_STREAM,
  STREAM_PREFIXES,
} from '../../domain/stream-names.ts';
import { eventually } from '../harness/eventually.ts';
import {
  newPractice,
  openTestRegistry,
  push,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

const foreign = suite<{ service: TestService; stores: Stores; client: EventStoreDBClient }>(
  'events of another program',
);
const silent = openServiceLog('silent');

foreign.before(async (context) => {
  context.service = await startTestService();
  context.stores = await openStores(context.service.settings, 'command', silent);
  context.client = EventStoreDBClient.connectionString(
    context.service.settings.eventstoreUrl ?? '',
  );
});
foreign.after(async ({ service, stores, client }) => {
  await client.dispose();
  await stores.close();
  await service.stop();
});

const OURS = {
  schemaVersion: 1,
  correlationId: 'c',
  causationId: null,
  actor: { kind: 'service', id: 'other' },
  recordedAt: '2026-03-12T10:00:00Z',
};

/** Events that another program, or a mistake, may leave in a stream of ours. */
const listForeignEvents = () => [
  jsonEvent({ type: 'OrderPlaced', data: { order: 7 } }),
  jsonEvent({ type: 'OrderPlaced', data: { order: 7 }, metadata: { $correlationId: 'shop' } }),
  jsonEvent({ type: 'ApiKeyRevoked', data: { keyId: 'any' } }),
  jsonEvent({ type: 'PracticeRenamed', data: { name: 7 }, metadata: OURS }),
  jsonEvent({ type: 'BirthRetracted', data: null as never, metadata: OURS }),
  // Right in every other way, but it belongs to the stream of a staff member or of an ingestion.
  jsonEvent({ type: 'StaffPasswordGiven', data: { staffId: 'any' }, metadata: OURS }),
  jsonEvent({ type: 'IngestionStarted', data: { ingestionId: 'i', run: 1 }, metadata: OURS }),
  binaryEvent({ type: 'Blob', data: Buffer.from([0, 255, 10]) }),
  binaryEvent({
    type: 'BirthSealed',
    data: Buffer.from([0, 255]),
    metadata: Buffer.from('{"half'),
  }),
];

const birth = (day: number, chartNumber = 'C-9') =>
  birthBundle({ chartNumber, lastUpdated: `2026-03-${day}T10:00:00Z` });

interface Ready {
  readonly reasons: readonly unknown[];
  readonly warnings: readonly { readonly code: string; readonly says: string }[];
}
const readyAt = async (url: string): Promise<Ready> =>
  (await (await fetch(`${url}/health/ready`)).json()) as Ready;

foreign('everything continues, wherever they stand', async ({ service, stores, client }) => {
  const { url, commands } = service;
  const { practiceId, keyId, token } = await newPractice(commands);
  const partnerId = await commands.partners.create({ name: 'Acme', beta: true, status: 'Active' });
  const first = await push(url, token, birth(12));
  assert.is(first.status, 'completed');
  const { stream } = await stores.db
    .selectFrom('read.birth_record')
    .select('stream')
    .where('chart_number', '=', 'C-9')
    .executeTakeFirstOrThrow();
  for (const one of [
    stream,
    ingestionStream(first.id),
    practiceStream(practiceId),
    keyStream(keyId),
    partnerStream(partnerId),
    REGISTRY_STREAM,
    ...STREAM_PREFIXES.filter((prefix) => prefix.endsWith('-')).map(
      (prefix) => `${prefix}${randomUUID()}`,
    ),
    `key-line\nfeed`,
    memberStream('x'.repeat(700)),
  ])
    await client.appendToStream(one, listForeignEvents());

  assert.is((await push(url, token, birth(13))).status, 'completed');
  assert.is((await push(url, token, birth(14))).status, 'completed');
  const history = await commands.history(practiceId, 'C-9', null);
  assert.is(history.state?.version, 3);
  await commands.practices.set(practiceId, { sandbox: null, beta: null, name: 'Birch' });
  await commands.partners.set(partnerId, { beta: false, status: null });
  const second = await commands.keys.mintNative({
    practiceId,
    scopes: ['ingest:write', 'ingest:read'],
    name: null,
  });
  assert.is((await push(url, second.token, birth(15, 'C-10'))).status, 'completed');
  await commands.keys.revoke(keyId);
  assert.equal(await stores.db.selectFrom('read.parked_stream').selectAll().execute(), []);
});

foreign('a record stays one, however many of them follow', async ({ service, stores, client }) => {
  const { url, commands } = service;
  const { practiceId, token } = await newPractice(commands);
  assert.is((await push(url, token, birth(12))).status, 'completed');
  const stored = await stores.db
    .selectFrom('read.birth_record')
    .select(['stream', 'submission_uuid'])
    .where('practice_id', '=', practiceId)
    .executeTakeFirstOrThrow();
  const many = Array.from({ length: 230 }, () => jsonEvent({ type: 'OrderPlaced', data: {} }));
  await client.appendToStream(stored.stream, many);

  const registry = await openTestRegistry(stores, service.settings);
  const voided = await voidRecord(
    registry,
    {
      practiceId,
      submissionUuid: stored.submission_uuid,
      actor: { kind: 'operator', id: 'shell' },
      correlationId: randomUUID(),
    },
    { version: 1, reason: 'Entered twice.' },
  );
  assert.is(voided.kind, 'done');
});

foreign('a service starts on them', async ({ service }) => {
  const other = await startService({ ...service.settings, port: 0 }, silent);
  try {
    await other.started;
    assert.is((await fetch(`${other.url}/health/ready`)).status, 200);
  } finally {
    await other.stop();
  }
});

foreign('tables rebuilt from the log are the same', async ({ service }) => {
  assert.equal((await service.commands.rebuild('compare')).differences, []);
});

foreign('they are named until an operator acknowledges them', async ({ service, client }) => {
  const { url, commands } = service;
  const named = async () =>
    (await readyAt(url)).warnings.find(({ code }) => code === 'foreign-events')?.says ?? '';
  assert.match(await named(), /acknowledge.*such as (?:access|ingestion)-/);
  const before = await commands.verify();
  assert.ok(before.problems.some(({ stream }) => stream === REGISTRY_STREAM));
  assert.ok(before.problems.every(({ problem }) => /run `acknowledge`/.test(problem)));
  assert.ok(before.tablesCompared);

  assert.equal((await commands.acknowledge(REGISTRY_STREAM)).streams, [REGISTRY_STREAM]);
  const between = await commands.verify();
  assert.is(between.problems.length, before.problems.length - 1);
  await commands.acknowledge(null);
  await eventually('nothing is named', async () => (await named()) === '');
  const after = await commands.verify();
  assert.equal(after.problems, []);
  assert.ok(after.acknowledgedEvents > 0);
  assert.equal((await commands.acknowledge(null)).streams, []);

  const [stream = ''] = before.problems.map((problem) => problem.stream);
  await client.appendToStream(stream, jsonEvent({ type: 'OrderPlaced', data: {} }));
  await eventually('a later one is named', async () => (await named()).includes(stream));
  assert.equal(
    (await commands.verify()).problems.map((problem) => problem.stream),
    [stream],
  );
  assert.equal((await commands.rebuild('compare')).differences, []);
});

foreign('a stream named by another program moves no leaf', async ({ service }) => {
  const { checkpoint } = await service.commands.checkpoint();
  assert.match(checkpoint, /^birth-registry\//);
  const { problems } = await service.commands.verify(undefined, checkpoint);
  assert.is(problems.length, 1);
});

foreign('a value too long for an index parks its stream, and no other', async (context) => {
  const { service, stores, client } = context;
  const practiceId = randomBytes(8_000).toString('base64url');
  const data = { practiceId, name: 'Cedar', sandbox: true, beta: true };
  const stream = practiceStream('too-long');
  await client.appendToStream(stream, jsonEvent({ type: 'PracticeCreated', data, metadata: OURS }));
  const { token } = await newPractice(service.commands);
  assert.is((await push(service.url, token, birth(12))).status, 'completed');
  const parked = await stores.db.selectFrom('read.parked_stream').selectAll().execute();
  assert.equal(
    parked.map((one) => [one.stream, one.problem]),
    [[stream, 'SQLSTATE 54000']],
  );
});

foreign.run();
