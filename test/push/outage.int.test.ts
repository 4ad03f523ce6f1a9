import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectEventLog } from '../../adapters/event-log/event-log.ts';
import { type Service, startService } from '../../api/app/service.ts';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Settings } from '../../api/settings/settings.ts';
import { openStores } from '../../api/stores/stores.ts';
import { REGISTRY_STREAM } from '../../domain/stream-names.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import { eventually, within } from '../harness/eventually.ts';
import { type Relay, relayUrl } from '../harness/ports.ts';
import {
  newPractice,
  openTestConnection,
  poll,
  post,
  pushAddress,
  receiptAddress,
  receiptAt,
  startTestStores,
  testSettings,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { checkContract } from '../support/contract.ts';
import { newPartnerFeed } from '../support/partners.ts';

const outage = suite('the log or the database away');

const BUNDLE = '/api/registry/fhir/Bundle';
const WITHIN_MS = 60_000;
const ANSWERED_MS = 60_000;

/** Posts until the service takes the Bundle again; every answer before is a 503. */
const acceptedInTheEnd = async (url: string, token: string, bundle: unknown): Promise<string> => {
  let address = '';
  await eventually(
    'the service recovers',
    async () => {
      const response = await post(url, token, bundle);
      if (response.status === 202) address = receiptAddress(response);
      else assert.is(response.status, 503);
      await response.arrayBuffer();
      return response.status === 202;
    },
    WITHIN_MS,
  );
  return address;
};

interface Broken {
  readonly url: string;
  readonly practiceId: string;
  readonly token: string;
  readonly commands: OperatorCommands;
  readonly relay: Relay;
  /** Of the service, without the relays. */
  readonly settings: Settings;
  /** Stops the service and starts it again. @returns where it listens */
  restart(): Promise<string>;
  /** Starts another service on the same stores, past the relays, that only answers. */
  readonly startAnother: () => Promise<Service>;
}

/** A service whose log or database is behind a relay that can be cut. */
const withRelays = async (
  which: 'log' | 'database',
  work: (broken: Broken) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const stores = await startTestStores('registry');
  const direct = testSettings('', { ...stores.environment, ...env });
  const [logRelay, eventstoreUrl] = await relayUrl(direct.eventstoreUrl ?? '');
  const [databaseRelay, databaseUrl] = await relayUrl(direct.databaseUrl ?? '');
  const settings = { ...direct, databaseUrl, eventstoreUrl };
  const silent = openServiceLog('silent');
  let service = await startService(settings, silent);
  await service.started;
  await catchesUp(service.url);
  const restart = async () => {
    await service.stop();
    service = await startService(settings, silent);
    await service.started;
    return service.url;
  };
  const commands = await openCommands(settings, silent);
  try {
    const { practiceId, token } = await newPractice(commands);
    const relay = which === 'log' ? logRelay : databaseRelay;
    const startAnother = async () => {
      const another = await startService({ ...direct, role: 'api' }, silent);
      await another.started;
      return another;
    };
    const shared = { settings: direct, restart, startAnother };
    await work({ url: service.url, practiceId, token, commands, relay, ...shared });
    assert.equal((await commands.verify()).problems, []);
  } finally {
    await commands.close();
    await service.stop();
    await Promise.all([logRelay.close(), databaseRelay.close()]);
    await stores.stop();
  }
};

for (const how of ['cut', 'freeze'] as const) {
  outage(`Postgres, ${how}: 503 and no 202; when it is back, the service recovers`, () =>
    withRelays('database', async ({ url, practiceId, token, commands, relay }) => {
      const first = await post(url, token, birthBundle({ chartNumber: 'O-1' }));
      assert.is(first.status, 202);

      await relay[how]();
      const refused = await within(
        'nobody waits without end',
        post(url, token, birthBundle({ chartNumber: 'O-2' })),
        ANSWERED_MS,
      );
      assert.is(refused.status, 503);
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
      // One that hangs is asked about each new key for seconds.
      if (how === 'freeze') await keyIsKnown(url, token);
      await relay[how]();
      const addresses: string[] = [];
      for (let chart = 0; chart < 5; chart += 1) {
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

for (const how of ['cut', 'freeze'] as const)
  outage(
    `the event log, ${how}: a service that is restarted takes pushes, and works them off`,
    () =>
      withRelays('log', async ({ url, practiceId, token, commands, relay, settings, restart }) => {
        const feed = await newPartnerFeed(commands, practiceId);
        await pushAddress(url, feed, birthBundle({ chartNumber: 'R-before' }));
        const scopes = ['ingest:write', 'ingest:read'] as const;
        // Neither was used before the restart, nor was the end of the second one read by a push.
        const unused = await commands.keys.mintNative({ practiceId, scopes, name: null });
        const revoked = await commands.keys.mintNative({ practiceId, scopes, name: null });
        await pushAddress(url, revoked.token, birthBundle({ chartNumber: 'R-revoked' }));
        await commands.keys.revoke(revoked.keyId);

        await relay[how]();
        const restarted = await restart();
        const addresses: (readonly [string, string])[] = [];
        for (const sender of [token, feed, unused.token])
          for (const chart of [1, 2]) {
            const chartNumber = `R-${addresses.length}`;
            const bundle = birthBundle({
              chartNumber,
              mother: { family: `R${addresses.length}` },
            });
            const key = { 'Idempotency-Key': `key ${chart}, ${sender.slice(-4)}` };
            const address = await pushAddress(restarted, sender, bundle, key);
            const again = await post(restarted, sender, bundle, key);
            assert.is(again.headers.get('idempotent-replayed'), 'true');
            addresses.push([address, sender]);
          }
        assert.is((await post(restarted, revoked.token, birthBundle())).status, 401);
        // Whether the log holds a key for it is not known.
        const unknown = `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`;
        const refused = await post(restarted, unknown, birthBundle());
        assert.is(refused.status, 503);
        await checkContract(BUNDLE, 'post', refused);
        await warnsOfLog(restarted);

        const db = openTestConnection({ settings });
        const { rows } = await sql`select kept::text from app.kept_stream kept`.execute(db);
        await db.destroy();
        const kept = JSON.stringify(rows);
        for (const secret of [token, feed, unused.token, settings.registrySecret ?? ''])
          assert.not.match(kept, secret);

        await relay.mend();
        for (const [address, sender] of addresses)
          assert.is((await receiptAt(address, sender, WITHIN_MS)).status, 'completed');
        for (let chart = 0; chart < addresses.length; chart += 1) {
          const { events } = await commands.history(practiceId, `R-${chart}`, null);
          assert.equal(
            events.map(({ type }) => type),
            ['BirthRecorded'],
          );
        }
        // Decided by the log again.
        assert.is((await post(restarted, unknown, birthBundle())).status, 401);
        await commands.keys.revoke(unused.keyId);
        assert.is((await post(restarted, unused.token, birthBundle())).status, 401);
      }),
  );

outage('a log that comes back without the registry of the database is left as it is', () =>
  withRelays('log', async ({ settings }) => {
    const other = await startTestStores('template1');
    const connectionString = other.environment['EVENTSTORE_URL'] ?? '';
    const [relay, eventstoreUrl] = await relayUrl(connectionString);
    await relay.cut();
    const open = () =>
      openStores({ ...settings, eventstoreUrl }, 'service', openServiceLog('silent'));
    const stores = await open();
    const faultOf = (ask: Promise<unknown> | undefined) =>
      Promise.resolve(ask).then(
        () => 'none',
        (error: unknown) => (error as Error).name,
      );
    try {
      assert.is(await faultOf(stores.lateLog?.check()), 'EventLogUnavailable');
      await relay.mend();
      assert.is(await faultOf(stores.lateLog?.check()), 'LogWithoutRegistry');
      assert.is(await faultOf(stores.log.readStream(REGISTRY_STREAM)), 'EventLogUnavailable');
      // A start refuses it, at once or as soon as a slow log has answered.
      const openAnew = async () => {
        const anew = await open();
        await anew.lateLog?.check().finally(anew.close);
      };
      assert.is(await faultOf(openAnew()), 'LogWithoutRegistry');
      const log = connectEventLog({ connectionString });
      assert.is(await log.head(), 0n);
      await log.close();
    } finally {
      await stores.close();
      await relay.close();
      await other.stop();
    }
  }),
);

outage('beyond what the queue may hold a push is refused until the log is back', () =>
  withRelays(
    'log',
    async ({ url, token, relay, startAnother, settings }) => {
      await keyIsKnown(url, token);
      const done = await pushAddress(url, token, birthBundle(), { 'Idempotency-Key': 'ended' });
      await receiptAt(done, token, WITHIN_MS);
      // What has ended leaves the queue a moment later.
      const db = openTestConnection({ settings });
      await eventually(
        'the queue is empty',
        async () => (await sql`select from app.submission`.execute(db)).rows.length === 0,
      );
      await db.destroy();
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
      assert.match(JSON.stringify(await checkContract(BUNDLE, 'post', refused)), /its share/);
      // 80 % of the limit, because no other practice has work.
      assert.is(addresses.length, 8);
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

/** Tables that have never held all of the log keep a service from being ready, whatever is cut then. */
const catchesUp = (url: string): Promise<void> =>
  eventually(
    'it gets ready',
    async () => (await fetch(`${url}/health/ready`)).status === 200,
    WITHIN_MS,
  );

const warnsOfLog = (url: string): Promise<void> =>
  eventually(
    'readiness warns',
    async () => {
      const response = await fetch(`${url}/health/ready`);
      const { warnings } = (await response.json()) as { warnings: readonly { code: string }[] };
      assert.is(response.status, 200);
      return warnings.some(({ code }) => code === 'log-away');
    },
    WITHIN_MS,
  );

outage.run();
