import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type EmbeddedEventStore,
  hostEventStore,
} from '../../../adapters/embedded-eventstore/host.ts';
import { type Service, startService } from '../../../api/app/service.ts';
import { openCommands } from '../../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../../api/process/logging.ts';
import type { Settings } from '../../../api/settings/settings.ts';
import { eventually, within } from '../../harness/eventually.ts';
import { freePort, type Relay, relayUrl } from '../../harness/ports.ts';
import { createTestDatabase, type TestPostgres } from '../../harness/postgres.ts';
import {
  metricsAt,
  newPractice,
  post,
  push,
  pushAddress,
  receiptAt,
  seriesValue,
  testSettings,
} from '../../harness/service.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../harness/temporary-directory.ts';
import { birthBundle } from '../../support/bundles.ts';

interface Context {
  directory: TemporaryDirectory;
  database: TestPostgres;
  node: EmbeddedEventStore;
  logRelay: Relay;
  databaseRelay: Relay;
  settingsOf(role: string): Settings;
  start(role: string): Promise<Service>;
}

/** Readiness and metrics of every role, with the stores there, away, and silent. */
const away = suite<Context>('watching a process');

interface Ready {
  readonly status: string;
  readonly checks: readonly { readonly name: string; readonly ok: boolean }[];
  readonly reasons: readonly { readonly code: string; readonly says: string }[];
  readonly warnings: readonly { readonly code: string; readonly says: string }[];
}

/** Whoever waits for a store that hangs waits for ever; whoever does not has ended long before, on any machine. */
const ENDLESS_MS = 60_000;

const readyAt = async (url: string): Promise<Ready & { http: number }> => {
  const response = await fetch(`${url}/health/ready`);
  assert.match(response.headers.get('content-type') ?? '', 'application/json');
  return { ...((await response.json()) as Ready), http: response.status };
};

const codesOf = (found: readonly { readonly code: string }[]) => found.map(({ code }) => code);

away.before(async (context) => {
  context.directory = temporaryDirectory('watching');
  context.database = await createTestDatabase();
  // In a process of its own: some rows change the clock of this one.
  context.node = await hostEventStore({
    databaseUrl: context.database.url,
    dataDir: context.directory.path,
    hostKind: 'service',
    port: await freePort(),
  });
  const [databaseRelay, databaseUrl] = await relayUrl(context.database.url);
  const [logRelay, logUrl] = await relayUrl(context.node.connectionString);
  Object.assign(context, { databaseRelay, logRelay });
  context.settingsOf = (role) =>
    testSettings(context.directory.path, {
      DATABASE_URL: databaseUrl,
      EVENTSTORE_URL: logUrl,
      REGISTRY_SECRET: 'a secret of thirty-two bytes or more',
      ROLE: role,
    });
  context.start = (role) => startService(context.settingsOf(role), openServiceLog('silent'));
});
away.after(async ({ directory, database, node, logRelay, databaseRelay }) => {
  await Promise.all([logRelay.close(), databaseRelay.close()]);
  await node.stop();
  await database.stop();
  directory.remove();
});

/** Whatever a test finds, its service is stopped and the stores are there for the next one. */
const served = async (
  context: Context,
  role: string,
  look: (service: Service) => Promise<void>,
): Promise<void> => {
  const service = await context.start(role);
  try {
    await look(service);
  } finally {
    await Promise.all([context.databaseRelay.mend(), context.logRelay.mend()]);
    await service.stop();
  }
};

away('while the database is away at the start, both say so', async (context) => {
  await context.databaseRelay.cut();
  await served(context, 'all', async (service) => {
    await eventually('the reason', async () => {
      const { http, status, reasons } = await readyAt(service.url);
      assert.is(http, 503);
      assert.is(status, 'unavailable');
      assert.is(reasons[0]?.code, 'starting');
      return codesOf(reasons).includes('database-away');
    });
    const text = await metricsAt(service.url);
    assert.is(seriesValue(text, 'registry_ready'), 0);
    assert.is(seriesValue(text, 'registry_part_up{part="database"}'), 0);
    assert.ok(seriesValue(text, 'process_resident_memory_bytes') > 0);
    await context.databaseRelay.mend();
    await service.started;
    await eventually('readiness', async () => (await readyAt(service.url)).http === 200);
  });
});

for (const role of ['api', 'worker', 'projector'])
  away(`a process of the role ${role} shows its metrics and is ready`, (context) =>
    served(context, role, async (service) => {
      await service.started;
      await eventually('readiness', async () => (await readyAt(service.url)).http === 200);
      const { reasons, warnings } = await readyAt(service.url);
      assert.equal(reasons, []);
      assert.equal(codesOf(warnings), role === 'projector' ? [] : ['tables-not-kept-up']);
      const text = await metricsAt(service.url);
      assert.match(text, new RegExp(`registry_info\\{version="[^"]+",role="${role}"\\} 1`));
      assert.is(seriesValue(text, 'registry_ready'), 1);
      assert.is(seriesValue(text, 'registry_projection_kept_up'), role === 'projector' ? 1 : 0);
      assert.ok(seriesValue(text, 'registry_queued_ingestions') >= 0);
    }),
  );

