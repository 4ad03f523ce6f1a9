import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runChaosGroup } from './chaos-runs.ts';

const chaos = suite('chaos: hostile input');

/** What a quick run does at least: less would show nothing. */
const AT_LEAST: readonly (readonly [string, number])[] = [
  ['requests', 1_500],
  ['changed Bundles', 300],
  ['corrupt Bundles', 100],
  ['compressed Bundles', 30],
  ['routes', 200],
  ['unusual headers', 200],
  ['malformed headers', 60],
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

chaos('a quick run finds nothing that should not happen', async () => {
  const { counts, faults } = await runChaosGroup('hostile-input', 'npm test');
  assert.equal(faults, []);
  for (const [what, least] of AT_LEAST)
    assert.ok((counts[what] ?? 0) >= least, `${what}: ${counts[what]}`);
  assert.ok(Number(counts['unusual headers']) >= Number(counts['routes']), 'every route is tried');
});

chaos.run();
