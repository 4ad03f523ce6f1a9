import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runChaosGroup } from './chaos-runs.ts';

const chaos = suite('chaos: several processes');

chaos('of two processes of each role one may be lost or stand still', async () => {
  const { counts, faults } = await runChaosGroup('processes', 'short');
  assert.equal(faults, []);
  for (const what of ['receipts', 'records', 'raced']) assert.ok((counts[what] ?? 0) > 0, what);
});

chaos.run();
