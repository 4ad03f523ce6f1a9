import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runChaosGroup } from './chaos-runs.ts';

const chaos = suite('chaos: strangers');

chaos('who has no key and no account leaves nearly nothing, and holds nobody up', async () => {
  const { counts, faults } = await runChaosGroup('strangers', 'npm test');
  assert.equal(faults, []);
  // All three kinds were answered, and some of them held back.
  for (const status of [200, 303, 401, 429])
    assert.ok(
      (counts[`answers ${status}`] ?? 0) > 0,
      `answers ${status}: ${JSON.stringify(counts)}`,
    );
});

chaos.run();
