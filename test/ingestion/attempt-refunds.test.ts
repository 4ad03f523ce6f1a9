import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAttemptRefunds } from '../../api/ingestion/attempt-refunds.ts';

const owed = suite('tries that must not count');

const OUTAGES = 50;
const MAX_FORGIVEN = 20;
const MAX_REMEMBERED = 10_000;

/** A database that is away for the first so many calls, and what it was told when it was there. */
const databaseAwayFor = (calls: number) => {
  const told: (readonly string[])[] = [];
  let left = calls;
  const unclaim = async (attempts: readonly string[]): Promise<void> => {
    left -= 1;
    if (left >= 0) throw new Error('away');
    told.push(attempts);
  };
  return { told, tries: createAttemptRefunds(unclaim) };
};

owed('are taken back at once while the database is there', async () => {
  const { told, tries } = databaseAwayFor(0);
  await tries.refund(['a', 'b']);
  await tries.flush();
  assert.equal(told, [['a', 'b']]);
});

owed('are owed while it is away, and taken back once when it is there again', async () => {
  const { told, tries } = databaseAwayFor(3);
  for (const attempts of [['a'], ['b']])
    assert.match(await tries.refund(attempts).then(() => '', String), 'away');
  assert.match(await tries.flush().then(() => '', String), 'away');
  await tries.flush();
  await tries.flush();
  assert.equal(told, [['a', 'b']]);
});

owed('are taken back once by turns that ask at the same time', async () => {
  const { told, tries } = databaseAwayFor(1);
  await tries.refund(['a']).catch(() => undefined);
  await Promise.all([tries.flush(), tries.flush(), tries.refund(['b'])]);
  assert.equal(told.flat().sort(), ['a', 'b']);
});

owed('count in the end for what is always there when the database goes away', async () => {
  const { told, tries } = databaseAwayFor(2 * OUTAGES);
  for (let outage = 0; outage < OUTAGES; outage += 1) {
    await tries.refund(['a']).catch(() => undefined);
    await tries.flush().catch(() => undefined);
  }
  await tries.flush();
  assert.is(told.flat().length, MAX_FORGIVEN);
});

owed('forget the outages of an entry when so many others have met one since', async () => {
  const others = (from: number) =>
    Array.from({ length: MAX_REMEMBERED / 2 }, (_, n) => `other ${from + n}`);
  const { told, tries } = databaseAwayFor(OUTAGES + 4);
  const away = async (attempts: readonly string[]) => {
    await tries.refund(attempts).catch(() => undefined);
  };
  for (let outage = 0; outage < OUTAGES; outage += 1) await away(['a', 'b']);
  await away(others(0));
  await away(['b']);
  await away(others(MAX_REMEMBERED / 2));
  await away(['a', 'b']);
  await tries.flush();
  const timesTold = (entry: string) => told.flat().filter((one) => one === entry).length;
  assert.is(timesTold('a'), MAX_FORGIVEN + 1);
  assert.is(timesTold('b'), MAX_FORGIVEN);
});

owed.run();
