import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import { eventually } from '../harness/eventually.ts';
import { newPractice, poll, pushAddress, receiptAt, startTestService } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { checkContract } from '../support/contract.ts';

const INGESTION = '/api/registry/fhir/ingestions/{ingestion}';

const failedReceipts = suite('failed receipts');

/**
 * Posts a Bundle while nobody works it off, does something to the queue, then starts a worker.
 * @returns the terminal receipt, checked against the contract
 */
const receiptAfter = async (
  ttlSeconds: number,
  meanwhile: (db: Db) => Promise<void>,
): Promise<{ status: string; outcome: Record<string, string> } & Record<string, unknown>> => {
  const service = await startTestService({ ROLE: 'api', BUFFER_TTL_SECONDS: String(ttlSeconds) });
  const silent = openServiceLog('silent');
  const stores = await openStores(service.settings, 'command', silent);
  const { token } = await newPractice(service.commands);
  const bundle = birthBundle({ mother: { family: 'Unmistakable' } });
  const address = await pushAddress(service.url, token, bundle);
  await meanwhile(stores.db);
  await stores.close();

  const worker = await startService({ ...service.settings, role: 'all' }, silent);
  await worker.started;
  await receiptAt(address, token);
  const receipt = await checkContract(INGESTION, 'get', await poll(address, token));
  await worker.stop();
  await service.stop();
  return receipt as Awaited<ReturnType<typeof receiptAfter>>;
};

failedReceipts(
  'a buffer-expired ingestion says that the Bundle must be submitted again',
  async () => {
    const receipt = await receiptAfter(1, (db) =>
      eventually('the buffer has expired', async () => {
        const { rows } = await sql<{ left: string }>`
        select count(*) as left from app.submission where expires_at > now()`.execute(db);
        return rows[0]?.left === '0';
      }),
    );
    assert.is(receipt.status, 'failed');
    assert.match(receipt.outcome['error'] ?? '', 'no longer available');
    assert.match(receipt.outcome['error'] ?? '', 'new Idempotency-Key');
    assert.is(receipt.outcome['exception'], 'BufferExpired');
  },
);

failedReceipts(
  'what cannot be processed fails after five attempts, without its content',
  async () => {
    const receipt = await receiptAfter(3_600, async (db) => {
      await sql`
      update app.submission set sealed = set_byte(sealed, 20, 255 - get_byte(sealed, 20))
    `.execute(db);
    });
    assert.is(receipt.status, 'failed');
    assert.is(receipt.outcome['exception'], 'SealedRowUnreadable');
    assert.ok((receipt.outcome['correlation_id'] ?? '').length > 10);
    assert.equal(Object.keys(receipt), ['id', 'status', 'outcome', 'completedAt']);
    assert.not.match(JSON.stringify(receipt), 'Unmistakable');
  },
);

failedReceipts('an ingestion whose courses are gone ends too', async () => {
  const receipt = await receiptAfter(3_600, async (db) => {
    await sql`update app.submission set sealed = null`.execute(db);
  });
  assert.is(receipt.status, 'failed');
  assert.is(receipt.outcome['exception'], 'BufferExpired');
});

failedReceipts('an end that cannot be applied to the tables is told by the log', async () => {
  const service = await startTestService();
  const { token } = await newPractice(service.commands);
  const address = await pushAddress(service.url, token, birthBundle());
  const receipt = await receiptAt(address, token);
  assert.is(receipt.status, 'completed');
  const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
  // As parked streams leave them, at a later event and at the first.
  for (const change of [
    sql`update read.ingestion set status = 'processing', accepted = null, rejected = null, completed_at = null`,
    sql`delete from read.ingestion`,
  ]) {
    await change.execute(stores.db);
    await sql`delete from app.submission`.execute(stores.db);
    assert.equal(await (await poll(address, token)).json(), receipt);
  }
  await stores.close();
  await service.stop();
});

failedReceipts.run();
