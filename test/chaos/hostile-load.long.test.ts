import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runChaosGroup } from './chaos-runs.ts';

const chaos = suite('chaos: hostile load');

chaos('whatever is sent at once, no process ends, and others go on working', async () => {
  const { counts, faults } = await runChaosGroup('hostile-load', 'npm test');
  assert.equal(faults, []);
  assert.is(counts['restarts'], 0);
  assert.ok(Number(counts['202s given']) > 0);
  assert.is(counts['202s given'], counts['202s ended']);
  // Every kind was tried.
  for (const kind of ['push answered 202', 'chart answered 303', 'form answered 413'])
    assert.ok(Number(counts[kind]) > 0, `${kind}: ${JSON.stringify(counts)}`);
});

chaos.run();
