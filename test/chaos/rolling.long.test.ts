import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runTorture } from './chaos-runs.ts';

const torture = suite('torture: rolling restart');

torture('restarted one after the other, the processes fail no request', async () => {
  const { counts, faults } = await runTorture('rolling', 'short');
  assert.equal(faults, []);
  for (const what of ['api restarted', 'worker restarted', 'projector restarted', 'records'])
    assert.ok((counts[what] ?? 0) > 0, what);
});

torture.run();
