import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newDoorFirst, newDoorMemory } from '../../api/write-path/door-first.ts';

const doorFirst = suite('the door goes first');

const CROWD = 12;
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

doorFirst('the worker waits for a crowd to be served, and goes on soon after it', async () => {
  const { enter, giveWay } = newDoorFirst();
  const leaves = Array.from({ length: CROWD }, enter);
  let isServed = false;
  setTimeout(() => {
    for (const leave of leaves) leave();
    isServed = true;
  }, 40);
  await giveWay();
  assert.ok(isServed);
});

doorFirst('whoever works in another thread sees the same crowd', async () => {
  const memory = newDoorMemory();
  const door = newDoorFirst(memory);
  const worker = newDoorFirst(memory);
  const leaves = Array.from({ length: CROWD }, door.enter);
  let isServed = false;
  setTimeout(() => {
    for (const leave of leaves) leave();
    isServed = true;
  }, 40);
  await worker.giveWay();
  assert.ok(isServed);
});

doorFirst(
  'a crowd that does not end holds the worker up for a third of a second only',
  async () => {
    const { enter, giveWay } = newDoorFirst();
    for (let n = 0; n < 2 * CROWD; n += 1) enter();
    const took = await tookMs(giveWay());
    assert.ok(took >= 290, `${took} ms`);
    // Ends, however slow the machine is.
    assert.ok(took < 2_000, `${took} ms`);
  },
);

doorFirst.run();
