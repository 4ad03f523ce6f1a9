import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runTorture } from './chaos-runs.ts';

const torture = suite('torture: hostile input');

/** What a quick run does at least: less would show nothing. */
const AT_LEAST: readonly (readonly [string, number])[] = [
  ['requests', 1_500],
  ['changed Bundles', 300],
  ['spoilt Bundles', 100],
  ['packed Bundles', 30],
  ['strange heads', 200],
  ['spoilt heads', 60],
  ['changed forms', 80],
  ['files', 10],
  ['framing shapes', 90],
  ['slow senders', 30],
  ['answers 2xx', 200],
  ['answers 4xx', 200],
  ['receipts read', 10],
  ['records', 50],
  ['events verified', 200],
];

torture('a quick run finds nothing that should not happen', async () => {
  const { counts, faults } = await runTorture('hostile-input', 'npm test');
  assert.equal(faults, []);
  for (const [what, least] of AT_LEAST)
    assert.ok((counts[what] ?? 0) >= least, `${what}: ${counts[what]}`);
});

torture.run();
