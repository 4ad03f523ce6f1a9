import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRowCipher } from '../../adapters/crypto/sealing.ts';
import { type Db, openHotDatabase } from '../../adapters/postgres/connection/database.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { applyChanges } from '../../adapters/postgres/projector/apply-changes.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { createIngestionQueue } from '../../adapters/postgres/queue/ingestion-queue.ts';
import { createDecisionReads } from '../../adapters/postgres/read-model/load-records.ts';
import { createLoadProviders } from '../../adapters/postgres/read-model/providers.ts';
import { createFindReceipt } from '../../adapters/postgres/read-model/receipts.ts';
import { upsert } from '../../projections/projection.ts';
import { encodeCourse } from '../../projections/tables/course-codec.ts';
import { type DatabaseContext, databaseSuite } from '../harness/postgres.ts';
import { courseOfInes } from '../support/birth-records.ts';
import { soleKey } from '../support/in-memory.ts';

/**
 * A statement that was planned while its tables were empty, and known to be empty, keeps its plan
 * when they have filled: it has to be one for full tables.
 */

interface Hot extends DatabaseContext {
  hotDb: Db;
  queue: ReturnType<typeof createIngestionQueue>;
}

const PRACTICE = 'cedar';
const FILLED = 5_000;
/** Ingestions that have ended before. */
const COMPLETED = 3_000;
/** Postgres plans a statement anew five times before it keeps a plan. */
const UNTIL_KEPT = 7;
const ASKED = 50;
const UNCONDITIONAL = { requirePermission: async () => undefined, limits: null };
/** Reading all of a table takes thousands of blocks, a look by an index three or four. */
const MAX_BLOCKS_PER_ROW = 20;

const hot = databaseSuite('statements that are planned once') as Test<Hot>;

const idOf = (n: number): string => `ingestion-${n}`;
const attemptOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const streamOf = (n: number): string => `record-${n}`;
const fingerprintOf = (n: number): string => `fingerprint-${n}`;
const providerIdOf = (n: number): string => `provider-${n}`;
const lastOnes = Array.from({ length: ASKED }, (_, index) => index * 7);

const entryOf = (n: number) => ({
  attempt: attemptOf(n),
  ingestionId: idOf(n),
  practiceId: PRACTICE,
  keyId: 'key',
  keyKind: 'native' as const,
  correlationId: 'test',
  receivedAt: new Date().toISOString(),
  isKeyed: true,
  courses: 1,
  chunks: [[]],
});

const ingestionOf = (n: number) => ({
  ingestion_id: idOf(n),
  practice_id: PRACTICE,
  key_id: 'key',
  key_kind: 'native',
  source: 'fhir_push',
  started_by: null,
  file_hash: null,
  empty_rows: null,
  attempt: attemptOf(n),
  correlation_id: 'test',
  courses: 1,
  status: 'queued',
  run: 0,
  revision: '0',
  received_at: new Date().toISOString(),
  accepted: null,
  rejected: null,
  error: null,
  exception: null,
  completed_at: null,
});

const completedOf = (n: number) => ({
  ...ingestionOf(n),
  status: 'completed',
  accepted: 1,
  rejected: 0,
  completed_at: new Date().toISOString(),
});

const recordOf = (n: number) => {
  const at = new Date().toISOString();
  return {
    submission_uuid: randomUUID(),
    practice_id: PRACTICE,
    chart_number: `C-${n}`,
    status: 'live',
    version: 1,
    source: 'fhir_push',
    key_kind: null,
    changed_at: at,
    stream: streamOf(n),
    revision: '0',
    stamp: null,
    duplicate_of: null,
    was_flagged: false,
    fingerprints: [fingerprintOf(n)],
    providers: [],
    attendant: null,
    certifier: null,
    recorded_position: String(n),
    changed_position: String(n),
    partner_key: null,
    recorded_at: at,
    voided_at: null,
    actor_kind: 'operator',
    actor_id: 'test',
    is_prefilled: false,
    fetal_deaths: 0,
    course: encodeCourse(courseOfInes, null),
    chart_folded: `c-${n}`,
    mother_name: 'Ines',
    child_names: null,
    born: null,
    children: 1,
    place: 'Home',
    words: `'ines'`,
  };
};

const providerOf = (n: number) => ({
  provider_id: providerIdOf(n),
  practice_id: PRACTICE,
  partner_id: 'partner',
  identity: `identity-${n}`,
  npi: null,
  name: null,
  credentials: null,
  role: 'attendant',
  revision: '0',
  merged_into: null,
  survivor_id: providerIdOf(n),
  identified_at: new Date().toISOString(),
  changed_at: new Date().toISOString(),
});

