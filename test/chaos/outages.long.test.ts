import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runTorture } from './chaos-runs.ts';

const torture = suite('torture: outages');

torture('while log or database is away or the clocks jump, every request is answered', async () => {
  const { counts, faults } = await runTorture('outages', 'short');
  assert.equal(faults, []);
  for (const what of ['Postgres restarted', 'log unreachable', 'clocks jumped', 'answered 503'])
    assert.ok((counts[what] ?? 0) > 0, what);
});

torture.run();