for (const [what, which, how, reason] of [
  ['the database is away', 'databaseRelay', 'cut', 'database-away'],
  ['the database hangs', 'databaseRelay', 'freeze', 'database-away'],
  ['the log is away', 'logRelay', 'cut', 'log-away'],
  ['the log hangs', 'logRelay', 'freeze', 'log-away'],
] as const)
  away(`${what}: metrics answer with what is known, readiness says why`, (context) =>
    served(context, 'all', async (service) => {
      await service.started;
      await eventually('readiness', async () => (await readyAt(service.url)).http === 200);
      await context[which][how]();
      const isDatabase = which === 'databaseRelay';
      // Scraped in a row, as by several who watch: none waits longer than a store is waited for.
      const scraped = Promise.all(Array.from({ length: 5 }, () => metricsAt(service.url)));
      await within('all are answered', scraped, ENDLESS_MS);
      await eventually('the reason', async () => {
        const { http, checks, reasons, warnings } = await readyAt(service.url);
        if (checks.every(({ ok }) => ok)) return false;
        // Without the log submissions are taken, and wait.
        assert.is(http, isDatabase ? 503 : 200);
        return codesOf(isDatabase ? reasons : warnings).includes(reason);
      });
      if (isDatabase) await post(service.url, 'rgk_nobody', '{}');
      await eventually('the metrics', async () => {
        const text = await metricsAt(service.url);
        const part = isDatabase ? 'database' : 'event-log';
        if (seriesValue(text, `registry_part_up{part="${part}"}`) !== 0) return false;
        assert.is(seriesValue(text, 'registry_ready'), isDatabase ? 0 : 1);
        assert.is(Number.isNaN(seriesValue(text, 'registry_queued_courses')), isDatabase);
        assert.is(Number.isNaN(seriesValue(text, 'registry_log_position')), !isDatabase);
        assert.ok(Number.isNaN(seriesValue(text, 'registry_projection_lag_events')));
        assert.is(seriesValue(text, 'registry_database_pool_maximum'), 16);
        const errors = 'registry_limiter_store_errors_total{limiter="push-lane"}';
        assert.is(seriesValue(text, errors), isDatabase ? 1 : 0);
        return true;
      });
      await context[which].mend();
      await eventually('readiness', async () => (await readyAt(service.url)).http === 200);
    }),
  );

for (const [what, which] of [
  ['the database', 'databaseRelay'],
  ['the log', 'logRelay'],
] as const)
  away(`${what} hangs: the service stops in ten seconds all the same`, async (context) => {
    const service = await context.start('all');
    await service.started;
    await eventually('readiness', async () => (await readyAt(service.url)).http === 200);
    await context[which].freeze();
    const asked = post(service.url, 'rgk_nobody', '{}');
    asked.catch(() => undefined);
    const began = performance.now();
    await service.stop();
    const tookMs = performance.now() - began;
    await context[which].mend();
    assert.ok(tookMs < ENDLESS_MS, `took ${tookMs} ms`);
    await asked.catch(() => undefined);
  });

/** What the log and the operator's own commands share with the services of this suite. */
const practiceOf = async ({ settingsOf }: Context) => {
  const commands = await openCommands(settingsOf('all'), openServiceLog('silent'), {
    mayFound: true,
  });
  try {
    return await newPractice(commands);
  } finally {
    await commands.close();
  }
};

for (const seconds of [-2, 60])
  away(
    `${seconds} s off the clock of the log, pushes complete and readiness says so`,
    async (context) => {
      const { token } = await practiceOf(context);
      const now = Date.now;
      // Of this process alone: Postgres and the log have one of their own.
      Date.now = () => now() + seconds * 1_000;
      try {
        await served(context, 'all', async (service) => {
          await service.started;
          assert.is((await push(service.url, token, birthBundle())).status, 'completed');
          await eventually('the warning', async () => {
            const { warnings } = await readyAt(service.url);
            const says = warnings.find(({ code }) => code === 'clocks-differ')?.says ?? '';
            return says.includes(seconds < 0 ? 's behind the clock' : 's ahead of the clock');
          });
          const text = await metricsAt(service.url);
          const differsBy = seriesValue(text, 'registry_clock_ahead_of_log_seconds');
          assert.ok(Math.abs(differsBy - seconds) < 5, String(differsBy));
        });
      } finally {
        Date.now = now;
      }
    },
  );

away('a log that can be read and takes nothing is said to fail appends', async (context) => {
  const { token } = await practiceOf(context);
  await served(context, 'all', async (service) => {
    await service.started;
    await eventually('readiness', async () => (await readyAt(service.url)).http === 200);
    const client = new pg.Client({ connectionString: context.database.url });
    await client.connect();
    await client.query('begin; lock table eventstore.event in share mode');
    const address = await pushAddress(service.url, token, birthBundle());
    await eventually('the warning', async () => {
      const { http, warnings } = await readyAt(service.url);
      assert.is(http, 200);
      return codesOf(warnings).includes('appends-failing');
    });
    await client.query('rollback');
    await client.end();
    assert.is((await receiptAt(address, token)).status, 'completed');
    const { warnings } = await readyAt(service.url);
    assert.not.ok(codesOf(warnings).includes('appends-failing'));
  });
});

away.run();
