import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runTorture } from './chaos-runs.ts';

const torture = suite('torture: several processes');

torture('of two processes of each role one may be lost or stand still', async () => {
  const { counts, faults } = await runTorture('processes', 'short');
  assert.equal(faults, []);
  for (const what of ['receipts', 'records', 'raced']) assert.ok((counts[what] ?? 0) > 0, what);
});

torture.run();
