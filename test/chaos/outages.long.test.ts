import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runChaosGroup } from './chaos-runs.ts';

const chaos = suite('chaos: outages');

chaos('while log or database is away or the clocks jump, every request is answered', async () => {
  const { counts, faults } = await runChaosGroup('outages', 'short');
  assert.equal(faults, []);
  for (const what of ['Postgres restarted', 'log unreachable', 'clocks jumped', 'answered 503'])
    assert.ok((counts[what] ?? 0) > 0, what);
});

chaos.run();
