import { setImmediate } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Arrival, Claim } from '../../api/reading/receiving.ts';
import { createShares, type Shares } from '../../api/reading/shares.ts';

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

const OF_SENDERS = { total: 40, perOwner: 32 };
/** Amount that has to arrive from one look to the next. */
const PACE = 8;

/** Shares whose looks the test takes. */
const createWatched = (timeout = PATIENT) => {
  const looks = new Set<() => void>();
  const shares = createShares(
    { ...OF_SENDERS, ...timeout },
    {
      amount: PACE,
      watch(look) {
        looks.add(look);
        return () => looks.delete(look);
      },
    },
  );
  const look = (): void => {
    for (const one of [...looks]) one();
  };
  return { shares, looks, look };
};

/** Receives an input until the test ends it. */
const receive = async (shares: Shares, owner: string, expected: number) => {
  let begin: (arrival: Arrival) => void = () => undefined;
  const begun = new Promise<Arrival>((resolve) => {
    begin = resolve;
  });
  let end: (needed: number) => void = () => undefined;
  const ending = new Promise<number>((resolve) => {
    end = resolve;
  });
  let drops = 0;
  const ended = shares.run(owner, async (_claim, receiveInput) => {
    const arrival = await receiveInput(expected, () => {
      drops += 1;
    });
    begin(arrival);
    return arrival.end(await ending);
  });
  const { add } = await begun;
  return {
    add,
    /** @returns why its claim was lost */
    end: (needed: number) => {
      end(needed);
      return ended;
    },
    countDrops: () => drops,
  };
};

/** Result of a claim, if it need not wait. */
const settle = async (claimed: Promise<boolean>): Promise<unknown> => {
  await setImmediate();
  return Promise.race([claimed, 'waits']);
};

const requireAllFree = async (shares: Shares): Promise<void> => {
  const [one, other] = [await hold(shares, 'one', 20), await hold(shares, 'other', 20)];
  assert.equal([await settle(one.taken), await settle(other.taken)], [true, true]);
  await Promise.all([one.end(), other.end()]);
};

test('a sender that keeps pace keeps its whole claim until all has arrived', async () => {
  const { shares, looks, look } = createWatched();
  const body = await receive(shares, 'cedar', 32);
  const other = await hold(shares, 'maple', 9);
  for (let sent = 0; sent < 32; sent += PACE) {
    assert.is(await body.add(PACE), true);
    look();
    assert.is(await settle(other.taken), 'waits');
  }
  assert.is(await body.end(31), null);
  assert.is(looks.size, 0);
  assert.is(await other.taken, true);
  await other.end();
  await requireAllFree(shares);
});

test('a sender that falls behind keeps what it has sent, and claims the rest as it arrives', async () => {
  const { shares, look } = createWatched();
  const body = await receive(shares, 'cedar', 32);
  assert.is(await body.add(PACE - 1), true);
  look();
  const [first, second] = [await hold(shares, 'maple', 32), await hold(shares, 'oak', 1)];
  assert.is(await settle(first.taken), true);
  assert.is(await settle(second.taken), true);
  const more = body.add(10);
  assert.is(await settle(more), 'waits');
  // It cannot send while it waits.
  look();
  look();
  await first.end();
  assert.is(await more, true);
  assert.is(await body.add(15), true);
  assert.is(await body.end(32), null);
  await second.end();
  await requireAllFree(shares);
});

test('what finds no room as it arrives drops all that came before', async () => {
  const { shares, looks, look } = createWatched(IMPATIENT);
  const body = await receive(shares, 'cedar', 32);
  await body.add(PACE - 1);
  look();
  const first = await hold(shares, 'maple', 32);
  assert.is(await settle(first.taken), true);
  assert.is(await body.add(2), false);
  assert.is(body.countDrops(), 1);
  assert.is(looks.size, 0);
  const second = await hold(shares, 'oak', 8);
  assert.is(await settle(second.taken), true);
  assert.is(await body.add(1), false);
  assert.is(await body.end(10), 'no-room');
  assert.is(body.countDrops(), 1);
  await first.end();
  await second.end();
  await requireAllFree(shares);
});

test('what finds no room at all drops what arrives', async () => {
  const { shares, looks } = createWatched(IMPATIENT);
  const first = await hold(shares, 'maple', 32);
  const body = await receive(shares, 'cedar', 9);
  assert.is(await body.add(1), false);
  assert.is(await body.end(9), 'no-room');
  assert.is(looks.size, 0);
  await first.end();
});

