import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCounts, formatCounts } from '../../../api/process/counts.ts';
import { seriesValue } from '../../harness/service.ts';

const counts = suite('what threads count');

counts('is added up, series by series', async () => {
  const door = createCounts();
  const background = createCounts();
  door.meters.appended('appended', 4);
  door.meters.refused('push-lane');
  background.meters.appended('appended', 40);
  background.meters.appended('failed', 4);
  background.meters.ended('completed');
  const text = await formatCounts([await door.json(), await background.json()]);
  const appends = 'registry_append_seconds';
  assert.is(seriesValue(text, `${appends}_count{outcome="appended"}`), 2);
  assert.is(seriesValue(text, `${appends}_count{outcome="failed"}`), 1);
  assert.is(seriesValue(text, `${appends}_bucket{le="0.005",outcome="appended"}`), 1);
  assert.is(seriesValue(text, `${appends}_bucket{le="0.05",outcome="appended"}`), 2);
  assert.is(seriesValue(text, `${appends}_sum{outcome="appended"}`), 0.044);
  assert.is(seriesValue(text, 'registry_ingestions_ended_total{status="completed"}'), 1);
  assert.is(seriesValue(text, 'registry_limiter_refused_total{limiter="push-lane"}'), 1);
  assert.is(text.match(/^# TYPE registry_append_seconds histogram$/gm)?.length, 1);
});

counts.run();
