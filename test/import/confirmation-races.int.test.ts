import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rowCipherOf } from '../../adapters/crypto/sealing.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { ingestionQueueOf } from '../../adapters/postgres/queue/ingestion-queue.ts';
import { openQueueKey } from '../../adapters/postgres/queue/queue-key.ts';
import { stagedImportsOf } from '../../adapters/postgres/short-lived/staged-imports.ts';
import type { NewQueueEntry } from '../../domain/ingestion/ports.ts';
import { ingestionStream } from '../../domain/stream-names.ts';
import {
  BIRTH_COLUMNS,
  birthRow,
  csvOf,
  fileOf,
  importIdOf,
  MEMBER,
  openTestImports,
  type TestImports,
} from '../support/imports.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** What may happen to an import between its confirmation and its place in the log. */

interface Opened {
  readonly service: TestService;
  readonly opened: TestImports;
  readonly db: Db;
  readonly stagedImports: ReturnType<typeof stagedImportsOf>;
  readonly queue: ReturnType<typeof ingestionQueueOf>;
}

const races = suite<Opened>('a confirmed import');

const TTL_SECONDS = 3_600;

races.before(async (context) => {
  const service = await startTestService({ ROLE: 'api' });
  const opened = await openTestImports(service.settings);
  const { db, hotDb, secret } = opened.stores;
  const cipher = rowCipherOf(await openQueueKey(db, secret));
  Object.assign(context, {
    service,
    opened,
    db,
    stagedImports: stagedImportsOf(db, cipher, TTL_SECONDS),
    queue: ingestionQueueOf({ db, hotDb }, cipher, TTL_SECONDS),
  });
});
races.after(async ({ service, opened }) => {
  await opened?.close();
  await service?.stop();
});

const stageOne = async ({ imports }: TestImports, practiceId: string): Promise<string> => {
  const row = birthRow(`N-${randomUUID()}`, 'Amaral');
  return importIdOf(await imports.stage(fileOf(practiceId, csvOf(BIRTH_COLUMNS, [row]))));
};

/** An import that was confirmed, and is neither in the queue nor in the log. */
const confirmedOnly = async ({ opened, stagedImports }: Opened) => {
  const practiceId = randomUUID();
  const importId = await stageOne(opened, practiceId);
  const confirmation = await stagedImports.confirm(practiceId, MEMBER, importId, false);
  if (confirmation.kind !== 'confirmed') throw new Error(confirmation.kind);
  return confirmation.staged;
};

const chunksOf = async (db: Db, attempt: string): Promise<number> => {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from app.ingestion_queue_chunk where attempt = ${attempt}`.execute(db);
  return Number(rows[0]?.count);
};

/** Waits until somebody waits for a lock on the staged imports. */
const somebodyWaits = async (db: Db): Promise<void> => {
  const until = performance.now() + 20_000;
  while (performance.now() < until) {
    const { rows } = await sql<{ count: string }>`
      select count(*) as count from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%app.staged_import%'`.execute(db);
    if (Number(rows[0]?.count) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('Nobody waited for the row that is being confirmed');
};

races('is not pushed out by a newer file that waited for it', async ({ opened, db }) => {
  const practiceId = randomUUID();
  const oldest = await stageOne(opened, practiceId);
  for (let count = 1; count < 5; count += 1) await stageOne(opened, practiceId);
  const newest = await db.transaction().execute(async (confirming) => {
    await sql`update app.staged_import set confirmed_at = now()
      where import_id = ${oldest}`.execute(confirming);
    const staging = stageOne(opened, practiceId);
    await somebodyWaits(db);
    return { staging };
  });
  await newest.staging;
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from app.staged_import_chunk where import_id = ${oldest}`.execute(db);
  assert.is(Number(rows[0]?.count), 2, 'its courses are there');
});

races('is not announced without its courses', async (context) => {
  const { opened, db } = context;
  const staged = await confirmedOnly(context);
  await sql`delete from app.staged_import where import_id = ${staged.importId}`.execute(db);
  assert.is(await opened.housekeeping.finishImport(staged), false);
  const stream = ingestionStream(staged.importId);
  assert.equal(await opened.stores.log.readStream(stream), []);
});

races('is carried through however far an earlier try came', async (context) => {
  const { opened, stagedImports, db } = context;
  const staged = await confirmedOnly(context);
  const twice = await Promise.all([1, 2].map(() => stagedImports.queue(staged.importId)));
  assert.equal(twice, [true, true]);
  assert.is(await chunksOf(db, staged.attempt), 1);
  assert.is(await opened.housekeeping.finishImport(staged), true);
  assert.is(await opened.housekeeping.finishImport(staged), true, 'also when it is announced');
  const stream = ingestionStream(staged.importId);
  assert.is((await opened.stores.log.readStream(stream))[0]?.event.type, 'IngestionQueued');
});

races('is left alone by the sweep until it is announced', async (context) => {
  const { stagedImports, queue } = context;
  const staged = await confirmedOnly(context);
  await stagedImports.queue(staged.importId);
  const left = async () => (await queue.unconfirmed(-1_000)).map(({ attempt }) => attempt);
  assert.not((await left()).includes(staged.attempt));
  const pushed: NewQueueEntry = {
    attempt: randomUUID(),
    ingestionId: randomUUID(),
    practiceId: staged.practiceId,
    keyKind: 'native',
    chunks: [[]],
    courses: 0,
  };
  await queue.enqueue(pushed);
  assert.ok((await left()).includes(pushed.attempt), 'a push that nobody announced is not');
});

races('puts no courses behind an entry that is there already', async (context) => {
  const { stagedImports, db } = context;
  const staged = await confirmedOnly(context);
  await stagedImports.queue(staged.importId);
  await sql`delete from app.ingestion_queue_chunk where attempt = ${staged.attempt}`.execute(db);
  assert.is(await stagedImports.queue(staged.importId), true);
  assert.is(await chunksOf(db, staged.attempt), 0);
});

races('leaves no courses in the queue whose entry is gone', async (context) => {
  const { stagedImports, queue, db } = context;
  const [kept, orphaned] = [await confirmedOnly(context), await confirmedOnly(context)];
  for (const { importId } of [kept, orphaned]) await stagedImports.queue(importId);
  await sql`delete from app.ingestion_queue where attempt = ${orphaned.attempt}`.execute(db);
  await queue.dropOrphanedChunks();
  assert.is(await chunksOf(db, orphaned.attempt), 0);
  assert.is(await chunksOf(db, kept.attempt), 1);
});

races.run();
