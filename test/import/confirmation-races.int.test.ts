import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestService, type TestService } from '../harness/service.ts';
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

/** What may happen to an import around its confirmation. */

interface Opened {
  readonly service: TestService;
  readonly opened: TestImports;
  readonly db: Db;
}

const races = suite<Opened>('a confirmed import');

races.before(async (context) => {
  const service = await startTestService({ ROLE: 'api' });
  const opened = await openTestImports(service.settings);
  Object.assign(context, { service, opened, db: opened.stores.db });
});
races.after(async ({ service, opened }) => {
  await opened?.close();
  await service?.stop();
});

const stageOne = async ({ imports }: TestImports, practiceId: string): Promise<string> => {
  const row = birthRow(`N-${randomUUID()}`, 'Amaral');
  return importIdOf(await imports.stage(fileOf(practiceId, csvOf(BIRTH_COLUMNS, [row]))));
};

interface Queued {
  readonly sealed: Buffer | null;
  readonly is_in_doubt: boolean;
}

const queuedOf = async (db: Db, importId: string): Promise<readonly Queued[]> => {
  const { rows } = await sql<Queued>`
    select sealed, is_in_doubt from app.submission where ingestion_id = ${importId}`.execute(db);
  return rows;
};

/** Waits until somebody waits for a lock on the staged imports. */
const somebodyWaits = (db: Db): Promise<void> =>
  eventually('somebody waits for the row that is being confirmed', async () => {
    const { rows } = await sql<{ count: string }>`
      select count(*) as count from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%app.staged_import%'`.execute(db);
    return Number(rows[0]?.count) > 0;
  });

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
  assert.is(Number(rows[0]?.count), 3, 'its courses are there');
});

races('is in the queue with its confirmation, once', async ({ opened, db }) => {
  const practiceId = randomUUID();
  const importId = await stageOne(opened, practiceId);
  const confirmations = await Promise.all(
    [1, 2, 3].map(() => opened.imports.confirm(practiceId, MEMBER, importId, false)),
  );
  assert.equal(
    confirmations.map(({ kind }) => kind),
    ['confirmed', 'confirmed', 'confirmed'],
  );
  const [queued, ...others] = await queuedOf(db, importId);
  assert.ok(queued?.sealed instanceof Buffer);
  assert.is(queued.is_in_doubt, false);
  assert.equal(others, []);
  // Its rows stay for a day, for those that were rejected to be downloaded.
  const { rows } = await sql`
    select kind from app.staged_import_chunk where import_id = ${importId}`.execute(db);
  assert.equal(rows, [{ kind: 'cells' }]);
});

races('leaves no courses in the queue whose entry is gone', async ({ opened, db }) => {
  const practiceId = randomUUID();
  const charts = Array.from({ length: 60 }, (_, row) => birthRow(`O-${row}`, 'Amaral'));
  const importId = importIdOf(
    await opened.imports.stage(fileOf(practiceId, csvOf(BIRTH_COLUMNS, charts))),
  );
  await opened.imports.confirm(practiceId, MEMBER, importId, false);
  const chunks = async () => {
    const { rows } = await sql`
      select from app.submission_chunk where ingestion_id = ${importId}`.execute(db);
    return rows.length;
  };
  await opened.registry.queue.dropOrphanedChunks();
  assert.is(await chunks(), 2);
  await sql`delete from app.submission where ingestion_id = ${importId}`.execute(db);
  await opened.registry.queue.dropOrphanedChunks();
  assert.is(await chunks(), 0);
});

races('is refused right before it is queued if the member may no longer import', async (c) => {
  const { opened, db } = c;
  const practiceId = randomUUID();
  const importId = await stageOne(opened, practiceId);
  const confirm = (requirePermission: () => Promise<void>) =>
    opened.imports.confirm(practiceId, MEMBER, importId, false, null, requirePermission);
  const refused = await confirm(async () => {
    throw new RangeError('No seat');
  }).catch((error: unknown) => error);
  assert.instance(refused, RangeError);
  assert.equal(await queuedOf(db, importId), []);
  assert.is((await confirm(async () => undefined)).kind, 'confirmed');
});

races('has to fit into the share of the practice', async ({ service, opened, db }) => {
  const practiceId = randomUUID();
  const importId = await stageOne(opened, practiceId);
  const { queueLimitRecords } = service.settings;
  const fill = (sign: 1 | -1) =>
    sql`insert into app.queue_change (practice_id, courses, bytes)
      values (${practiceId}, ${sign * queueLimitRecords}, 0)`.execute(db);
  await fill(1);
  try {
    const { queueLoad } = opened.registry;
    await eventually(
      'the process has counted anew',
      () => queueLoad.retryAfterSeconds(practiceId) > 1,
    );
    const refused = await opened.imports.confirm(practiceId, MEMBER, importId, false);
    assert.equal(refused, { kind: 'no-room', limit: 'practice-share' });
    assert.equal(await queuedOf(db, importId), []);
  } finally {
    await fill(-1);
  }
});

races.run();
