import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createQueueLoad } from '../../api/intake/queue-load.ts';
import type { QueueContent } from '../../domain/submission/ports.ts';

const MOST: QueueContent = { courses: 10, bytes: 1_000 };
const FULL: QueueContent = { courses: 10, bytes: 10 };
const COUNTED_ANEW_MS = 1_100;

test('a queue that was never counted admits nothing until it is counted', async () => {
  let counts = 0;
  const load = createQueueLoad(async () => {
    counts += 1;
    if (counts === 1) throw new RangeError('The database is away.');
    return FULL;
  }, MOST);
  assert.is(load.retryAfterSeconds(), 1);
  const fault = await load.isFull().catch((error: unknown) => error);
  assert.instance(fault, RangeError);
  assert.equal(await Promise.all([load.isFull(), load.isFull()]), [true, true]);
  assert.is(counts, 2, 'those who wait share a count');
});

test('a queue that has drained since the last count refuses nobody', async () => {
  const content = [FULL, { courses: 0, bytes: 0 }];
  const load = createQueueLoad(async () => content.shift() ?? FULL, MOST);
  assert.is(await load.isFull(), true);
  await sleep(COUNTED_ANEW_MS);
  assert.is(await load.isFull(), false);
});

test('while a full queue cannot be counted the last count stands', async () => {
  const content = [FULL];
  const load = createQueueLoad(async () => {
    const counted = content.shift();
    if (counted === undefined) throw new RangeError('The database is away.');
    return counted;
  }, MOST);
  assert.is(await load.isFull(), true);
  await sleep(COUNTED_ANEW_MS);
  assert.is(await load.isFull(), true);
});

test.run();
