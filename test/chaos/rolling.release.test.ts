import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runChaosGroup } from './chaos-runs.ts';

const chaos = suite('chaos: rolling restart');

chaos('restarted one after the other, the processes fail no request', async () => {
  const { counts, faults } = await runChaosGroup('rolling', 'short');
  assert.equal(faults, []);
  for (const what of ['api restarted', 'worker restarted', 'projector restarted', 'records'])
    assert.ok((counts[what] ?? 0) > 0, what);
});

chaos.run();
