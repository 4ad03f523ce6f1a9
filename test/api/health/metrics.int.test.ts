import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProjectionProgress } from '../../../adapters/postgres/projector/projection-progress.ts';
import { createHealthProbe } from '../../../api/health/health-probe.ts';
import { createMetrics } from '../../../api/health/metrics.ts';
import { openServiceLog } from '../../../api/process/logging.ts';
import { openStores } from '../../../api/stores/stores.ts';
import { eventually } from '../../harness/eventually.ts';
import {
  metricsAt,
  newPractice,
  post,
  push,
  seriesValue,
  startTestService,
  type TestService,
} from '../../harness/service.ts';
import { birthBundle } from '../../support/bundles.ts';

const metrics = suite<{ service: TestService }>('metrics');

metrics.before(async (context) => {
  context.service = await startTestService();
});
metrics.after(({ service }) => service.stop());

metrics('queue, positions, parked streams and parts', async ({ service }) => {
  const { token } = await newPractice(service.commands);
  await push(service.url, token, birthBundle({ chartNumber: 'never-in-a-metric' }));
  const text = await metricsAt(service.url);
  assert.is(seriesValue(text, 'registry_parked_streams'), 0);
  assert.is(seriesValue(text, 'registry_part_up{part="database"}'), 1);
  assert.is(seriesValue(text, 'registry_part_up{part="projection"}'), 1);
  assert.ok(seriesValue(text, 'registry_queued_courses') >= 0);
  assert.ok(seriesValue(text, 'registry_log_position') > 0);
  assert.ok(seriesValue(text, 'registry_projection_position') > 0);
  assert.ok(seriesValue(text, 'process_resident_memory_bytes') > 0);
});

metrics('methods that nothing of ours takes share one label', async ({ service }) => {
  const methods = ['DELETE', 'PROPFIND', 'MKCOL', 'PURGE', 'UNSUBSCRIBE'];
  for (const method of methods) await fetch(`${service.url}/nowhere`, { method });
  const text = await metricsAt(service.url);
  assert.is(
    seriesValue(
      text,
      'registry_http_request_seconds_count{method="other",route="none",status="404"}',
    ),
    methods.length,
  );
  for (const method of methods) assert.not(text.includes(method));
});

metrics(
  'requests by the pattern of their route, never by what was asked for',
  async ({ service }) => {
    const { token } = await newPractice(service.commands);
    await push(service.url, token, birthBundle({ chartNumber: 'another' }));
    await fetch(`${service.url}/API/Registry/fhir/ingestions/secret-in-a-path`, {
      headers: { Authorization: 'Bearer rgk_unknown' },
    });
    await fetch(`${service.url}/nowhere/secret-in-a-path?token=secret-in-a-query`);
    const text = await metricsAt(service.url);
    const counted = (route: string, method: string, status: number) =>
      seriesValue(
        text,
        `registry_http_request_seconds_count{method="${method}",route="${route}",status="${status}"}`,
      );
    assert.ok(counted('/api/registry/fhir/Bundle', 'POST', 202) >= 1);
    assert.ok(counted('/api/registry/fhir/ingestions/:ingestion', 'GET', 200) >= 1);
    assert.ok(counted('none', 'GET', 404) >= 1);
    for (const submitted of ['secret-in-a', 'never-in-a-metric', token])
      assert.not(text.includes(submitted));
  },
);

metrics('appends, batches and ends of ingestions are counted', async ({ service }) => {
  const { token } = await newPractice(service.commands);
  const before = await metricsAt(service.url);
  await push(service.url, token, birthBundle({ chartNumber: 'one' }), { 'Idempotency-Key': 'k' });
  const again = await post(service.url, token, birthBundle(), { 'Idempotency-Key': 'k' });
  assert.is(again.status, 202);
  const after = await metricsAt(service.url);
  const grown = (series: string) => seriesValue(after, series) - seriesValue(before, series);
  assert.ok(grown('registry_append_seconds_count{outcome="appended"}') >= 2);
  assert.is(grown('registry_append_seconds_count{outcome="wrong-revision"}'), 0);
  assert.is(grown('registry_append_seconds_count{outcome="failed"}'), 0);
  assert.is(grown('registry_ingestions_ended_total{status="completed"}'), 1);
  assert.is(grown('registry_ingestions_ended_total{status="failed"}'), 0);
  assert.ok(grown('registry_projection_batch_seconds_count') >= 1);
  assert.ok(grown('registry_projection_batch_events_sum') >= 2);
});

