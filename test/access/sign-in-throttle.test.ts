import type { Request } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAttemptCounter } from '../../api/pages/accounts/sign-in/sign-in-throttle.ts';
import { PasswordsBusy } from '../../api/ports/app-ports.ts';

/** What holds tries up, and whom: without a service, for it takes many tries. */
const throttle = suite<Context>('tries to sign in');

interface Context {
  /** Tries a password that is not right. @returns whether it was let through */
  guess: (accountId: string, ip: string) => Promise<boolean>;
  /** Tries the right one. @returns whether it was let through */
  signIn: (accountId: string, ip: string) => Promise<boolean>;
  /** Tries while too many other passwords are checked. @returns whether it was let through */
  meetBusy: (accountId: string, ip: string) => Promise<boolean>;
  told: string[];
}

const HERE = 10;
const BY_STRANGERS = 100;
const OF_ADDRESS = 50;

const counter = () => {
  const hits = new Map<string, number>();
  const add = (bucket: string, by: number) => {
    hits.set(bucket, (hits.get(bucket) ?? 0) + by);
    return hits.get(bucket) ?? 0;
  };
  return {
    increment: async (bucket: string) => ({
      totalHits: add(bucket, 1),
      resetTime: new Date(60_000),
    }),
    decrement: async (bucket: string) => void add(bucket, -1),
  };
};

throttle.before.each((context) => {
  const known = new Set<string>();
  context.told = [];
  const countTry = createAttemptCounter({
    limiterStore: counter,
    now: () => new Date(0),
    meters: { refused: () => undefined },
    signInLocations: {
      isKnown: async (accountId, address) => known.has(`${accountId} ${address}`),
      remember: async (accountId, address) => void known.add(`${accountId} ${address}`),
    },
  });
  const counted = async (accountId: string, ip: string) => {
    const one = await countTry({ ip } as Request, accountId);
    context.told.push(...one.justExceeded);
    return one;
  };
  context.guess = async (accountId, ip) => (await counted(accountId, ip)).waitMs === null;
  context.meetBusy = async (accountId, ip) => {
    const one = await counted(accountId, ip);
    const refused = one.check(async () => {
      throw new PasswordsBusy();
    });
    await refused.then(assert.unreachable, (error) => assert.instance(error, PasswordsBusy));
    return one.waitMs === null;
  };
  context.signIn = async (accountId, ip) => {
    const one = await counted(accountId, ip);
    if (one.waitMs === null) await one.succeed();
    return one.waitMs === null;
  };
});

const times = async (n: number, work: () => Promise<boolean>): Promise<number> => {
  let letThrough = 0;
  for (let one = 0; one < n; one += 1) if (await work()) letThrough += 1;
  return letThrough;
};

/** Guesses from one address after the other, as far as each is let. */
const fromEverywhere = ({ guess }: Context, accountId: string) => {
  let tried = 0;
  return () => {
    tried += 1;
    return guess(accountId, `198.51.${Math.floor(tried / 2_000)}.${Math.floor(tried / 8) % 250}`);
  };
};

throttle('from one address an account takes ten wrong passwords', async ({ guess }) => {
  assert.is(await times(OF_ADDRESS, () => guess('ada', '198.51.100.1')), HERE);
});

throttle('which hold its owner up nowhere else, though they go on', async (context) => {
  const { guess, signIn } = context;
  await times(5_000, () => guess('ada', '198.51.100.1'));
  assert.ok(await signIn('ada', '203.0.113.9'));
});

throttle('from all strange addresses together it takes a hundred', async (context) => {
  assert.is(await times(3_000, fromEverywhere(context, 'ada')), BY_STRANGERS);
  assert.not.ok(await context.signIn('ada', '203.0.113.9'));
});

throttle(
  'where it has signed in, that holds nobody up, however long it goes on',
  async (context) => {
    const { guess, signIn } = context;
    assert.ok(await signIn('ada', '203.0.113.9'));
    for (let round = 0; round < 20; round += 1) {
      await times(500, fromEverywhere(context, 'ada'));
      assert.ok(await signIn('ada', '203.0.113.9'));
    }
    // Guesses there are as many as anywhere.
    assert.is(await times(OF_ADDRESS, () => guess('ada', '203.0.113.9')), HERE);
  },
);

throttle(
  'an address that the one account has signed in from is strange to another',
  async (context) => {
    await context.signIn('ada', '203.0.113.9');
    await times(3_000, fromEverywhere(context, 'bea'));
    assert.not.ok(await context.signIn('bea', '203.0.113.9'));
  },
);

throttle('right passwords use nothing up', async ({ guess, signIn }) => {
  assert.is(await times(500, () => signIn('ada', '203.0.113.9')), 500);
  assert.is(await times(OF_ADDRESS, () => guess('ada', '203.0.113.9')), HERE);
});

throttle('an address has fifty tries, whomever it tries', async ({ guess }) => {
  const guessAtAnother = () => guess(`account ${Math.random()}`, '198.51.100.1');
  assert.is(await times(500, guessAtAnother), OF_ADDRESS);
});

throttle('who goes on trying is told of no more often than they are let try', async (context) => {
  await times(20_000, fromEverywhere(context, 'ada'));
  // Once for all strangers; each single address would have to be let try eleven times.
  const ofAccount = context.told.filter((one) => one === 'account').length;
  assert.ok(ofAccount <= 1 + BY_STRANGERS / HERE, `${ofAccount} times`);
});

throttle('an attempt whose password was not checked does not count', async (context) => {
  const { guess, meetBusy } = context;
  for (let n = 0; n < OF_ADDRESS; n += 1) assert.is(await meetBusy('ada', 'home'), true);
  for (let n = 0; n < HERE; n += 1) assert.is(await guess('ada', 'home'), true);
  assert.is(await guess('ada', 'home'), false);
});

throttle.run();
