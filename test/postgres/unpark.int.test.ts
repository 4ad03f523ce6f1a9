import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createUnparkStreams } from '../../adapters/postgres/projector/unpark-streams.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import { eventually } from '../harness/eventually.ts';
import { newPractice, push, startTestService, type TestService } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

const unparking = suite<{ service: TestService; stores: Stores; token: string }>(
  'unparking streams',
);

unparking.before(async (context) => {
  context.service = await startTestService();
  const { settings, commands } = context.service;
  context.stores = await openStores(settings, 'command', openServiceLog('silent'));
  context.token = (await newPractice(commands)).token;
});
unparking.after(async ({ service, stores }) => {
  await stores.close();
  await service.stop();
});

const birth = (chartNumber: string, day: number) =>
  birthBundle({ chartNumber, lastUpdated: `2026-03-${day}T10:00:00Z` });

const versionOf = async ({ db }: Stores, chart: string): Promise<number | null> => {
  const row = await db
    .selectFrom('read.birth_record')
    .select('version')
    .where('chart_number', '=', chart)
    .executeTakeFirst();
  return row?.version ?? null;
};

const parkedIn = async ({ db }: Stores): Promise<readonly string[]> =>
  (await db.selectFrom('read.parked_stream').select('stream').execute()).map(
    ({ stream }) => stream,
  );

const block = async ({ db }: Stores, chart: string): Promise<void> => {
  await sql`alter table read.birth_record add constraint blocked check (chart_number <> ${sql.lit(chart)})`.execute(
    db,
  );
};
const unblock = async ({ db }: Stores): Promise<void> => {
  await sql`alter table read.birth_record drop constraint blocked`.execute(db);
};

unparking(
  'a parked stream is applied from where it was parked, once its cause is gone',
  async (context) => {
    const { service, stores, token } = context;
    const { url, commands } = service;
    await push(url, token, birth('before', 12));
    await block(stores, 'blocked');
    assert.is((await push(url, token, birth('blocked', 12))).status, 'completed');
    assert.is((await push(url, token, birth('blocked', 13))).status, 'completed');
    const [stream = ''] = await parkedIn(stores);
    assert.is(await versionOf(stores, 'blocked'), null);
    const { problems } = await commands.verify();
    assert.equal(
      problems.map((one) => one.stream),
      [stream],
    );

    const lines: string[] = [];
    const refused = await commands.unpark(stream, (line) => lines.push(line));
    assert.equal(refused, { unparked: [], stillParked: [{ stream, problem: 'SQLSTATE 23514' }] });
    assert.is(lines.length, 1);
    assert.equal(await parkedIn(stores), [stream]);
    assert.is(await versionOf(stores, 'blocked'), null);

    await unblock(stores);
    assert.equal(await commands.unpark(null), { unparked: [stream], stillParked: [] });
    assert.equal(await parkedIn(stores), []);
    assert.is(await versionOf(stores, 'blocked'), 2);

    // The projector has seen that the stream is parked no more.
    await push(url, token, birth('blocked', 14));
    assert.is(await versionOf(stores, 'blocked'), 3);
    assert.equal((await commands.verify()).problems, []);
    assert.equal((await commands.rebuild('compare')).differences, []);
  },
);

unparking('beside a busy projector no event is lost or applied twice', async (context) => {
  const { service, stores, token } = context;
  const { url, commands } = service;
  await block(stores, 'busy');
  await push(url, token, birth('busy', 10));
  await unblock(stores);
  let isDone = false;
  let version = 1;
  const load = (async () => {
    for (let day = 11; day < 31; day += 1) {
      await push(url, token, birth('busy', day));
      version += 1;
      isDone = day === 30;
    }
  })();
  await eventually('the client pushes', () => version > 1);
  assert.is((await commands.unpark(null)).unparked.length, 1);
  assert.not(isDone, 'the client still pushes');
  await load;
  assert.is(await versionOf(stores, 'busy'), version);
  assert.equal((await commands.verify()).problems, []);
  assert.equal((await commands.rebuild('compare')).differences, []);
});

unparking(
  'while the log is slow the projector goes on, and what it passes is not lost',
  async (context) => {
    const { service, stores, token } = context;
    const { url, commands } = service;
    await block(stores, 'slow');
    await push(url, token, birth('slow', 12));
    await unblock(stores);
    const streams = await parkedIn(stores);
    let reads = 0;
    const unpark = createUnparkStreams(stores.db, {
      end: stores.log.end,
      async readStream(stream) {
        const events = await stores.log.readStream(stream);
        reads += 1;
        // It completes only if nothing holds up the projector.
        if (reads === 1) await push(url, token, birth('slow', 13));
        return events;
      },
    });
    assert.equal(await unpark(streams), { unparked: streams, stillParked: [] });
    assert.is(await versionOf(stores, 'slow'), 2);
    assert.equal((await commands.verify()).problems, []);
    assert.equal((await commands.rebuild('compare')).differences, []);
  },
);

unparking(
  'a rebuild applies what was parked, and says where the tables differed',
  async (context) => {
    const { service, stores, token } = context;
    await block(stores, 'rebuilt');
    await push(service.url, token, birth('rebuilt', 12));
    const { differences } = await service.commands.rebuild('swap');
    assert.equal(differences.map(({ table, kind }) => `${table} ${kind}`).sort(), [
      'birth_record missing',
      'duplicate_pair missing',
      'parked_stream extra',
      'record_gap missing',
      'statistics_fact missing',
    ]);
    assert.equal(await parkedIn(stores), []);
    assert.is(await versionOf(stores, 'rebuilt'), 1);
  },
);

unparking('a stream that is not parked is refused', async ({ service }) => {
  try {
    await service.commands.unpark('record-unknown');
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).name, 'CommandRefused');
  }
});

unparking.run();
