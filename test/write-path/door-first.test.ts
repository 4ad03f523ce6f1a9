import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newDoorFirst, newDoorMemory } from '../../api/write-path/door-first.ts';

const doorFirst = suite('the door goes first');

const CROWD = 3;
const MOMENT_MS = 40;
const tookMs = async (work: Promise<void>): Promise<number> => {
  const began = performance.now();
  await work;
  return performance.now() - began;
};

doorFirst('nobody waits while few are inside', async () => {
  const { enter, giveWay } = newDoorFirst();
  for (let n = 1; n < CROWD; n += 1) enter();
  assert.ok((await tookMs(giveWay())) < 5);
});

doorFirst(
  'beside a crowd the worker lets a moment pass, however long the crowd stays',
  async () => {
    const { enter, giveWay } = newDoorFirst();
    for (let n = 0; n < 2 * CROWD; n += 1) enter();
    const took = await tookMs(giveWay());
    assert.ok(took >= MOMENT_MS - 1, `${took} ms`);
    // Ends, however slow the machine is.
    assert.ok(took < 2_000, `${took} ms`);
  },
);

doorFirst('those that were answered together are still a crowd right after it', async () => {
  const { enter, giveWay } = newDoorFirst();
  const leaves = Array.from({ length: CROWD }, enter);
  for (const leave of leaves) leave();
  assert.ok((await tookMs(giveWay())) >= MOMENT_MS - 1);
});

doorFirst('nobody waits once a crowd is gone', async () => {
  const { enter, giveWay } = newDoorFirst();
  const leaves = Array.from({ length: CROWD }, enter);
  for (const leave of leaves) leave();
  await sleep(2 * MOMENT_MS);
  assert.ok((await tookMs(giveWay())) < 5);
});

doorFirst('whoever works in another thread sees the same crowd', async () => {
  const memory = newDoorMemory();
  const door = newDoorFirst(memory);
  const worker = newDoorFirst(memory);
  for (let n = 0; n < CROWD; n += 1) door.enter();
  assert.ok((await tookMs(worker.giveWay())) >= MOMENT_MS - 1);
});

doorFirst.run();
