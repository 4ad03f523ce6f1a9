import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRowCipher } from '../../adapters/crypto/sealing.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import {
  createIngestionQueue,
  type IngestionQueue,
} from '../../adapters/postgres/queue/ingestion-queue.ts';
import { type DatabaseContext, databaseSuite } from '../harness/postgres.ts';
import { soleKey } from '../support/in-memory.ts';

const attempts = databaseSuite('attempts of an entry') as Test<DatabaseContext>;

attempts.before(async ({ db }) => {
  await migrate(db as never);
  await ensureReadSchema(db, 'registry');
});

/** An entry, and the queues of two workers. */
const queueEntry = async ({ db }: DatabaseContext) => {
  const open = (): IngestionQueue =>
    createIngestionQueue({ db, hotDb: db }, createRowCipher(soleKey()), { ttlSeconds: 60 });
  const [one, other] = [open(), open()];
  const id = randomUUID();
  await one.enqueue(
    {
      ingestionId: id,
      attempt: randomUUID(),
      practiceId: id,
      keyId: 'key',
      keyKind: 'native',
      correlationId: 'test',
      receivedAt: new Date().toISOString(),
      isKeyed: true,
      courses: 1,
      chunks: [[]],
    },
    { requirePermission: async () => undefined, limits: null },
  );
  const claimBy = async (queue: IngestionQueue) => (await queue.claim([id])).get(id);
  return { id, one, other, claimBy };
};

attempts('none counts while a worker continues, or releases the entry', async (context) => {
  const { id, one, other, claimBy } = await queueEntry(context);
  assert.is(await claimBy(one), 0);
  assert.is(await claimBy(one), 0, 'after an outage in which it could not release the entry');
  await one.release([id]);
  assert.is(await claimBy(other), 0);
});

attempts('one counts if another worker died of it', async (context) => {
  const { one, other, claimBy } = await queueEntry(context);
  await claimBy(one);
  assert.is(await claimBy(other), 1);
  assert.is(await claimBy(one), 2);
});

attempts('one counts if it ended in a fault, which the next one learns', async (context) => {
  const { id, one, other, claimBy } = await queueEntry(context);
  await claimBy(one);
  await one.fail([id], 'TypeError');
  const [picked] = await other.pick(id, [], 1);
  assert.equal(
    [picked?.attempts, picked?.lastFault, picked?.mayBePartiallyRecorded],
    [1, 'TypeError', true],
  );
  assert.is(await claimBy(other), 1);
});

attempts('one counts if the same worker has been at it for too long', async (context) => {
  const { id, one, claimBy } = await queueEntry(context);
  await claimBy(one);
  await sql`
    update app.submission set in_progress_since = now() - interval '16 minutes'
    where ingestion_id = ${id}`.execute(context.db);
  assert.is(await claimBy(one), 1);
  assert.is(await claimBy(one), 1, 'counted from the last claim on');
});

attempts('progress makes up for the earlier ones', async (context) => {
  const { id, one, other, claimBy } = await queueEntry(context);
  await claimBy(one);
  assert.is(await claimBy(other), 1);
  await other.resetAttempts([id]);
  assert.is(await claimBy(other), 0);
});

attempts.run();
