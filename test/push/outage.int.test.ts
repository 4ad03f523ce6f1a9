import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { type OperatorCommands, openCommands } from '../../api/composition/commands.ts';
import { type Service, startService } from '../../api/composition/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Receipt } from '../../domain/ingestion/receipt.ts';
import { freePort, type Relay, relayTo } from '../harness/ports.ts';
import { startTestPostgres } from '../harness/postgres.ts';
import {
  newPractice,
  poll,
  post,
  pushAddress,
  receiptAddress,
  receiptAt,
  testSettings,
} from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';
import { checkContract } from '../support/contract.ts';

const outage = suite('the log or the database away');

const BUNDLE = '/api/registry/fhir/Bundle';
const WITHIN_MS = 60_000;
const ANSWERED_MS = 60_000;

/** Posts until the service takes the Bundle again; every answer before is a 503. */
const acceptedInTheEnd = async (url: string, token: string, bundle: unknown): Promise<string> => {
  const until = performance.now() + WITHIN_MS;
  for (;;) {
    const response = await post(url, token, bundle);
    if (response.status === 202) return receiptAddress(response);
    assert.is(response.status, 503);
    await response.arrayBuffer();
    if (performance.now() > until) throw new Error('The service did not recover.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

interface Broken {
  readonly url: string;
  readonly practiceId: string;
  readonly token: string;
  readonly commands: OperatorCommands;
  readonly relay: Relay;
  /** Starts another service on the same stores, past the relays, that only answers. */
  readonly startAnother: () => Promise<Service>;
}

/** A service whose log or database is behind a relay that can be cut. */
const withRelays = async (
  which: 'log' | 'database',
  work: (broken: Broken) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const directory = temporaryDirectory('outage');
  const postgres = await startTestPostgres();
  const node = await hostEventStore({
    databaseUrl: postgres.url,
    dataDir: directory.path,
    holder: 'service',
    port: await freePort(),
  });
  const logRelay = await relayTo(node.port);
  const databaseRelay = await relayTo(Number(new URL(postgres.url).port));
  const databaseUrl = new URL(postgres.url);
  databaseUrl.port = String(databaseRelay.port);
  const settings = testSettings(directory.path, {
    DATABASE_URL: databaseUrl.href,
    EVENTSTORE_URL: `esdb://127.0.0.1:${logRelay.port}?tls=false`,
    REGISTRY_SECRET: 'a secret of thirty-two bytes or more',
    ...env,
  });
  const silent = openServiceLog('silent');
  const service = await startService(settings, silent);
  await service.started;
  const commands = await openCommands(settings, silent);
  try {
    const { practiceId, token } = await newPractice(commands);
    const relay = which === 'log' ? logRelay : databaseRelay;
    const startAnother = async () => {
      const another = await startService(
        {
          ...settings,
          role: 'api',
          databaseUrl: postgres.url,
          eventstoreUrl: `esdb://127.0.0.1:${node.port}?tls=false`,
        },
        silent,
      );
      await another.started;
      return another;
    };
    await work({ url: service.url, practiceId, token, commands, relay, startAnother });
    assert.equal((await commands.verify()).problems, []);
  } finally {
    await commands.close();
    await service.stop();
    await Promise.all([logRelay.close(), databaseRelay.close()]);
    await node.stop();
    await postgres.stop();
    directory.remove();
  }
};

for (const how of ['cut', 'freeze'] as const) {
  outage(`Postgres, ${how}: 503 and no 202; when it is back, the service recovers`, () =>
    withRelays('database', async ({ url, practiceId, token, commands, relay }) => {
      const first = await post(url, token, birthBundle({ chartNumber: 'O-1' }));
      assert.is(first.status, 202);

      await relay[how]();
      const asked = performance.now();
      const refused = await post(url, token, birthBundle({ chartNumber: 'O-2' }));
      assert.is(refused.status, 503);
      assert.ok(performance.now() - asked < ANSWERED_MS, 'nobody waits without end');
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
      await checkContract(BUNDLE, 'post', refused);
      assert.is((await fetch(`${url}/health/ready`)).status, 503);
      assert.is((await fetch(`${url}/health/live`)).status, 200);

      await relay.mend();
      const address = await acceptedInTheEnd(
        url,
        token,
        birthBundle({ chartNumber: 'O-3', mother: { family: 'Osei' } }),
      );
      assert.is((await receiptAt(address, token, WITHIN_MS)).status, 'completed');
      const before = receiptAddress(first);
      assert.is((await receiptAt(before, token, WITHIN_MS)).status, 'completed');
      // What a hung store has taken when it wakes up nobody can tell; one that was away took nothing.
      if (how === 'cut') assert.is((await commands.history(practiceId, 'O-2', null)).state, null);
      assert.is((await commands.history(practiceId, 'O-3', null)).state?.version, 1);
    }),
  );

  outage(`the event log, ${how}: each push is taken once, and worked off when it is back`, () =>
    withRelays('log', async ({ url, practiceId, token, commands, relay }) => {
      await keyIsKnown(url, token);
      await relay[how]();
      const addresses: string[] = [];
      for (let chart = 0; chart < 20; chart += 1) {
        const key = { 'Idempotency-Key': `the key of ${chart}` };
        const bundle = birthBundle({ chartNumber: `A-${chart}`, mother: { family: `F${chart}` } });
        const taken = await post(url, token, bundle, key);
        assert.is(taken.status, 202);
        const again = await post(url, token, bundle, key);
        assert.is(again.headers.get('idempotent-replayed'), 'true');
        const address = receiptAddress(taken);
        assert.is(again.headers.get('content-location'), address);
        addresses.push(address);
        const polled = await poll(address, token);
        assert.is(polled.status, 200);
        assert.match(((await polled.json()) as Receipt).status, /^(queued|processing)$/);
      }
      await warnsOfLog(url);

      await relay.mend();
      for (const address of addresses)
        assert.is((await receiptAt(address, token, WITHIN_MS)).status, 'completed');
      for (let chart = 0; chart < addresses.length; chart += 1) {
        const { events } = await commands.history(practiceId, `A-${chart}`, null);
        assert.equal(
          events.map(({ type }) => type),
          ['BirthRecorded'],
        );
      }
    }),
  );
}

outage('beyond what the queue may hold a push is refused until the log is back', () =>
  withRelays(
    'log',
    async ({ url, token, relay, startAnother }) => {
      await keyIsKnown(url, token);
      const done = await pushAddress(url, token, birthBundle(), { 'Idempotency-Key': 'ended' });
      await receiptAt(done, token, WITHIN_MS);
      await relay.cut();
      const addresses: string[] = [];
      let refused: Response | null = null;
      for (let chart = 0; refused === null; chart += 1) {
        assert.ok(chart < 2_000, 'the queue has an end');
        const key = { 'Idempotency-Key': `the key of ${chart}` };
        const response = await post(url, token, birthBundle({ chartNumber: `B-${chart}` }), key);
        if (response.status === 202) addresses.push(receiptAddress(response));
        else refused = response;
      }
      assert.is(refused.status, 503);
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
      assert.match(JSON.stringify(await checkContract(BUNDLE, 'post', refused)), /queue is full/);
      assert.ok(addresses.length >= 10, `${addresses.length} were taken`);
      await replays(url, token, addresses);
      const ended = await post(url, token, birthBundle(), { 'Idempotency-Key': 'ended' });
      assert.is(ended.headers.get('idempotent-replayed'), 'true');

      const another = await startAnother();
      try {
        const first = await post(another.url, token, birthBundle({ chartNumber: 'B-new' }));
        assert.is(first.status, 503, 'a service that has just started knows what waits');
        await replays(another.url, token, addresses);
      } finally {
        await another.stop();
      }

      await relay.mend();
      await acceptedInTheEnd(url, token, birthBundle({ chartNumber: 'B-last' }));
      for (const address of addresses)
        assert.is((await receiptAt(address, token, WITHIN_MS)).status, 'completed');
    },
    { QUEUE_LIMIT_RECORDS: '10' },
  ),
);

/** Each of these was taken under its Idempotency-Key, and is answered with its 202 again. */
const replays = async (url: string, token: string, addresses: readonly string[]): Promise<void> => {
  for (const [chart, address] of addresses.entries()) {
    const again = await post(url, token, birthBundle({ chartNumber: 'another' }), {
      'Idempotency-Key': `the key of ${chart}`,
    });
    assert.is(again.status, 202);
    assert.is(again.headers.get('idempotent-replayed'), 'true');
    assert.is(
      again.headers.get('content-location'),
      address.replace(new URL(address).origin, new URL(url).origin),
    );
    await checkContract(BUNDLE, 'post', again);
  }
};

/** Until the tables know a new key its practice is asked for in the log. */
const keyIsKnown = async (url: string, token: string): Promise<void> => {
  for (const chartNumber of ['K-1', 'K-2']) {
    await receiptAt(await pushAddress(url, token, birthBundle({ chartNumber })), token, WITHIN_MS);
  }
};

const warnsOfLog = async (url: string): Promise<void> => {
  const until = performance.now() + WITHIN_MS;
  for (;;) {
    const response = await fetch(`${url}/health/ready`);
    const { warnings } = (await response.json()) as { warnings: readonly { code: string }[] };
    assert.is(response.status, 200);
    if (warnings.some(({ code }) => code === 'log-away')) return;
    assert.ok(performance.now() < until, 'readiness warns');
  }
};

outage.run();