/** What the door and the worker ask, and how many rows of each they want. */
const asked: Readonly<Record<string, (context: Hot) => Promise<unknown>>> = {
  'a receipt': ({ hotDb }) => createFindReceipt(hotDb)(PRACTICE, idOf(FILLED - 1)),
  'receipts at once': ({ hotDb }) => {
    const findReceipt = createFindReceipt(hotDb);
    return Promise.all(lastOnes.map((n) => findReceipt(PRACTICE, idOf(n))));
  },
  'the next entries': ({ queue }) => queue.pick(PRACTICE, [], ASKED),
  'practices with work': ({ queue }) => queue.practicesWithWork([]),
  'a claim': ({ queue }) => queue.claim(lastOnes.map(idOf)),
  'chunks of courses': ({ queue }) =>
    queue.openChunks(
      lastOnes.map((n) => ({
        entry: { ...entryOf(n), sealed: null } as never,
        chunk: 0,
      })),
    ),
  'records on streams': ({ hotDb }) =>
    createDecisionReads(hotDb).loadRecords(lastOnes.map(streamOf)),
  providers: ({ hotDb }) => createLoadProviders(hotDb)(lastOnes.map(providerIdOf)),
  'holders of fingerprints': ({ hotDb }) =>
    createDecisionReads(hotDb).loadFingerprintHolders(PRACTICE, lastOnes.map(fingerprintOf), 16),
};

/** Blocks that the one connection has looked at for some work. */
const blocksFor = async (db: Db, work: () => Promise<unknown>): Promise<number> => {
  const seen = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ hits: string }>`
      select sum(hits) as hits from pg_stat_get_backend_io(pg_backend_pid())`.execute(db);
    return Number(rows[0]?.hits);
  };
  const before = await seen();
  await work();
  return (await seen()) - before;
};

hot.before(async (context) => {
  const { db, url } = context;
  await migrate(db as never);
  await ensureReadSchema(db, 'registry');
  // A slow machine would have statistics taken while the tables fill. Statements are planned anew then,
  // and the catalogs that this takes are blocks, too.
  const { rows } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname in ('app', 'read')`.execute(db);
  for (const { schema, name } of rows)
    await sql`alter table ${sql.id(schema, name)} set (autovacuum_enabled = false)`.execute(db);
  const hotDb = openHotDatabase(url, 1);
  const queue = createIngestionQueue({ db, hotDb }, createRowCipher(soleKey()), {
    ttlSeconds: 3_600,
  });
  Object.assign(context, { hotDb, queue });
  await applyChanges(
    db,
    'read',
    Array.from({ length: COMPLETED }, (_, n) => upsert('ingestion', completedOf(n + FILLED))),
  );
  // Known to be empty, or to hold nothing open: then reading all looks as good as looking into it.
  await sql`vacuum analyze`.execute(db);
  for (let time = 0; time < UNTIL_KEPT; time += 1)
    for (const ask of Object.values(asked)) await ask(context);
  await Promise.all(
    Array.from({ length: FILLED }, (_, n) => queue.enqueue(entryOf(n), UNCONDITIONAL)),
  );
  await applyChanges(
    db,
    'read',
    Array.from({ length: FILLED }, (_, n) => [
      // The oldest have been worked off and wait to be dropped.
      upsert('ingestion', n < ASKED ? completedOf(n) : ingestionOf(n)),
      upsert('birth_record', recordOf(n)),
      upsert('provider', providerOf(n)),
    ]).flat(),
  );
});
hot.after(({ hotDb }) => hotDb?.destroy());

for (const [what, ask] of Object.entries(asked))
  hot(`${what}: by an index also when the tables have filled since`, async (context) => {
    const { hotDb } = context;
    const blocks = await blocksFor(hotDb, () => ask(context));
    assert.ok(blocks < ASKED * MAX_BLOCKS_PER_ROW, `${blocks} blocks`);
  });

hot('a claim changes entries where they stand, and no index', async ({ hotDb, queue }) => {
  const changed = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(hotDb);
    const { rows } = await sql<{ all: string; in_place: string }>`
      select n_tup_upd as all, n_tup_hot_upd as in_place from pg_stat_user_tables
      where schemaname = 'app' and relname = 'submission'`.execute(hotDb);
    const [row] = rows;
    return { all: Number(row?.all), inPlace: Number(row?.in_place) };
  };
  const before = await changed();
  await queue.claim(Array.from({ length: ASKED }, (_, index) => idOf(FILLED - 1 - index)));
  const after = await changed();
  assert.is(after.all - before.all, ASKED);
  assert.is(after.inPlace - before.inPlace, ASKED);
});

hot('of receipts that are looked up at once, each lookup gets its own', async ({ hotDb }) => {
  const findReceipt = createFindReceipt(hotDb);
  const lookups = Array.from({ length: 3 * ASKED }, (_, index) => ({
    practiceId: index % 3 === 1 ? 'maple' : PRACTICE,
    id: index % 3 === 2 ? `unknown-${index}` : idOf(FILLED + index),
  }));
  const receipts = await Promise.all(
    lookups.map(({ practiceId, id }) => findReceipt(practiceId, id)),
  );
  assert.equal(
    receipts.map((receipt) => receipt?.id ?? null),
    lookups.map(({ id }, index) => (index % 3 === 0 ? id : null)),
  );
});

hot('one whose columns have become of another type is planned anew', async ({ db, hotDb }) => {
  const held = () => sql<{ what: unknown }>`select what from app.changing where id = ${1}`;
  await sql`create table app.changing (id integer, what integer)`.execute(db);
  await sql`insert into app.changing values (1, 7)`.execute(db);
  for (let time = 0; time < UNTIL_KEPT; time += 1)
    assert.equal((await held().execute(hotDb)).rows, [{ what: 7 }]);
  await sql`alter table app.changing alter what type text`.execute(db);
  assert.equal((await held().execute(hotDb)).rows, [{ what: '7' }]);
});

hot.run();
