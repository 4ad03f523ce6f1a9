import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deriveId } from '../../adapters/crypto/ids.ts';
import { endPushes, takeUpPushes } from '../../api/ingestion/end-pushes.ts';
import type { PracticeBatch } from '../../api/ingestion/practice-batch.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import { PracticeLeaseLost } from '../../api/writes/practice-lease.ts';
import { createPushId, getSharedStream } from '../../domain/stream-names.ts';
import type { IngestedPush } from '../../domain/submission/events.ts';
import type { QueueEntry } from '../../domain/submission/queue-entry.ts';
import { eventually } from '../harness/eventually.ts';
import {
  DEATH,
  type DyingRegistry,
  RECOVERED_WITHIN_MS,
  requireSoundLog,
  startDyingRegistry,
} from '../harness/recovery.ts';
import {
  newPractice,
  poll,
  post,
  push,
  receiptAddress,
  receiptAt,
  type TestPractice,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

interface Context {
  readonly registry: DyingRegistry;
  readonly stores: Stores;
}

const sharedEnds = suite<Context>('pushes that end together');

sharedEnds.before(async (context) => {
  const registry = await startDyingRegistry(DEATH);
  const stores = await openStores(registry.settings, 'command', openServiceLog('silent'));
  Object.assign(context, { registry, stores });
});
sharedEnds.after(async ({ registry, stores }) => {
  await stores?.close();
  await registry?.stop();
});

const CHARTS = Array.from({ length: 12 }, (_, n) => `S-${n}`);

/** The first push of a practice ends alone, because nothing is known of an earlier worker. */
const newBusyPractice = async ({ commands, service }: DyingRegistry): Promise<TestPractice> => {
  const practice = await newPractice(commands);
  await push(service().url, practice.token, birthBundle({ chartNumber: 'first' }));
  return practice;
};

/** @returns addresses by chart number, of those that were answered with a 202 */
const sendAll = async ({ service }: DyingRegistry, token: string) => {
  const { url } = service();
  const sent = await Promise.allSettled(
    CHARTS.map((chartNumber) =>
      post(url, token, birthBundle({ chartNumber, mother: { family: chartNumber } })),
    ),
  );
  return new Map(
    sent.flatMap((one, n) =>
      one.status === 'fulfilled' && one.value.status === 202
        ? [[CHARTS[n] ?? '', receiptAddress(one.value)]]
        : [],
    ),
  );
};

const idOf = (address: string): string => address.split('/').at(-1) ?? '';

const endsOf = async ({ log }: Stores, addresses: Iterable<string>) => {
  const streams = new Set([...addresses].map((address) => getSharedStream(idOf(address)) ?? ''));
  const stored = await Promise.all([...streams].map((stream) => log.readStream(stream)));
  return stored.flat().flatMap(({ event }) => (event?.type === 'PushesIngested' ? [event] : []));
};

sharedEnds('have fewer events than pushes, and each its receipt', async (context) => {
  const { registry, stores } = context;
  const { token } = await newBusyPractice(registry);
  const sent = await sendAll(registry, token);
  assert.is(sent.size, CHARTS.length);
  for (const [chartNumber, address] of sent) {
    const receipt = await receiptAt(address, token);
    assert.ok(receipt.status === 'completed');
    assert.equal(
      receipt.outcome.accepted.map(({ reference }) => reference),
      [chartNumber],
    );
  }
  assert.ok((await endsOf(stores, sent.values())).length < CHARTS.length);
});

sharedEnds('have receipts while no table has them', async ({ registry, stores }) => {
  const { practiceId, token } = await newBusyPractice(registry);
  const sent = [...(await sendAll(registry, token)).values()];
  const receipts = await Promise.all(sent.map((address) => receiptAt(address, token)));
  await eventually('they have left the queue', async () => {
    const { rows } =
      await sql`select from app.submission where practice_id = ${practiceId}`.execute(stores.db);
    return rows.length === 0;
  });
  await sql`delete from read.ingestion where practice_id = ${practiceId}`.execute(stores.db);
  for (const [n, address] of sent.entries())
    assert.equal(await (await poll(address, token)).json(), receipts[n]);
  const other = await newPractice(registry.commands);
  const refused = await poll(
    sent[0]?.replace(/.*(?=\/api)/, registry.service().url) ?? '',
    other.token,
  );
  assert.is(refused.status, 404, 'another practice gets none');
});

for (const step of [
  'entries-claimed',
  'course-appended',
  'courses-appended',
  'chunk-recorded',
  'rows-deleted',
] as const)
  sharedEnds(`end once, if the service dies after ${step}`, async ({ registry }) => {
    const { practiceId, token } = await newBusyPractice(registry);
    const dies = { step, after: 0 };
    await registry.service().diesAfter(dies);
    const sent = await sendAll(registry, token);
    await registry.comesBack(dies);
    for (const [chartNumber, address] of sent) {
      const receipt = await receiptAt(address, token, RECOVERED_WITHIN_MS);
      assert.is(receipt.status, 'completed');
      const { events } = await registry.commands.history(practiceId, chartNumber, null);
      assert.equal(
        events.map(({ type }) => type),
        ['BirthRecorded'],
      );
    }
    assert.ok(sent.size > 0);
  });

/** Its lease never ends, so only the log refuses. */
const workerOn = ({ log }: Stores) =>
  ({
    ports: { log, deriveId, sharedStreamEnds: new Map() },
    lease: { append: log.append },
  }) as unknown as PracticeBatch;

const newPush = (): { readonly entry: QueueEntry; readonly push: IngestedPush } => {
  const keyId = 'feed00';
  const receivedAt = '2026-05-13T09:00:00.000Z';
  const ingestionId = createPushId(keyId, new Date(receivedAt), crypto.randomUUID());
  const correlationId = 'of the test';
  const attempt = crypto.randomUUID();
  const head = { ingestionId, attempt, courses: 1, correlationId, receivedAt };
  return {
    entry: { ...head, practiceId: 'practice', keyId, keyKind: 'native' } as QueueEntry,
    push: { ...head, accepted: [], rejected: [], rejectedAt: [] },
  };
};

const AT = '2026-05-13T09:00:01.000+00:00';

sharedEnds('cannot be ended by a worker that another has taken over from', async ({ stores }) => {
  const [before, taken] = [newPush(), newPush()];
  const late = workerOn(stores);
  await endPushes([before], AT, late);
  assert.equal([...(await takeUpPushes([taken.entry], workerOn(stores)))], []);
  const refused = await endPushes([taken], AT, late).catch((fault: Error) => fault);
  assert.instance(refused, PracticeLeaseLost);
  // One that was not taken up is not affected.
  await endPushes([newPush()], AT, late);
});

sharedEnds(
  'that have ended are found so by who takes over, and not ended again',
  async (context) => {
    const { stores } = context;
    const [one, other, open] = [newPush(), newPush(), newPush()];
    await endPushes([one, other], AT, workerOn(stores));
    const ends = await takeUpPushes([one.entry, open.entry], workerOn(stores));
    assert.equal([...ends.keys()], [one.entry.ingestionId]);
    assert.is(ends.get(one.entry.ingestionId)?.event.data.completedAt, AT);
    const refused = await endPushes([other], AT, workerOn(stores)).catch((fault: Error) => fault);
    assert.instance(refused, PracticeLeaseLost);
  },
);

sharedEnds('leave a sound log', ({ registry }) => requireSoundLog(registry));

sharedEnds.run();
