import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runTorture } from './chaos-runs.ts';

const torture = suite('torture: kills');

torture('whatever is killed under load, nothing that was taken is lost or doubled', async () => {
  const { counts, faults } = await runTorture('kills', 'short');
  assert.equal(faults, []);
  for (const what of ['receipts', 'records', 'answers', 'sent twice'])
    assert.ok((counts[what] ?? 0) > 0, what);
});

torture.run();
