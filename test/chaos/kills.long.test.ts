import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runChaosGroup } from './chaos-runs.ts';

const chaos = suite('chaos: kills');

chaos('whatever is killed under load, nothing that was taken is lost or doubled', async () => {
  const { counts, faults } = await runChaosGroup('kills', 'short');
  assert.equal(faults, []);
  for (const what of ['receipts', 'records', 'answers', 'sent twice'])
    assert.ok((counts[what] ?? 0) > 0, what);
});

chaos.run();
