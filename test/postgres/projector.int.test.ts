import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../harness/eventually.ts';
import { newPractice, post, push, startTestService, type TestService } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { createNewerEvent } from '../support/newer-versions.ts';

const projector = suite<{ service: TestService; client: EventStoreDBClient }>('the projector');

projector.before(async (context) => {
  context.service = await startTestService();
  context.client = EventStoreDBClient.connectionString(
    context.service.settings.eventstoreUrl ?? '',
  );
});
projector.after(async ({ service, client }) => {
  await client.dispose();
  await service.stop();
});

interface Ready {
  readonly checks: readonly { readonly name: string; readonly parkedStreams?: number }[];
}

const parkedStreams = async (service: TestService): Promise<number> => {
  const ready = (await (await fetch(`${service.url}/health/ready`)).json()) as Ready;
  return ready.checks.find(({ name }) => name === 'projection')?.parkedStreams ?? -1;
};

projector(
  'an event that cannot be read parks its stream, visibly, and stops nothing else',
  async ({ service, client }) => {
    const { token } = await newPractice(service.commands);
    assert.is(await parkedStreams(service), 0);
    const unreadable = (data: Record<string, string>) =>
      createNewerEvent('BirthRecorded', data, 99);
    await client.appendToStream('record-damaged', unreadable({ version: 'one' }));
    await client.appendToStream('record-damaged', unreadable({}));
    // Other applications may share the log: their streams are nothing to us.
    await client.appendToStream('invoice-7', jsonEvent({ type: 'InvoiceSent', data: {} }));

    const receipt = await push(service.url, token, birthBundle());
    assert.is(receipt.status, 'completed');
    assert.is(await parkedStreams(service), 1);
    const { problems } = await service.commands.verify();
    assert.equal(
      problems.map(({ stream }) => stream),
      ['record-damaged', 'record-damaged'],
    );
    assert.not(JSON.stringify(problems).includes('one"'));
  },
);

projector(
  'a retention set on one of our streams is a problem that verify names',
  async ({ service, client }) => {
    await newPractice(service.commands);
    await client.setStreamMetadata('record-kept-short', { maxCount: 1 });
    const { problems } = await service.commands.verify();
    assert.ok(problems.some(({ stream }) => stream === 'record-kept-short'));
  },
);

projector(
  'a revocation is in force when its command ended before it could say so',
  async ({ service, client }) => {
    const { keyId, token } = await newPractice(service.commands);
    assert.is((await post(service.url, token, birthBundle())).status, 202);
    await client.appendToStream(
      `key-${keyId}`,
      jsonEvent({
        type: 'ApiKeyRevoked',
        data: { keyId },
        metadata: {
          schemaVersion: 1,
          correlationId: 'c',
          causationId: null,
          actor: { kind: 'operator', id: 'o' },
          recordedAt: new Date().toISOString(),
        },
      }),
    );
    await eventually(
      'the key is refused',
      async () => (await post(service.url, token, birthBundle())).status === 401,
    );
  },
);

projector.run();
