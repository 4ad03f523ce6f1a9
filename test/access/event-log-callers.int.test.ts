import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openNode } from '../../adapters/embedded-eventstore/node.ts';
import { formatFault } from '../../api/app/fault-messages.ts';
import { startService } from '../../api/app/service.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { freePort } from '../harness/ports.ts';
import { copyStartedCluster, createTestDatabase, stopLeftPostgres } from '../harness/postgres.ts';
import { newPractice, push, startTestService, testSettings } from '../harness/service.ts';
import { startServiceProcess } from '../harness/service-process.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';

const silent = openServiceLog('silent');

const forged = () => jsonEvent({ type: 'ApiKeyMinted', data: { keyId: 'forged' } });

/** What another account of the machine can ask the log of a data directory, with what came of it. */
const askedByAnother = async (dataDir: string): Promise<readonly string[]> => {
  const { port } = JSON.parse(await readFile(join(dataDir, 'eventstore.json'), 'utf8')) as {
    readonly port: number;
  };
  const client = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${port}?tls=false`);
  // To its end: the client waits for a read that is left.
  const reading = async () => {
    for await (const _event of client.readAll({ maxCount: 1 }));
  };
  const following = async () => {
    const subscription = client.subscribeToAll();
    await new Promise<void>((resolve, reject) => {
      subscription.on('error', reject).on('caughtUp', () => resolve());
    });
    await subscription.unsubscribe();
  };
  const appending = () => client.appendToStream('key-forged', forged());
  const outcomes: string[] = [];
  for (const ask of [reading, following, appending])
    outcomes.push(
      await ask().then(
        () => 'answered',
        (error: { readonly code?: unknown }) => String(error.code),
      ),
    );
  await client.dispose();
  return outcomes;
};

const REFUSED = ['16', '16', '16'];

test('the log refuses another account, beside commands and after kill -9, and serves its own', async () => {
  const directory = temporaryDirectory('log-callers');
  const dataDir = directory.path;
  await copyStartedCluster(dataDir);
  const settings = testSettings(dataDir);
  const port = await freePort();
  let service = await startServiceProcess(dataDir, port);
  try {
    assert.equal(await askedByAnother(dataDir), REFUSED);
    const beside = await openCommands(settings, silent);
    const { token } = await newPractice(beside);
    await beside.close();
    const first = await push(service.url, token, birthBundle({ chartNumber: 'L-1' }));
    assert.is(first.status, 'completed');

    service.kill('SIGKILL');
    await service.ended;
    const alone = await openCommands(settings, silent);
    await newPractice(alone);
    assert.equal(await askedByAnother(dataDir), REFUSED);
    await alone.close();

    service = await startServiceProcess(dataDir, port);
    assert.equal(await askedByAnother(dataDir), REFUSED);
    const second = await push(service.url, token, birthBundle({ chartNumber: 'L-2' }));
    assert.is(second.status, 'completed');
  } finally {
    service.kill('SIGTERM');
    await service.ended;
    await stopLeftPostgres(dataDir);
    directory.remove();
  }
});

test('with EVENTSTORE_PORT everybody is answered at that port', async () => {
  const port = await freePort();
  const service = await startTestService({ EVENTSTORE_PORT: String(port) });
  const { token } = await newPractice(service.commands);
  const receipt = await push(service.url, token, birthBundle({ chartNumber: 'L-3' }));
  assert.is(receipt.status, 'completed');
  const { dataDir } = service.settings;
  assert.is(JSON.parse(await readFile(join(dataDir, 'eventstore.json'), 'utf8')).port, port);
  assert.equal(await askedByAnother(dataDir), ['answered', 'answered', 'answered']);
  await service.stop();
});

test('a service whose account the log refuses does not start, and says which setting is wrong', async () => {
  const database = await createTestDatabase();
  const node = await openNode({
    databaseUrl: database.url,
    hostKind: 'service',
    authorization: 'Basic the password of the node',
    onLog: () => undefined,
  });
  const service = await startService(
    testSettings('', {
      DATABASE_URL: database.url,
      EVENTSTORE_URL: `esdb://127.0.0.1:${await node?.listen(0)}?tls=false`,
      REGISTRY_SECRET: 'a secret of thirty-two bytes or more',
    }),
    silent,
  );
  try {
    const fault = await service.started.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    assert.match(formatFault(fault), /^The event log does not accept .* EVENTSTORE_URL/);
  } finally {
    await service.stop();
    await node?.stop();
    await database.stop();
  }
});

test.run();
