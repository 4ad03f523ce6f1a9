import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { createRowCipher } from '../../adapters/crypto/sealing.ts';
import {
  createDropExpiredLaunches,
  createPendingLaunches,
} from '../../adapters/postgres/ephemeral/ehr-launches.ts';
import { createPrefillStore } from '../../adapters/postgres/ephemeral/prefills.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { mapped, motherChart, newbornChart } from '../support/charts.ts';
import { soleKey } from '../support/in-memory.ts';

const table = databaseSuite('launches and pre-fills');
const cipher = createRowCipher(soleKey());

table.before(async ({ db }) => {
  await migrate(db as never);
});
table.before.each(async ({ db }) => {
  await db.deleteFrom('app.ehr_launch').execute();
  await db.deleteFrom('app.prefill').execute();
});

const launch = {
  fhirBaseUrl: 'https://ehr.example/fhir',
  server: {
    issuer: null,
    jwksUri: null,
    idTokenAlgorithms: null,
    authorizationEndpoint: 'https://ehr.example/authorize',
    tokenEndpoint: 'https://ehr.example/token',
  },
  verifier: 'the verifier of this launch',
};

const ZONE = 'America/Denver';

const chart = mapped(
  motherChart({ patient: { resourceType: 'Patient', id: 'm', name: [{ family: 'Åström' }] } }),
);

table('a launch is taken once, by the browser that began it', async ({ db }) => {
  const launches = createPendingLaunches(db, cipher);
  await launches.keep('browser', 'state', launch);
  assert.is(await launches.take('another', 'state'), null);
  assert.is(await launches.take('browser', 'other state'), null);
  const taken = await Promise.all([1, 2, 3].map(() => launches.take('browser', 'state')));
  assert.equal(
    taken.filter((one) => one !== null),
    [launch],
  );
});

table('a browser has at most five launches on their way, the latest', async ({ db }) => {
  const launches = createPendingLaunches(db, cipher);
  await launches.keep('another', 'theirs', launch);
  for (let state = 0; state < 7; state += 1) await launches.keep('browser', `${state}`, launch);
  assert.is(await launches.take('browser', '1'), null);
  assert.equal(await launches.take('browser', '2'), launch);
  assert.equal(await launches.take('another', 'theirs'), launch);
});

table(
  'a pre-fill is found by its browser only, the latest first, until it is dropped',
  async ({ db }) => {
    const prefills = createPrefillStore(db, cipher);
    const first = await prefills.keep('browser', chart);
    const second = await prefills.keep('browser', chart);
    assert.equal((await prefills.find('browser', first, ZONE))?.chart, chart);
    assert.is(await prefills.find('another', first, ZONE), null);
    assert.is(await prefills.find('browser', randomUUID(), ZONE), null);
    assert.is(await prefills.find('browser', "no id' or true", ZONE), null);
    assert.equal(
      (await prefills.list('browser', ZONE)).map(({ prefillId }) => prefillId),
      [second, first],
    );
    assert.equal(await prefills.list('another', ZONE), []);
    await prefills.drop('another', first);
    await prefills.drop('browser', second);
    assert.equal(
      (await prefills.list('browser', ZONE)).map(({ prefillId }) => prefillId),
      [first],
    );
  },
);

table('a pre-fill is found as the clock of a zone tells its days', async ({ db }) => {
  const prefills = createPrefillStore(db, cipher);
  const elsewhere = mapped(newbornChart());
  const inZones = { 'Pacific/Honolulu': elsewhere };
  const prefillId = await prefills.keep('browser', { ...chart, inZones });
  const chartIn = async (timeZone: string) => [
    (await prefills.find('browser', prefillId, timeZone))?.chart,
    ...(await prefills.list('browser', timeZone)).map((kept) => kept.chart),
  ];
  assert.equal(await chartIn('Pacific/Honolulu'), [elsewhere, elsewhere]);
  assert.equal(await chartIn(ZONE), [chart, chart]);
});

table('a browser has at most five pre-fills', async ({ db }) => {
  const prefills = createPrefillStore(db, cipher);
  const ids: string[] = [];
  for (let place = 0; place < 7; place += 1) ids.push(await prefills.keep('browser', chart));
  assert.is((await prefills.list('browser', ZONE)).length, 5);
  assert.is(await prefills.find('browser', ids[0] ?? '', ZONE), null);
});

table('nothing of either stands in the tables as it is', async ({ db }) => {
  await createPendingLaunches(db, cipher).keep('browser', 'the state', launch);
  await createPrefillStore(db, cipher).keep('browser', chart);
  const { rows } = await sql<{ text: string }>`
    select prefill::text || launch::text as text
    from app.prefill prefill, app.ehr_launch launch`.execute(db);
  for (const word of ['Åström', 'the state', 'the verifier', 'ehr.example'])
    for (const form of [word, Buffer.from(word).toString('hex')])
      assert.not.ok(rows[0]?.text.includes(form), word);
});

table('moved to another browser a pre-fill does not open', async ({ db }) => {
  const prefills = createPrefillStore(db, cipher);
  const prefillId = await prefills.keep('browser', chart);
  await db.updateTable('app.prefill').set({ browser: 'thief' }).execute();
  try {
    await prefills.find('thief', prefillId, ZONE);
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).name, 'SealedRowUnreadable');
  }
});

table('what is over is not found, and deleted', async ({ db }) => {
  const [launches, prefills] = [createPendingLaunches(db, cipher), createPrefillStore(db, cipher)];
  await launches.keep('browser', 'state', launch);
  const prefillId = await prefills.keep('browser', chart);
  const { rows } = await sql<{ launch: number; prefill: number }>`
    select extract(epoch from l.expires_at - now())::float as launch,
      extract(epoch from p.expires_at - now())::float as prefill
    from app.ehr_launch l, app.prefill p`.execute(db);
  assert.ok(Math.abs((rows[0]?.launch ?? 0) - 600) < 30);
  assert.ok(Math.abs((rows[0]?.prefill ?? 0) - 1800) < 30);
  await sql`update app.ehr_launch set expires_at = now() - interval '1 second'`.execute(db);
  await sql`update app.prefill set expires_at = now() - interval '1 second'`.execute(db);
  assert.is(await launches.take('browser', 'state'), null);
  assert.is(await prefills.find('browser', prefillId, ZONE), null);
  assert.equal(await prefills.list('browser', ZONE), []);
  await launches.keep('browser', 'fresh', launch);
  await createDropExpiredLaunches(db)();
  const left = await sql<{ launches: number; prefills: number }>`
    select (select count(*)::int from app.ehr_launch) as launches,
      (select count(*)::int from app.prefill) as prefills`.execute(db);
  assert.equal(left.rows[0], { launches: 1, prefills: 0 });
});

table.run();
