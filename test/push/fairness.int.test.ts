import { once } from 'node:events';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import {
  newPractice,
  poll,
  post,
  push,
  pushAddress,
  receiptAddress,
  receiptAt,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';

const fairness = suite<{ service: TestService }>('one caller does not hold up another');

fairness.before(async (context) => {
  context.service = await startTestService();
});
fairness.after(({ service }) => service.stop());

fairness('a practice with much to do does not starve the others', async ({ service }) => {
  const busy = await newPractice(service.commands);
  const patient = await newPractice(service.commands);
  const many = batchOf(
    Array.from({ length: 400 }, (_, index) =>
      birthBundle({ chartNumber: `B-${index}`, mother: { family: `Busy ${index}` } }),
    ),
  );
  const batches = await Promise.all([1, 2, 3].map(() => post(service.url, busy.token, many)));
  const receipt = await push(service.url, patient.token, birthBundle());
  assert.ok(receipt.status === 'completed');
  // They are taken side by side: any of them may be the last in the queue.
  const ends: string[] = [];
  for (const batch of batches) {
    const end = await receiptAt(receiptAddress(batch), busy.token);
    assert.ok(end.status === 'completed');
    ends.push(end.completedAt);
  }
  assert.ok(receipt.completedAt < (ends.toSorted().at(-1) ?? ''), 'before the busy practice');
});

fairness(
  'an upload that breaks off, gzip or not, leaves the service as it was',
  async (context) => {
    const { service } = context;
    const { token } = await newPractice(service.commands);
    const { hostname, port } = new URL(service.url);
    const body = gzipSync(JSON.stringify(birthBundle()));
    for (const encoding of ['gzip', 'identity']) {
      const socket = createConnection(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(
        `POST /api/registry/fhir/Bundle HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Encoding: ${encoding}\r\nContent-Length: ${body.length + 100}\r\n\r\n`,
      );
      socket.write(body);
      socket.destroy();
    }
    assert.is((await push(service.url, token, birthBundle())).status, 'completed');
  },
);

fairness('a caller that waits for 100 Continue gets it', async ({ service }) => {
  const { token } = await newPractice(service.commands);
  const sent = request(`${service.url}/api/registry/fhir/Bundle`, {
    method: 'POST',
    // An idle connection may close just as it is used again.
    agent: false,
    headers: { Authorization: `Bearer ${token}`, Expect: '100-continue' },
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.end(JSON.stringify(birthBundle()));
  const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  assert.is(response.statusCode, 202);
});

fairness(
  'a 202 is not followed by a 404, also when the read tables have lost it',
  async (context) => {
    const { service } = context;
    const { token } = await newPractice(service.commands);
    const address = await pushAddress(service.url, token, birthBundle());
    await receiptAt(address, token);
    const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
    await sql`delete from read.ingestion`.execute(stores.db);
    // Housekeeping may not have come by yet: the row alone would answer `queued`.
    await sql`delete from app.submission`.execute(stores.db);
    await stores.close();
    const polled = await poll(address, token);
    assert.is(polled.status, 200);
    assert.is(((await polled.json()) as { status: string }).status, 'completed');
    const stranger = await newPractice(service.commands);
    assert.is((await poll(address, stranger.token)).status, 404);
  },
);

fairness.run();
