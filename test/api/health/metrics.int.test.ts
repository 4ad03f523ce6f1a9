import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { birthBundle } from '../../support/bundles.ts';
import { newPractice, push, startTestService, type TestService } from '../../support/service.ts';

const metrics = suite<{ service: TestService }>('metrics');

metrics.before(async (context) => {
  context.service = await startTestService();
});
metrics.after(({ service }) => service.stop());

const metricsOf = async ({ url }: TestService): Promise<string> => {
  const response = await fetch(`${url}/metrics`);
  assert.is(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', 'text/plain');
  return response.text();
};

const seriesValue = (text: string, series: string): number => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? Number.NaN);
};

metrics('queue, positions, parked streams and parts', async ({ service }) => {
  const { token } = await newPractice(service.commands);
  await push(service.url, token, birthBundle({ chartNumber: 'never-in-a-metric' }));
  const text = await metricsOf(service);
  assert.is(seriesValue(text, 'registry_parked_streams'), 0);
  assert.is(seriesValue(text, 'registry_part_up{part="database"}'), 1);
  assert.is(seriesValue(text, 'registry_part_up{part="projection"}'), 1);
  assert.ok(seriesValue(text, 'registry_queued_courses') >= 0);
  assert.ok(seriesValue(text, 'registry_log_position') > 0);
  assert.ok(seriesValue(text, 'registry_projection_position') > 0);
  assert.ok(seriesValue(text, 'process_resident_memory_bytes') > 0);
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
    const text = await metricsOf(service);
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

metrics.run();
