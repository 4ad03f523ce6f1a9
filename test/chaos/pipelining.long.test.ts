import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runChaosGroup } from './chaos-runs.ts';

const chaos = suite('chaos: pipelining');

chaos('who sends without waiting is cut off, and costs neither memory nor others', async () => {
  const { counts, faults } = await runChaosGroup('pipelining', 'npm test');
  assert.equal(faults, []);
  for (const what of ['pages', 'API']) {
    assert.ok((counts[`${what}: connections`] ?? 0) > 1, `${what}: connections`);
    assert.ok((counts[`${what}: answers to others`] ?? 0) > 10, `${what}: answers`);
  }
});

chaos.run();
