import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import { eventually } from '../harness/eventually.ts';
import { passTime } from '../harness/real-time.ts';
import {
  newPractice,
  poll,
  post,
  receiptAddress,
  receiptAt,
  startTestService,
  type TestPractice,
  type TestService,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { IS_LONG } from '../support/runs.ts';

/**
 * An Idempotency-Key makes one ingestion, whoever sends it, when and how often. Each time it comes with
 * another weight, so that a second ingestion would show as an amendment.
 */

interface Context {
  readonly service: TestService;
  readonly stores: Stores;
  readonly practice: TestPractice;
}

const usedKeys = suite<Context>('an Idempotency-Key');

usedKeys.before(async (context) => {
  const service = await startTestService();
  const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
  const practice = await newPractice(service.commands);
  Object.assign(context, { service, stores, practice });
});
usedKeys.after(async ({ service, stores }) => {
  await stores?.close();
  await service?.stop();
});

interface Sent {
  readonly address: string;
  readonly isReplay: boolean;
}

let sends = 0;

const send = async (
  url: string,
  { token }: TestPractice,
  key: string,
  chartNumber = key,
): Promise<Sent> => {
  sends += 1;
  const bundle = birthBundle({ chartNumber, children: [{ weight: 2_500 + sends }] });
  const response = await post(url, token, bundle, { 'Idempotency-Key': key });
  assert.is(response.status, 202);
  await response.arrayBuffer();
  return {
    address: receiptAddress(response),
    isReplay: response.headers.get('idempotent-replayed') === 'true',
  };
};

/** One address, one that was first, one version, and receipts that say so; and the log is whole. */
const isOne = async (context: Context, key: string, sent: readonly Sent[]) => {
  await isOneOf(context, key, sent);
  await isWhole(context);
};

const isWhole = async ({ service }: Context) =>
  assert.equal((await service.commands.verify()).problems, []);

const isOneOf = async ({ service, practice }: Context, key: string, sent: readonly Sent[]) => {
  const addresses = new Set(sent.map(({ address }) => new URL(address).pathname));
  assert.is(addresses.size, 1);
  const [first] = sent;
  const receipt = await receiptAt(first?.address ?? '', practice.token);
  assert.is(receipt.status === 'completed' && receipt.accepted, 1);
  const { state, events } = await service.commands.history(practice.practiceId, key, null);
  assert.is(state?.version, 1);
  assert.is(events.filter(({ type }) => type !== 'DuplicateFlagged').length, 1);
};

usedKeys('fifty times at once', async (context) => {
  const { service, practice } = context;
  const sent = await Promise.all(
    Array.from({ length: 50 }, () => send(service.url, practice, 'at-once')),
  );
  assert.is(sent.filter(({ isReplay }) => isReplay).length, 49);
  await isOne(context, 'at-once', sent);
});

usedKeys('fifty times at once in two processes', async (context) => {
  const { service, practice, stores } = context;
  const other = await startService({ ...service.settings, port: 0 }, openServiceLog('silent'));
  await other.started;
  try {
    const idOfKey = (key: string) =>
      stores.identity.idempotentIngestionId(practice.practiceId, key);
    // To one in this order, to the other in the opposite: none waits for the other.
    const keys = Array.from({ length: IS_LONG ? 10 : 3 }, (_, n) => `two-${n}`);
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0
          ? keys.map((key) => send(service.url, practice, key))
          : keys.toReversed().map((key) => send(other.url, practice, key)),
      ).flat(),
    );
    for (const key of keys) {
      const sent = all.filter(({ address }) => address.endsWith(idOfKey(key)));
      assert.is(sent.length, 50);
      assert.is(sent.filter(({ isReplay }) => isReplay).length, 49);
      await isOneOf(context, key, sent);
    }
    await isWhole(context);
  } finally {
    await other.stop();
  }
});

const queuedRows = ({ db }: Stores, ingestionId: string) =>
  sql`select from app.submission where ingestion_id = ${ingestionId}`.execute(db);

usedKeys('again and again across the end of the first', async (context) => {
  const { service, practice, stores } = context;
  const sent = [await send(service.url, practice, 'across')];
  const ingestionId = sent[0]?.address.split('/').at(-1) ?? '';
  // Of others, a process that stopped may have left rows.
  const isInQueue = async () => (await queuedRows(stores, ingestionId)).rows.length > 0;
  let isLeft = true;
  // Some more after its row is gone.
  for (let after = 0; after < 20; after += isLeft ? 0 : 1) {
    sent.push(...(await Promise.all([1, 2, 3].map(() => send(service.url, practice, 'across')))));
    isLeft = isLeft && (await isInQueue());
  }
  assert.is(sent.filter(({ isReplay }) => !isReplay).length, 1);
  await isOne(context, 'across', sent);
});

usedKeys('while the read tables are rebuilt', async (context) => {
  const { service, practice } = context;
  const keys = Array.from({ length: 20 }, (_, n) => `rebuilt-${n}`);
  const sent = new Map<string, Sent[]>();
  let isOver = false;
  const rebuilding = (async () => {
    for (let time = 0; time < 3; time += 1) await service.commands.rebuild('swap');
  })().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.all(
      keys.map(async (key) => {
        const before = sent.get(key) ?? [];
        sent.set(key, [...before, await send(service.url, practice, key)]);
      }),
    );
    await passTime(10);
  }
  await rebuilding;
  for (const key of keys) await isOneOf(context, key, sent.get(key) ?? []);
  await isWhole(context);
});

usedKeys('of an ingestion that the tables cannot show', async (context) => {
  const { service, practice, stores } = context;
  const first = await send(service.url, practice, 'parked');
  await receiptAt(first.address, practice.token);
  const ingestionId = first.address.split('/').at(-1) ?? '';
  const hasLeft = async () => (await queuedRows(stores, ingestionId)).rows.length === 0;
  await eventually('it has left the queue', hasLeft);
  await stores.db.transaction().execute(async (parking) => {
    await sql`delete from read.ingestion where ingestion_id = ${ingestionId}`.execute(parking);
    await sql`insert into read.parked_stream (stream, revision, position, event_type, problem)
      values (${ingestionStream(ingestionId)}, 0, 0, 'SubmissionIngested', 'of the test')`.execute(
      parking,
    );
  });
  const again = await send(service.url, practice, 'parked');
  await eventually('it has left the queue', hasLeft);
  const polled = await poll(again.address, practice.token);
  assert.is(polled.status, 200);
  const { state } = await service.commands.history(practice.practiceId, 'parked', null);
  assert.is(state?.version, 1);
  await service.commands.rebuild('swap');
  await isOne(context, 'parked', [first, again]);
});

usedKeys.run();
