import { type RawBuilder, sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLeases, LEASE_MS } from '../../adapters/postgres/leases/leases.ts';
import { createProjectionProgress } from '../../adapters/postgres/projector/projection-progress.ts';
import { startProjector } from '../../adapters/postgres/projector/projector.ts';
import { ReadTablesOfAnotherVersion } from '../../adapters/postgres/projector/read-schema.ts';
import { READ_MODEL_VERSION } from '../../adapters/postgres/projector/tables-version.ts';
import { type Service, startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Role } from '../../api/settings/settings.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import { eventually } from '../harness/eventually.ts';
import {
  newPractice,
  poll,
  post,
  push,
  pushAddress,
  receiptAt,
  startTestService,
  type TestPractice,
  type TestService,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { holdRebuild } from './support/rebuilds.ts';

interface Context {
  service: TestService;
  stores: Stores;
  practice: TestPractice;
  /** Status address of an ingestion that had ended before. */
  ended: string;
}

const newer = suite<Context>('tables of a newer version');

newer.before(async (context) => {
  context.service = await startTestService();
  context.stores = await openStores(context.service.settings, 'command', openServiceLog('silent'));
  context.practice = await newPractice(context.service.commands);
  const { token } = context.practice;
  context.ended = await pushAddress(context.service.url, token, birth('before'));
  await receiptAt(context.ended, token);
});
newer.after(async ({ service, stores }) => {
  await stores.close();
  await service.stop();
});

const birth = (chartNumber: string, day = 12) =>
  birthBundle({ chartNumber, lastUpdated: `2026-03-${day}T10:00:00Z` });

const ADDED = `${READ_MODEL_VERSION} births_by_week:1`;
const HIGHER = READ_MODEL_VERSION.replace(
  /birth_records:(\d+)/,
  (_, version) => `birth_records:${Number(version) + 1}`,
);

/** Swaps tables of this version in, with other columns, as a rebuild does. */
const swapIn = async (
  { db }: Stores,
  version: string,
  ...changes: readonly RawBuilder<unknown>[]
) =>
  db.transaction().execute(async (transaction) => {
    await sql`update read.checkpoint set epoch = gen_random_uuid(), model_version = ${version}`.execute(
      transaction,
    );
    for (const change of changes) await change.execute(transaction);
  });

/** What a successor changes: no process of this version can decide on these records. */
const asSuccessor = (stores: Stores, version: string) =>
  swapIn(
    stores,
    version,
    sql`alter table read.birth_record rename column course to content`,
    sql`alter table read.ingestion add column rating text`,
  );
const asBefore = (stores: Stores) =>
  swapIn(
    stores,
    READ_MODEL_VERSION,
    sql`alter table read.birth_record rename column content to course`,
    sql`alter table read.ingestion drop column rating`,
  );

const tablesNow = async ({ db }: Stores) =>
  db.selectFrom('read.checkpoint').select(['epoch', 'model_version']).executeTakeFirstOrThrow();

interface Ready {
  readonly reasons: readonly { readonly code: string }[];
  readonly warnings: readonly { readonly code: string }[];
}

const readyAt = async (url: string) => {
  const answer = await fetch(`${url}/health/ready`);
  const { reasons, warnings } = (await answer.json()) as Ready;
  return {
    status: answer.status,
    reasons: reasons.map(({ code }) => code),
    warnings: warnings.map(({ code }) => code),
  };
};

/** Starts another process on the same stores. */
const whileRunning = async (
  { settings }: TestService,
  role: Role,
  work: (second: Service) => Promise<void>,
): Promise<void> => {
  const second = await startService({ ...settings, role, port: 0 }, openServiceLog('silent'));
  try {
    await work(second);
  } finally {
    await second.stop();
  }
};

/** Id of the ingestion at an address. */
const readId = (address: string): string => address.split('/').at(-1) ?? '';

/** What a process that serves the API has to do, whoever swapped the tables beneath it. */
const assertTakesPushes = async (url: string, chart: string, { practice, ended }: Context) => {
  const { token } = practice;
  const ready = await readyAt(url);
  assert.is(ready.status, 200);
  assert.ok(ready.warnings.includes('tables-of-newer-version'), ready.warnings.join());
  const taken = await post(url, token, birth(chart));
  assert.is(taken.status, 202);
  const before = await poll(`${url}${new URL(ended).pathname}`, token);
  assert.is(((await before.json()) as { status: string }).status, 'completed');
  const address = `${url}${new URL(taken.headers.get('content-location') ?? '').pathname}`;
  const waiting = await poll(address, token);
  assert.equal(
    [waiting.status, ((await waiting.json()) as { status: string }).status],
    [200, 'queued'],
  );
  const page = await fetch(`${url}/sign-in`, { headers: { Accept: 'text/html' } });
  assert.equal([page.status, page.headers.get('retry-after')], [503, '10']);
  assert.match(await page.text(), 'The registry is being upgraded');
  const launch = await fetch(`${url}/smart/launch`, { headers: { Accept: 'application/json' } });
  assert.is(launch.status, 503);
  assert.match(await launch.text(), '"code":"transient"');
  const proof = await poll(`${url}${new URL(ended).pathname}/proof`, token);
  assert.is(proof.status, 404);
  return address;
};

for (const [name, version] of [
  ['an added part', ADDED],
  ['a higher part', HIGHER],
] as const)
  newer(`with ${name}: pushes and receipts go on, and nothing else does`, async (context) => {
    const { service, stores, practice } = context;
    await asSuccessor(stores, version);
    const held = await tablesNow(stores);
    const waiting: string[] = [];
    try {
      // The process that they were swapped beneath, whose worker and projector stand by.
      waiting.push(await assertTakesPushes(service.url, `${name}, running`, context));
      await whileRunning(service, 'api', async (second) => {
        await second.started;
        waiting.push(await assertTakesPushes(second.url, `${name}, started`, context));
      });
      assert.equal(await tablesNow(stores), held);
      const { rows } = await sql<{ attempts: number }>`
        select max(attempts) as attempts from app.submission
        where ingestion_id = any(${waiting.map(readId)})`.execute(stores.db);
      assert.equal(rows, [{ attempts: 0 }]);
    } finally {
      await asBefore(stores);
    }
    // What was taken is processed by the next worker whose tables they are.
    for (const address of waiting) {
      const path = new URL(address).pathname;
      assert.is((await receiptAt(`${service.url}${path}`, practice.token)).status, 'completed');
    }
    await eventually(
      'the warning is gone',
      async () => (await readyAt(service.url)).warnings.length === 0,
    );
  });

newer('their lease is left to the projector of that version', async ({ stores }) => {
  const { db, log } = stores;
  await asSuccessor(stores, ADDED);
  const leases = createLeases(db, LEASE_MS, null);
  const progress = createProjectionProgress(db);
  const taken: string[] = [];
  const faults: unknown[] = [];
  const projector = startProjector({
    db,
    log,
    follow: log.follow,
    progress,
    wakeups: null,
    leases: {
      ...leases,
      take(name, ...rest) {
        taken.push(name);
        return leases.take(name, ...rest);
      },
    },
    onFault: (fault) => faults.push(fault),
  });
  try {
    await eventually('it stands by', async () => progress.hasCaughtUp());
    assert.equal(taken, []);
    assert.equal(
      faults.map((fault) => fault instanceof ReadTablesOfAnotherVersion),
      [true],
    );
    await asBefore(stores);
    await eventually('it asks for the lease of its own tables', async () => taken.length > 0);
  } finally {
    await projector.stop();
  }
});

for (const role of ['all', 'projector', 'worker'] as const)
  newer(`a process of the role ${role} waits for them, and rebuilds nothing`, async (context) => {
    const { service, stores } = context;
    await asSuccessor(stores, HIGHER);
    try {
      const held = await tablesNow(stores);
      await whileRunning(service, role, async (second) => {
        await eventually('it says so', async () =>
          (await readyAt(second.url)).reasons.includes('tables-of-newer-version'),
        );
        assert.is((await readyAt(second.url)).status, 503);
        assert.equal(await tablesNow(stores), held);
      });
    } finally {
      await asBefore(stores);
    }
  });

newer('no command of this version replaces them', async ({ service, stores }) => {
  await asSuccessor(stores, ADDED);
  try {
    const held = await tablesNow(stores);
    const refused = (error: unknown) =>
      error instanceof ReadTablesOfAnotherVersion && /newer version/.test(error.message);
    for (const command of [
      () => service.commands.rebuild('swap'),
      () => service.commands.unpark(null),
    ])
      try {
        await command();
        assert.unreachable('the command must be refused');
      } catch (error) {
        assert.ok(refused(error), String(error));
      }
    const { problems, tablesCompared } = await service.commands.verify();
    assert.equal([problems, tablesCompared], [[], false]);
    assert.equal(await tablesNow(stores), held);
  } finally {
    await asBefore(stores);
  }
});

newer('a rebuild under way does not replace them either', async ({ stores }) => {
  const held = holdRebuild(stores, 'swap');
  held.ended.catch(() => undefined);
  await swapIn(stores, ADDED);
  try {
    const live = await tablesNow(stores);
    held.release();
    try {
      await held.ended;
      assert.unreachable('the swap must be refused');
    } catch (error) {
      assert.instance(error, ReadTablesOfAnotherVersion);
    }
    assert.equal(await tablesNow(stores), live);
  } finally {
    await swapIn(stores, READ_MODEL_VERSION);
  }
});

for (const [name, version] of [
  ['older ones', READ_MODEL_VERSION.replace(/birth_records:\d+/, 'birth_records:1')],
  ['ones without a part', READ_MODEL_VERSION.replace(/birth_records:\d+ /, '')],
  ['what is no version', 'another'],
] as const)
  newer(`${name} are refused`, async ({ service, stores }) => {
    await swapIn(stores, version);
    try {
      assert.equal(
        [(await readyAt(service.url)).status, (await readyAt(service.url)).reasons],
        [503, ['tables-of-another-version']],
      );
      await whileRunning(service, 'api', async (second) => {
        await eventually('it waits for a projector', async () =>
          (await readyAt(second.url)).reasons.includes('tables-of-another-version'),
        );
      });
    } finally {
      await swapIn(stores, READ_MODEL_VERSION);
    }
  });

newer('afterwards the tables are what the log says', async ({ service, practice }) => {
  assert.is((await push(service.url, practice.token, birth('after'))).status, 'completed');
  assert.equal((await service.commands.rebuild('compare')).differences, []);
  assert.equal((await service.commands.verify()).problems, []);
});

newer.run();
