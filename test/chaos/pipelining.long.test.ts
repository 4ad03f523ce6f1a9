import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runTorture } from './chaos-runs.ts';

const torture = suite('torture: pipelining');

torture('who sends without waiting is cut off, and costs neither memory nor others', async () => {
  const { counts, faults } = await runTorture('pipelining', 'npm test');
  assert.equal(faults, []);
  for (const what of ['pages', 'API']) {
    assert.ok((counts[`${what}: connections`] ?? 0) > 1, `${what}: connections`);
    assert.ok((counts[`${what}: answers to others`] ?? 0) > 10, `${what}: answers`);
  }
});

torture.run();
