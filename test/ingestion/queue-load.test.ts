import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createQueueLoad, type QueueLoad } from '../../api/admission/queue-load.ts';
import type { QueueContent } from '../../domain/submission/queue-share.ts';
import { passTime } from '../harness/real-time.ts';

const LIMITS: QueueContent = { courses: 10, bytes: 1_000 };
const COUNTED_ANEW_MS = 100;

const held = (...courses: readonly number[]): ReadonlyMap<string, QueueContent> =>
  new Map(courses.map((each, place) => [place === 0 ? 'cedar' : 'maple', content(each)]));

const content = (courses: number): QueueContent => ({ courses, bytes: courses });

/** `admitted`, or the limit that refuses one more course. */
const ask = async (load: QueueLoad, practiceId: string): Promise<string> => {
  const admission = await load.admit(practiceId, 1);
  return admission.kind === 'admitted' ? 'admitted' : admission.limit;
};

test('a queue that was never counted admits nothing until it is counted', async () => {
  let counts = 0;
  const load = createQueueLoad(async () => {
    counts += 1;
    if (counts === 1) throw new RangeError('The database is away.');
    return held(8);
  }, LIMITS);
  assert.is(load.retryAfterSeconds('cedar'), 1);
  const fault = await load.admit('cedar', 1).catch((error: unknown) => error);
  assert.instance(fault, RangeError);
  assert.equal(await Promise.all([ask(load, 'cedar'), ask(load, 'cedar')]), [
    'practice-share',
    'practice-share',
  ]);
  assert.is(counts, 2, 'those who wait share a count');
});

test('the share of a practice is used up before the queue is full', async () => {
  const load = createQueueLoad(async () => held(8), LIMITS);
  assert.equal(
    [await ask(load, 'cedar'), await ask(load, 'maple'), await ask(load, 'maple')],
    ['practice-share', 'admitted', 'admitted'],
  );
  assert.is(await ask(load, 'maple'), 'queue');
});

test('what is admitted at the same time counts before it is stored', async () => {
  const load = createQueueLoad(async () => held(), LIMITS);
  const asked = await Promise.all(Array.from({ length: 12 }, () => ask(load, 'cedar')));
  assert.is(asked.filter((answer) => answer === 'admitted').length, 8);
  assert.equal(new Set(asked.slice(8)), new Set(['practice-share']));
});

test('what is stored counts once, and what was not stored does not count for long', async () => {
  let stored = 0;
  const load = createQueueLoad(async () => (stored === 0 ? held() : held(stored)), LIMITS);
  for (let n = 0; n < 40; n += 1) {
    const admission = await load.admit('cedar', 1);
    if (admission.kind === 'refused') break;
    // Every other one is a repeat, which adds nothing to the queue.
    if (n % 2 === 0) stored += 1;
    admission.end();
    await passTime(5);
  }
  assert.is(stored, 8);
});

test('a queue that has drained since the last count refuses nobody', async () => {
  const counts = [held(8)];
  const load = createQueueLoad(async () => counts.shift() ?? held(), LIMITS);
  assert.is(await ask(load, 'cedar'), 'practice-share');
  await passTime(COUNTED_ANEW_MS);
  assert.is(await ask(load, 'cedar'), 'admitted');
});

test('while a full queue cannot be counted the last count stands', async () => {
  const counts = [held(8, 2)];
  const load = createQueueLoad(async () => {
    const counted = counts.shift();
    if (counted === undefined) throw new RangeError('The database is away.');
    return counted;
  }, LIMITS);
  assert.is(await ask(load, 'oak'), 'queue');
  await passTime(COUNTED_ANEW_MS);
  assert.is(await ask(load, 'oak'), 'queue');
});

test('a practice waits for its own work, and for as much of the others’', async () => {
  const load = createQueueLoad(
    async () =>
      new Map([
        ['cedar', content(30_000)],
        ['maple', content(600)],
      ]),
    { courses: 100_000, bytes: 100_000 },
  );
  await ask(load, 'maple');
  assert.is(load.retryAfterSeconds('maple'), 5);
  assert.is(load.retryAfterSeconds('cedar'), 103);
  assert.is(load.retryAfterSeconds('oak'), 1);
});

test.run();
