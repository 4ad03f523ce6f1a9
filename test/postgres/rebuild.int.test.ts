import { spawn } from 'node:child_process';
import { sql } from 'kysely';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RebuildStep } from '../../adapters/postgres/rebuild/rebuild.ts';
import { createFindRebuild } from '../../adapters/postgres/rebuild/rebuild-progress.ts';
import { startService } from '../../api/app/service.ts';
import { NO_REPORTER, type Reporter } from '../../api/commands/reporter.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import type { Progress } from '../../domain/progress.ts';
import { READ_TABLES } from '../../projections/read-model.ts';
import { processScript } from '../harness/built-service.ts';
import { eventually } from '../harness/eventually.ts';
import {
  newPractice,
  push,
  startTestService,
  type TestPractice,
  type TestService,
} from '../harness/service.ts';
import { batchOf, birthBundle, retractionBundle } from '../support/bundles.ts';
import { addLong, takeCases } from '../support/runs.ts';
import { findTables, holdRebuild, requestsBeside } from './support/rebuilds.ts';

interface Context {
  service: TestService;
  stores: Stores;
  practice: TestPractice;
}

/** A running service whose read tables are built anew beneath it. */
const rebuild = suite<Context>('rebuilding the read tables');

rebuild.before(async (context) => {
  context.service = await startTestService();
  const { settings, commands } = context.service;
  context.stores = await openStores(settings, 'command', openServiceLog('silent'));
  context.practice = await newPractice(commands);
  const { url } = context.service;
  const { token } = context.practice;
  await push(url, token, batchOf(births('first', 30)));
  await push(url, token, batchOf(births('first', 10, { lastUpdated: '2026-03-15T10:00:00Z' })));
  await push(url, token, retractionBundle('first-3', '2026-03-16T10:00:00Z'));
});
rebuild.after(async ({ service, stores }) => {
  await stores.close();
  await service.stop();
});

const births = (prefix: string, count: number, parts: { readonly lastUpdated?: string } = {}) =>
  Array.from({ length: count }, (_, index) =>
    birthBundle({ chartNumber: `${prefix}-${index}`, ...parts }),
  );

