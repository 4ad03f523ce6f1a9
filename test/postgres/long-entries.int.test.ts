import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRowCipher } from '../../adapters/crypto/sealing.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { createIngestionQueue } from '../../adapters/postgres/queue/ingestion-queue.ts';
import { type DatabaseContext, databaseSuite } from '../harness/postgres.ts';
import { soleKey } from '../support/in-memory.ts';

const long = databaseSuite('entries of several chunks') as Test<DatabaseContext>;

const LIMITS = { courses: 1_000, bytes: 1_000_000 };
const NO_ROOM = { courses: 1, bytes: 1 };
const permitted = async () => undefined;

long.before(async ({ db }) => {
  await migrate(db as never);
  await ensureReadSchema(db, 'registry');
});

const entryOf = (ingestionId: string, chunks: number) => ({
  ingestionId,
  attempt: randomUUID(),
  practiceId: 'cedar',
  keyId: 'key',
  keyKind: 'native' as const,
  correlationId: 'test',
  receivedAt: new Date().toISOString(),
  isKeyed: true,
  courses: chunks,
  chunks: Array.from({ length: chunks }, () => []),
});

const queueOn = ({ db }: DatabaseContext) =>
  createIngestionQueue({ db, hotDb: db }, createRowCipher(soleKey()), {
    ttlSeconds: 60,
  });

const countChunks = async ({ db }: DatabaseContext, ingestionId: string): Promise<number> => {
  const { rows } = await sql<{ chunks: number }>`
    select count(*)::integer as chunks from app.submission_chunk
    where ingestion_id = ${ingestionId}`.execute(db);
  return rows[0]?.chunks ?? 0;
};

long(
  'one and a short one of the same id, close to a limit, do not wait for each other',
  async (context) => {
    const queue = queueOn(context);
    const id = randomUUID();
    let short: Promise<string> = Promise.resolve('not asked');
    // Asked when the chunks are written.
    const requirePermission = async () => {
      short = queue.enqueue(entryOf(id, 1), { requirePermission: permitted, limits: LIMITS });
      const isWaiting = async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(context.db);
        return rows.length > 0;
      };
      const ended = short.then(() => true);
      while (!(await Promise.race([ended, isWaiting()])));
    };
    const result = await queue.enqueue(entryOf(id, 2), { requirePermission, limits: LIMITS });
    assert.equal([result, await short].toSorted(), ['known', 'queued']);
    assert.is(await countChunks(context, id), result === 'queued' ? 2 : 0);
  },
);

long('two of the same id are queued once, with all chunks', async (context) => {
  const queue = queueOn(context);
  const id = randomUUID();
  const conditions = { requirePermission: permitted, limits: LIMITS };
  const results = await Promise.all(
    [2, 2].map((chunks) => queue.enqueue(entryOf(id, chunks), conditions)),
  );
  assert.equal(results.toSorted(), ['known', 'queued']);
  assert.is(await countChunks(context, id), 2);
});

long('what has no room leaves nothing', async (context) => {
  const queue = queueOn(context);
  const id = randomUUID();
  const conditions = { requirePermission: permitted, limits: NO_ROOM };
  assert.is(await queue.enqueue(entryOf(id, 2), conditions), 'practice-share');
  assert.is(await countChunks(context, id), 0);
});

long.run();
