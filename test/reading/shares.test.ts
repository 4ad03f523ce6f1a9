import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Claim, createShares, type Shares } from '../../api/reading/shares.ts';

const PATIENT = { timeoutMs: 60_000 };
const IMPATIENT = { timeoutMs: 1 };

/** Holds an amount until it is told to end. */
const hold = async (shares: Shares, owner: string, amount: number) => {
  let end: () => void = () => undefined;
  const ending = new Promise<void>((resolve) => {
    end = resolve;
  });
  let has: (isTaken: boolean) => void = () => undefined;
  const taken = new Promise<boolean>((resolve) => {
    has = resolve;
  });
  const ended = shares.run(owner, async (claim: Claim) => {
    const isTaken = await claim(amount);
    has(isTaken);
    if (isTaken) await ending;
  });
  return {
    taken,
    end: () => {
      end();
      return ended;
    },
  };
};

test('what fits under the ceiling is taken at once; the next waits until enough is given back', async () => {
  const shares = createShares({ total: 10, perOwner: 10, ...PATIENT });
  const first = await hold(shares, 'cedar', 6);
  const second = await hold(shares, 'maple', 6);
  assert.is(await first.taken, true);
  assert.is(await Promise.race([second.taken, 'waits']), 'waits');
  await first.end();
  assert.is(await second.taken, true);
  await second.end();
});

test('one owner gets its share only, and does not hold up the others', async () => {
  const shares = createShares({ total: 10, perOwner: 5, ...PATIENT });
  const first = await hold(shares, 'cedar', 5);
  const again = await hold(shares, 'cedar', 1);
  const other = await hold(shares, 'maple', 5);
  assert.is(await first.taken, true);
  assert.is(await other.taken, true);
  assert.is(await Promise.race([again.taken, 'waits']), 'waits');
  await first.end();
  assert.is(await again.taken, true);
  await again.end();
  await other.end();
});

test('owners that wait take turns, and not in the order in which they came', async () => {
  const shares = createShares({ total: 1, perOwner: 1, ...PATIENT });
  const first = await hold(shares, 'cedar', 1);
  const order: string[] = [];
  const wait = (owner: string) =>
    shares.run(owner, async (claim) => {
      await claim(1);
      order.push(owner);
    });
  const waiting = ['cedar', 'cedar', 'cedar', 'maple', 'maple', 'oak'].map(wait);
  await first.end();
  await Promise.all(waiting);
  assert.equal(order, ['cedar', 'maple', 'oak', 'cedar', 'maple', 'cedar']);
});

test('more claims of one owner than may wait are refused at once, and those of others wait', async () => {
  const shares = createShares({ total: 1, perOwner: 1, waitingPerOwner: 1, ...PATIENT });
  const first = await hold(shares, 'cedar', 1);
  const second = await hold(shares, 'cedar', 1);
  const third = await hold(shares, 'cedar', 1);
  const other = await hold(shares, 'maple', 1);
  assert.is(await third.taken, false);
  await third.end();
  await first.end();
  assert.is(await second.taken, true);
  await second.end();
  assert.is(await other.taken, true);
  await other.end();
});

test('whoever waits too long is refused, and takes nothing', async () => {
  const shares = createShares({ total: 10, perOwner: 10, ...IMPATIENT });
  const first = await hold(shares, 'cedar', 10);
  const second = await hold(shares, 'maple', 1);
  assert.is(await second.taken, false);
  await second.end();
  await first.end();
  const third = await hold(shares, 'maple', 10);
  assert.is(await third.taken, true);
  await third.end();
});

test('what turns out not to be needed is given back before the end', async () => {
  const shares = createShares({ total: 10, perOwner: 10, ...PATIENT });
  await shares.run('cedar', async (claim) => {
    await claim(10);
    const other = await hold(shares, 'maple', 4);
    assert.is(await Promise.race([other.taken, 'waits']), 'waits');
    await claim(-4);
    assert.is(await other.taken, true);
    await other.end();
  });
  const next = await hold(shares, 'oak', 10);
  assert.is(await next.taken, true);
  await next.end();
});

test('work that fails gives back all of its claims', async () => {
  const shares = createShares({ total: 10, perOwner: 10, ...IMPATIENT });
  const fails = shares.run('cedar', async (claim) => {
    await claim(4);
    await claim(6);
    throw new Error('failed');
  });
  await fails.then(assert.unreachable, () => undefined);
  const next = await hold(shares, 'maple', 10);
  assert.is(await next.taken, true);
  await next.end();
});

test.run();