const schemasOf = async ({ db }: Stores): Promise<readonly string[]> => {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where nspname like 'read%' order by 1`.execute(db);
  return rows.map(({ name }) => name);
};

const reporterOf = (lines: string[]): Reporter => ({
  ...NO_REPORTER,
  report: (line) => lines.push(line),
});

const differencesNow = async ({ commands }: TestService) =>
  (await commands.rebuild('compare')).differences;

rebuild('it gives the tables that the projector gave, in tables of their own', async (context) => {
  const { service, stores, practice } = context;
  const before = await findTables(stores.db);
  const told: Progress[] = [];
  const checked = await service.commands.rebuild('compare', {
    ...NO_REPORTER,
    progress: (one) => told.push(one),
  });
  assert.equal(checked.differences, []);
  const last = told.at(-1);
  assert.equal([last?.work, last?.done, last?.unit], ['Rebuilding', checked.events, 'events']);
  assert.is(await findTables(stores.db), before);

  const done = await service.commands.rebuild('swap');
  assert.equal(done.differences, []);
  assert.ok(done.events >= 40 && done.eventsPerSecond > 0 && done.seconds > 0);
  assert.is.not(await findTables(stores.db), before);
  assert.equal(await schemasOf(stores), ['read']);

  // The projector goes on with the new tables.
  const receipt = await push(service.url, practice.token, birthBundle({ chartNumber: 'after' }));
  assert.is(receipt.status, 'completed');
  assert.equal(await differencesNow(service), []);
});

rebuild('people with and without a name are the same in it', async ({ service, practice }) => {
  const { accounts, members, staff } = service.commands;
  const { practiceId } = practice;
  const password = 'a long synthetic passphrase';
  // As every log was written before people had names.
  const email = (name: string) => `${name}@rebuilt.example`;
  const old = await accounts.addMember({
    practiceId,
    role: 'Admin',
    email: email('old'),
    password,
  });
  const asked = await members.invite({ practiceId, role: 'Viewer', email: email('asked') });
  const sam = await accounts.addStaff({ email: email('sam'), password });
  assert.equal(await differencesNow(service), []);
  const named = {
    practiceId,
    role: 'Viewer',
    email: email('new'),
    password,
    name: 'Nora',
  } as const;
  const gone = await accounts.addMember(named);
  await members.rename(practiceId, gone, 'Nora Lind');
  await members.rename(practiceId, old, 'Olga Berg');
  await members.remove(practiceId, gone);
  await members.withdraw(practiceId, asked.memberId);
  await members.invite({ practiceId, role: 'Viewer', email: email('asked'), name: 'Asta' });
  await staff.rename(sam, 'Sam Reyes');
  assert.equal((await service.commands.rebuild('swap')).differences, []);
  const listed = await service.commands.lists.members(practiceId);
  assert.equal(
    listed.map(({ name }) => name),
    ['Asta', 'Olga Berg'],
  );
});

rebuild(
  'while it is under way, every process sees how far it is; afterwards none does',
  async ({ stores }) => {
    const seen = createFindRebuild(stores.db);
    assert.is(await seen(), null);
    const began = Date.now();
    const held = holdRebuild(stores, 'swap');
    try {
      await eventually('the rebuild is seen', async () => (await seen()) !== null);
      const found = await seen();
      assert.equal([found?.purpose, found?.phase], ['swap', 'events']);
      assert.ok(found !== null && found.events > 0 && found.total >= found.events);
      assert.ok(Math.abs(found.startedAt.getTime() - began) < 60_000);
    } finally {
      held.release();
      await held.ended;
    }
    // Postgres ends the connection a moment after it was closed.
    await eventually('the rebuild is not seen any more', async () => (await seen()) === null);
  },
);

const rebuildAndDieAt = (service: TestService, step: RebuildStep): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const script = processScript('test/harness/dying-rebuild.ts');
    const args = [script, JSON.stringify(service.environment), step];
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (_, signal) => resolve(signal));
  });

for (const step of takeCases<RebuildStep>([
  'schemas-renamed',
  'schema-made',
  'batch-applied',
  'indexes-made',
  'compared',
] as const))
  rebuild(
    `killed at "${step}", it leaves the live tables, and the next one succeeds`,
    async (context) => {
      const { service, stores, practice } = context;
      const before = await findTables(stores.db);
      assert.is(await rebuildAndDieAt(service, step), 'SIGKILL');
      assert.is(await findTables(stores.db), before);
      const seen = createFindRebuild(stores.db);
      await eventually('nobody sees what is dead', async () => (await seen()) === null);
      await push(service.url, practice.token, birthBundle({ chartNumber: `killed-${step}` }));
      assert.equal((await service.commands.rebuild('swap')).differences, []);
      assert.equal(await schemasOf(stores), ['read']);
    },
  );

rebuild(
  'killed after the swap, the new tables are live and the old ones go next time',
  async (context) => {
    const { service, stores, practice } = context;
    const before = await findTables(stores.db);
    assert.is(await rebuildAndDieAt(service, 'swapped'), 'SIGKILL');
    assert.is.not(await findTables(stores.db), before);
    await push(service.url, practice.token, birthBundle({ chartNumber: 'killed-swapped' }));
    assert.equal(await differencesNow(service), []);
    assert.equal(await schemasOf(stores), ['read']);
  },
);

for (const lock of ['birth-registry rebuild', 'birth-registry rebuild, second'])
  rebuild(`of two at once the second is refused: ${lock}`, async ({ service, stores }) => {
    const other = new pg.Client({ connectionString: stores.databaseUrl });
    await other.connect();
    await other.query('select pg_advisory_lock(hashtext($1))', [lock]);
    try {
      await service.commands.rebuild('swap');
      assert.unreachable();
    } catch (error) {
      assert.is((error as Error).name, 'RebuildUnderWay');
    } finally {
      await other.end();
    }
  });

rebuild('the new tables have every index, and statistics', async ({ service, stores }) => {
  const wanted = READ_TABLES.flatMap(({ name, indexes }) => [
    `${name}_pkey`,
    // Two connections make them at once, and agree on names only if they are told.
    ...indexes.map((_, place) => `${name}_index_${place + 1}`),
  ]);
  await service.commands.rebuild('swap');
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes
    where schemaname = 'read' and tablename not in ('checkpoint', 'parked_stream')`.execute(
    stores.db,
  );
  assert.equal(rows.map(({ name }) => name).sort(), wanted.sort());
  const { rows: sizes } = await sql<{ tuples: number }>`
    select reltuples as tuples from pg_class where oid = 'read.birth_record'::regclass`.execute(
    stores.db,
  );
  assert.ok(Number(sizes[0]?.tuples) > 0, 'Postgres does not know how many records there are');
});