test('work that fails while it receives gives back its claim, and is not looked at any more', async () => {
  const { shares, looks, look } = createWatched();
  const fails = shares.run('cedar', async (_claim, receiveInput) => {
    const arrival = await receiveInput(32, () => undefined);
    await arrival.add(1);
    look();
    throw new Error('broke off');
  });
  await fails.then(assert.unreachable, () => undefined);
  assert.is(looks.size, 0);
  await requireAllFree(shares);
});

interface SlowSenders {
  readonly name: string;
  /** Amounts that they sent, in all and since the last look. */
  readonly senders: readonly {
    readonly owner: string;
    readonly sent: number;
    readonly since: number;
  }[];
  /** Held by ash besides. */
  readonly held?: number;
  readonly waits: { readonly owner: string; readonly amount: number };
  readonly losses: readonly ('too-slow' | null)[];
}

const SLOW_SENDERS: readonly SlowSenders[] = [
  {
    name: 'a slow sender that has sent nearly all is ended when another owner waits',
    senders: [{ owner: 'cedar', sent: 31, since: 3 }],
    waits: { owner: 'maple', amount: 20 },
    losses: ['too-slow'],
  },
  {
    name: 'the first that fell behind is ended first, and not more than it takes',
    senders: [
      { owner: 'cedar', sent: 15, since: 0 },
      { owner: 'birch', sent: 15, since: 0 },
    ],
    waits: { owner: 'maple', amount: 20 },
    losses: ['too-slow', null],
  },
  {
    name: 'as many slow senders are ended as it takes',
    senders: [
      { owner: 'cedar', sent: 15, since: 0 },
      { owner: 'birch', sent: 15, since: 0 },
    ],
    waits: { owner: 'maple', amount: 30 },
    losses: ['too-slow', 'too-slow'],
  },
  {
    name: 'no slow sender is ended if that makes too little room',
    senders: [{ owner: 'cedar', sent: 20, since: 0 }],
    held: 19,
    waits: { owner: 'maple', amount: 25 },
    losses: [null],
  },
  {
    name: 'no slow sender is ended for an owner that holds more than its own',
    senders: [{ owner: 'cedar', sent: 15, since: 0 }],
    held: 20,
    waits: { owner: 'ash', amount: 10 },
    losses: [null],
  },
  {
    name: 'no slow sender is ended for another owner that is at its own limit',
    senders: [{ owner: 'cedar', sent: 20, since: 0 }],
    held: 18,
    waits: { owner: 'ash', amount: 15 },
    losses: [null],
  },
  {
    name: 'a sender that is far behind is ended when its own owner waits',
    senders: [{ owner: 'cedar', sent: 31, since: 0 }],
    waits: { owner: 'cedar', amount: 20 },
    losses: ['too-slow'],
  },
  {
    name: 'a sender that is not far behind is not ended for its own owner',
    senders: [{ owner: 'cedar', sent: 31, since: 3 }],
    waits: { owner: 'cedar', amount: 20 },
    losses: [null],
  },
];

for (const { name, senders, held = 0, waits, losses } of SLOW_SENDERS)
  test(name, async () => {
    const { shares, look } = createWatched();
    const beside = await hold(shares, 'ash', held);
    const bodies = await Promise.all(
      senders.map(({ owner, sent }) => receive(shares, owner, sent)),
    );
    for (const [place, { sent, since }] of senders.entries())
      await bodies[place]?.add(sent - since);
    look();
    for (const [place, { since }] of senders.entries()) await bodies[place]?.add(since);
    const waiting = await hold(shares, waits.owner, waits.amount);
    assert.is(await settle(waiting.taken), 'waits');
    look();
    const hasRoom = losses.some((loss) => loss !== null);
    assert.is(await settle(waiting.taken), hasRoom ? true : 'waits');
    for (const [place, { sent }] of senders.entries()) {
      const body = bodies[place];
      assert.is(body?.countDrops(), losses[place] === null ? 0 : 1);
      assert.is(await body?.end(sent), losses[place]);
    }
    await beside.end();
    assert.is(await waiting.taken, true);
    await waiting.end();
    await requireAllFree(shares);
  });

test.run();
