import { EventStoreDBClient } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import {
  ingestionStream,
  keyStream,
  practiceStream,
  REGISTRY_STREAM,
} from '../../domain/stream-names.ts';
import { eventually } from '../harness/eventually.ts';
import { newPractice, post, push, startTestService, type TestService } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { createNewerEvent } from '../support/newer-versions.ts';

const newer = suite<{ service: TestService; stores: Stores; client: EventStoreDBClient }>(
  'events of a newer version',
);

newer.before(async (context) => {
  context.service = await startTestService();
  context.stores = await openStores(context.service.settings, 'command', openServiceLog('silent'));
  context.client = EventStoreDBClient.connectionString(
    context.service.settings.eventstoreUrl ?? '',
  );
});
newer.after(async ({ service, stores, client }) => {
  await client.dispose();
  await stores.close();
  await service.stop();
});

const birth = (day: number) =>
  birthBundle({ chartNumber: 'C-9', lastUpdated: `2026-03-${day}T10:00:00Z` });

const recordOf = ({ db }: Stores) =>
  db
    .selectFrom('read.birth_record')
    .select(['stream', 'version'])
    .where('chart_number', '=', 'C-9')
    .executeTakeFirst();

newer(
  'everything before and after them is applied, and pushes and commands go on',
  async ({ service, stores, client }) => {
    const { url, commands } = service;
    const { practiceId, keyId, token } = await newPractice(commands);
    const first = await push(url, token, birth(12));
    assert.is(first.status, 'completed');
    const { stream = '' } = (await recordOf(stores)) ?? {};

    await client.appendToStream(stream, createNewerEvent('BirthSealed'));
    await client.appendToStream(ingestionStream(first.id), createNewerEvent('IngestionRated'));
    await client.appendToStream(practiceStream(practiceId), createNewerEvent('PracticeMoved'));
    await client.appendToStream(keyStream(keyId), createNewerEvent('KeyLabelled'));
    await client.appendToStream(REGISTRY_STREAM, createNewerEvent('RegistryLabelled'));
    // What a newer version keeps may have no event that this one knows.
    await client.appendToStream('record-sealed', createNewerEvent('BirthSealed'));

    assert.is((await push(url, token, birth(13))).status, 'completed');
    assert.is((await push(url, token, birth(14))).status, 'completed');
    assert.is((await recordOf(stores))?.version, 3);
    assert.equal(await stores.db.selectFrom('read.parked_stream').selectAll().execute(), []);

    const history = await commands.history(practiceId, 'C-9', null);
    assert.is(history.state?.version, 3);
    assert.equal(
      history.events.map(({ type }) => type),
      ['BirthRecorded', 'BirthAmended', 'BirthAmended'],
    );
    await commands.practices.set(practiceId, { sandbox: null, beta: null, name: 'Birch' });
    await commands.keys.revoke(keyId);
    await eventually(
      'the key is refused',
      async () => (await post(url, token, birth(15))).status === 401,
    );
  },
);

newer('the log is whole, its tree has their leaves, and they are counted', async ({ service }) => {
  const { checkpoint } = await service.commands.checkpoint();
  const { problems, newerTypes, tablesCompared, events, tree } = await service.commands.verify(
    undefined,
    checkpoint,
  );
  assert.equal(problems, []);
  assert.ok(tablesCompared);
  assert.is(tree.size, events);
  assert.equal(
    [...newerTypes].sort((one, other) => (one.type < other.type ? -1 : 1)),
    [
      { type: 'BirthSealed', events: 2 },
      { type: 'IngestionRated', events: 1 },
      { type: 'KeyLabelled', events: 1 },
      { type: 'PracticeMoved', events: 1 },
      { type: 'RegistryLabelled', events: 1 },
    ],
  );
});

newer('tables rebuilt from the log are the same', async ({ service }) => {
  assert.equal((await service.commands.rebuild('compare')).differences, []);
});

newer('a service starts on them', async ({ service }) => {
  const { settings } = service;
  const second = await startService({ ...settings, port: 0 }, openServiceLog('silent'));
  try {
    await second.started;
    const ready = await fetch(`${second.url}/health/ready`);
    assert.equal(
      [ready.status, ((await ready.json()) as { warnings: unknown }).warnings],
      [200, []],
    );
  } finally {
    await second.stop();
  }
});

newer('an event with newer data of a known type parks its stream', async (context) => {
  const { service, stores, client } = context;
  const newerData = createNewerEvent('BirthRecorded', { since: 'a newer version' }, 99);
  await client.appendToStream('record-newer', newerData);
  await eventually('the stream is parked', async () => {
    const parked = await stores.db.selectFrom('read.parked_stream').select('stream').execute();
    return parked.some(({ stream }) => stream === 'record-newer');
  });
  const { problems } = await service.commands.verify();
  assert.ok(
    problems.some(
      ({ stream, problem }) => stream === 'record-newer' && /newer build/.test(problem),
    ),
  );
});

newer.run();
