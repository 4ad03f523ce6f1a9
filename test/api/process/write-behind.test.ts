import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createWriteBehind } from '../../../api/process/write-behind.ts';

const writes = suite('writing behind the caller');

const LONG_MS = 60_000;

/** Sums numbers by key, over a database that may be away. */
const sums = (isPrompt: boolean, maxWaiting?: number) => {
  const written: (readonly (readonly [string, number])[])[] = [];
  const faults: unknown[] = [];
  const state = { isAway: false };
  const behind = createWriteBehind<number>({
    intervalMs: LONG_MS,
    isPrompt,
    merge: (earlier, later) => earlier + later,
    async write(values) {
      if (state.isAway) throw new Error('away');
      written.push([...values]);
    },
    onFault: (error) => faults.push(error),
    ...(maxWaiting !== undefined && { maxWaiting }),
  });
  return { behind, written, faults, state };
};

writes(
  'a prompt one writes the first value of a key at once, and the next ones together',
  async () => {
    const { behind, written } = sums(true);
    behind.note('a', 1);
    behind.note('a', 2);
    behind.note('b', 10);
    behind.note('a', 3);
    await behind.stop();
    assert.equal(written, [
      [['a', 1]],
      [
        ['a', 2],
        ['b', 10],
      ],
      [['a', 3]],
    ]);
  },
);

writes('another one writes all values of a key together', async () => {
  const { behind, written } = sums(false);
  behind.note('a', 1);
  behind.note('b', 10);
  behind.note('a', 2);
  assert.equal(written, []);
  await behind.stop();
  assert.equal(written, [
    [
      ['a', 3],
      ['b', 10],
    ],
  ]);
});

writes('what could not be written waits for the next write, before what came later', async () => {
  const { behind, written, faults, state } = sums(false);
  state.isAway = true;
  behind.note('a', 1);
  await behind.stop();
  assert.is(faults.length, 1);
  behind.note('a', 2);
  state.isAway = false;
  await behind.stop();
  assert.equal(written, [[['a', 3]]]);
});

writes('drops what exceeds its limit, until some is written', async () => {
  const { behind, written } = sums(false, 2);
  for (const value of [1, 2, 3]) behind.note('a', value);
  await behind.stop();
  behind.note('a', 4);
  await behind.stop();
  assert.equal(written, [[['a', 3]], [['a', 4]]]);
});

writes.run();