rebuild(
  'the check names tampered, missing and extra rows by key, and no value',
  async (context) => {
    const { service, stores, practice } = context;
    const { db } = stores;
    const records = await db
      .selectFrom('read.birth_record')
      .select(['submission_uuid', 'chart_number'])
      .where('chart_number', 'in', ['first-6', 'first-7', 'first-8', 'first-9'])
      .orderBy('chart_number')
      .execute();
    const [unfound = '', tampered = '', missing = '', copied = ''] = records.map(
      (row) => row.submission_uuid,
    );
    // Of a type that has no hash of its own.
    await sql`update read.birth_record set words = '' where submission_uuid = ${unfound}`.execute(
      db,
    );
    await sql`update read.birth_record set version = 9, chart_number = 'Tampered'
    where submission_uuid = ${tampered}`.execute(db);
    await sql`delete from read.birth_record where submission_uuid = ${missing}`.execute(db);
    const extra = 'ffffffff-0000-5000-8000-000000000000';
    await sql`
    insert into read.birth_record
    select (jsonb_populate_record(held, ${JSON.stringify({ submission_uuid: extra, stream: 'record-extra' })}::jsonb)).*
    from read.birth_record held where submission_uuid = ${copied}`.execute(db);

    const expected = [
      {
        table: 'birth_record',
        key: { submission_uuid: unfound },
        kind: 'different',
        columns: ['words'],
      },
      {
        table: 'birth_record',
        key: { submission_uuid: tampered },
        kind: 'different',
        columns: ['version', 'chart_number'],
      },
      { table: 'birth_record', key: { submission_uuid: missing }, kind: 'missing', columns: [] },
      { table: 'birth_record', key: { submission_uuid: extra }, kind: 'extra', columns: [] },
    ];
    const byKey = (one: { key: object }, other: { key: object }) =>
      JSON.stringify(one.key) < JSON.stringify(other.key) ? -1 : 1;
    const found = await differencesNow(service);
    assert.equal([...found].sort(byKey), [...expected].sort(byKey));
    const { problems } = await service.commands.verify();
    assert.equal(problems.map(({ problem }) => problem).sort(), [
      'The course of care in the read tables is not what the events say. Run `rebuild`.',
      'The read tables do not hold the record. Run `rebuild`.',
      'The read tables hold a record that the log does not hold. Run `rebuild`.',
      'The version in the read tables is not what the events say. Run `rebuild`.',
    ]);

    const lines: string[] = [];
    const healed = await service.commands.rebuild('swap', reporterOf(lines));
    assert.is(healed.differences.length, 4);
    assert.ok(lines.some((line) => line.includes('differ from the log in 4 rows')));
    assert.not(JSON.stringify([healed, lines]).includes('Tampered'));
    assert.equal(await differencesNow(service), []);
    assert.equal((await service.commands.verify()).problems, []);
    await push(service.url, practice.token, birthBundle({ chartNumber: 'healed' }));
  },
);

addLong(
  rebuild,
  'a service that finds tables of another version rebuilds beside them',
  async (context) => {
    const { service, stores, practice } = context;
    const before = await findTables(stores.db);
    await sql`update read.checkpoint set model_version = 'another'`.execute(stores.db);
    const second = await startService({ ...service.settings, port: 0 }, openServiceLog('silent'));
    try {
      await second.started;
      assert.is.not(await findTables(stores.db), before);
      assert.equal(await differencesNow(service), []);
      // The projector of the first process goes on with the new tables, too.
      const receipt = await push(
        service.url,
        practice.token,
        birthBundle({ chartNumber: 'version' }),
      );
      assert.is(receipt.status, 'completed');
    } finally {
      await second.stop();
    }
  },
);

// Last: what it sends is in each rebuild behind it.
/** A third one: `rebuild.int.long.test.ts`. */
const SWAPS = 2;

addLong(rebuild, 'no request fails while tables are swapped, again and again', async (context) => {
  const { service, stores } = context;
  const tables = new Set<string | undefined>();
  const { receipts, faults } = await requestsBeside(context, async () => {
    for (let swaps = 0; swaps < SWAPS; swaps += 1) {
      assert.equal((await service.commands.rebuild('swap')).differences, []);
      tables.add(await findTables(stores.db));
    }
  });
  assert.equal(faults, []);
  assert.ok(receipts.length >= 10 && receipts.every((status) => status === 'completed'));
  assert.is(tables.size, SWAPS);
  assert.equal(await differencesNow(service), []);
  assert.equal((await service.commands.verify()).problems, []);
});

rebuild.run();