metrics('what stands still: pool, queue, lag, and what runs', async ({ service }) => {
  const text = await metricsAt(service.url);
  assert.is(seriesValue(text, 'registry_ready'), 1);
  assert.match(text, /registry_info\{version="\d+\.\d+\.\d+",role="all"\} 1/);
  const pool = (name: string) => seriesValue(text, `registry_database_pool_${name}`);
  assert.is(pool('maximum'), 16);
  assert.ok(pool('connections') >= 1 && pool('connections') <= 16);
  assert.ok(pool('idle') >= 0 && pool('idle') <= pool('connections'));
  assert.is(pool('waiting'), 0);
  assert.is(seriesValue(text, 'registry_projection_kept_up'), 1);
  assert.is(seriesValue(text, 'registry_projection_stalled_seconds'), 0);
  const now = Date.now() / 1000;
  for (const moment of ['log_newest_event', 'projection_progress']) {
    const at = seriesValue(text, `registry_${moment}_timestamp_seconds`);
    assert.ok(at > now - 120 && at < now + 1, moment);
  }
});

metrics('a request that the limiter refuses is counted under its name', async () => {
  const limited = await startTestService({ RATE_LIMIT_PER_MINUTE: '1' });
  try {
    const statuses = [
      (await post(limited.url, 'rgk_nobody', '{}')).status,
      (await post(limited.url, 'rgk_nobody', '{}')).status,
      (await post(limited.url, null, '{}')).status,
      (await post(limited.url, null, '{}')).status,
    ];
    // None is a key: all count for the address.
    assert.equal(statuses, [401, 429, 429, 429]);
    const text = await metricsAt(limited.url);
    const refused = (name: string) =>
      seriesValue(text, `registry_limiter_refused_total{limiter="${name}"}`);
    assert.is(refused('push-lane'), 3);
    assert.is(refused('smart-callback'), 0);
    assert.is(seriesValue(text, 'registry_limiter_store_errors_total{limiter="push-lane"}'), 0);
  } finally {
    await limited.stop();
  }
});

metrics('tables that do not go on: the lag grows, and the standstill with it', async (context) => {
  const { service } = context;
  const { token } = await newPractice(service.commands);
  const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
  const holder = new pg.Client({ connectionString: stores.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from read.checkpoint for update');
    assert.is((await post(service.url, token, birthBundle({ chartNumber: 'held' }))).status, 202);
    await eventually('the standstill is seen', async () => {
      const text = await metricsAt(service.url);
      const lag = (what: string) => seriesValue(text, `registry_projection_${what}`);
      if (lag('stalled_seconds') === 0) return false;
      assert.ok(lag('lag_events') >= 1 && lag('lag_events') < 100);
      assert.ok(lag('lag_seconds') >= lag('stalled_seconds') - 1);
      assert.is(seriesValue(text, 'registry_queued_ingestions'), 1);
      assert.is(seriesValue(text, 'registry_queued_courses'), 1);
      assert.ok(seriesValue(text, 'registry_queue_oldest_seconds') > 0);
      return true;
    });
  } finally {
    await holder.query('rollback');
    await holder.end();
    await stores.close();
  }
});

metrics('whoever asks again within the time is told what was seen', async ({ service }) => {
  const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
  const watch = createHealthProbe(stores, createProjectionProgress(stores.db), async () => null);
  try {
    const [first, second] = await Promise.all([watch.probe(0), watch.probe(0)]);
    assert.is(first, second, 'one look for all who ask at once');
    assert.is(await watch.probe(60_000), first);
    assert.is.not(await watch.probe(0), first);
  } finally {
    watch.stop();
    await stores.close();
  }
});

metrics('many scrapes within a second cost as much as one', async () => {
  let asked = 0;
  const { text } = createMetrics({ version: '0', role: 'all' }, async () => {
    asked += 1;
    const readiness = { checks: [], reasons: [], warnings: [] };
    return { health: null, readiness, pool: null, background: null };
  });
  const texts = await Promise.all(Array.from({ length: 50 }, text));
  assert.is(new Set(texts).size, 1);
  assert.is(asked, 1);
  await eventually('a new text', async () => (await text()) !== texts[0]);
  assert.is(asked, 2);
});

metrics.run();
