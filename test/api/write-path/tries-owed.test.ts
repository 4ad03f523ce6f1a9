import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { triesOwedTo } from '../../../api/write-path/tries-owed.ts';

const owed = suite('tries that must not count');

const OUTAGES = 50;
const MOST_FORGIVEN = 20;

/** A database that is away for the first so many calls, and what it was told when it was there. */
const databaseAwayFor = (calls: number) => {
  const told: (readonly string[])[] = [];
  let left = calls;
  const unclaim = async (attempts: readonly string[]): Promise<void> => {
    left -= 1;
    if (left >= 0) throw new Error('away');
    told.push(attempts);
  };
  return { told, tries: triesOwedTo(unclaim) };
};

owed('are taken back at once while the database is there', async () => {
  const { told, tries } = databaseAwayFor(0);
  await tries.takeBack(['a', 'b']);
  await tries.settle();
  assert.equal(told, [['a', 'b']]);
});

owed('are owed while it is away, and taken back once when it is there again', async () => {
  const { told, tries } = databaseAwayFor(3);
  for (const attempts of [['a'], ['b']])
    assert.match(await tries.takeBack(attempts).then(() => '', String), 'away');
  assert.match(await tries.settle().then(() => '', String), 'away');
  await tries.settle();
  await tries.settle();
  assert.equal(told, [['a', 'b']]);
});

owed('are taken back once by turns that ask at the same time', async () => {
  const { told, tries } = databaseAwayFor(1);
  await tries.takeBack(['a']).catch(() => undefined);
  await Promise.all([tries.settle(), tries.settle(), tries.takeBack(['b'])]);
  assert.equal(told.flat().sort(), ['a', 'b']);
});

owed('count in the end for what is always there when the database goes away', async () => {
  const { told, tries } = databaseAwayFor(2 * OUTAGES);
  for (let outage = 0; outage < OUTAGES; outage += 1) {
    await tries.takeBack(['a']).catch(() => undefined);
    await tries.settle().catch(() => undefined);
  }
  await tries.settle();
  assert.is(told.flat().length, MOST_FORGIVEN);
});

owed.run();
