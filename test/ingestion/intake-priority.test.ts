import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createIntakeMemory, createIntakePriority } from '../../api/admission/intake-priority.ts';

const intakePriority = suite('the door goes first');

const CROWD = 3;
const MOMENT_MS = 40;
const MOMENT_NS = BigInt(MOMENT_MS) * 1_000_000n;

/** The clock by which a crowd is known. It goes on only when a test says so. */
let nowNs = 0n;
intakePriority.before(() => {
  nowNs = process.hrtime.bigint();
  mock.method(process.hrtime, 'bigint', () => nowNs);
});
intakePriority.after(() => mock.restoreAll());

/** Whether a wait is over before the event loop comes to anything else. */
const isAtOnce = (work: Promise<void>): Promise<boolean> =>
  Promise.race([work.then(() => true), nextTurn(false)]);

const tookMs = async (work: () => Promise<void>): Promise<number> => {
  // Timers count from where their turn of the event loop began.
  await nextTurn();
  const began = performance.now();
  await work();
  return performance.now() - began;
};

intakePriority('nobody waits while few are inside', async () => {
  const { trackRequest: enter, yieldToIntake } = createIntakePriority();
  for (let n = 1; n < CROWD; n += 1) enter();
  assert.ok(await isAtOnce(yieldToIntake()));
});

intakePriority(
  'beside a crowd the worker lets a moment pass, however long the crowd stays',
  async () => {
    const { trackRequest: enter, yieldToIntake } = createIntakePriority();
    for (let n = 0; n < 2 * CROWD; n += 1) enter();
    const took = await tookMs(yieldToIntake);
    assert.ok(took >= MOMENT_MS - 1, `${took} ms`);
  },
);

intakePriority('those that were answered together are still a crowd right after it', async () => {
  const { trackRequest: enter, yieldToIntake } = createIntakePriority();
  const leaves = Array.from({ length: CROWD }, enter);
  for (const leave of leaves) leave();
  assert.ok((await tookMs(yieldToIntake)) >= MOMENT_MS - 1);
});

intakePriority('nobody waits once a crowd is gone', async () => {
  const { trackRequest: enter, yieldToIntake } = createIntakePriority();
  const leaves = Array.from({ length: CROWD }, enter);
  for (const leave of leaves) leave();
  nowNs += 2n * MOMENT_NS;
  assert.ok(await isAtOnce(yieldToIntake()));
});

intakePriority('whoever works in another thread sees the same crowd', async () => {
  const memory = createIntakeMemory();
  const door = createIntakePriority(memory);
  const worker = createIntakePriority(memory);
  for (let n = 0; n < CROWD; n += 1) door.trackRequest();
  assert.ok((await tookMs(worker.yieldToIntake)) >= MOMENT_MS - 1);
});

intakePriority.run();
