import { mock } from 'node:test';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  acquirePracticeLease,
  type PracticeLease,
  PracticeLeaseLost,
} from '../../api/writes/practice-lease.ts';

const lease = suite('a lease that is held');

/** The clock stands still: how long a lease lasts does not depend on the machine. */
lease.before(() => {
  const now = performance.now();
  mock.method(performance, 'now', () => now);
});
lease.after(() => mock.restoreAll());

const LONG_MS = 60_000;
/** Enough for an append, and too little for a batch of them. */
const SOME_MS = 4_000;
const SHORT_MS = 2_000;

const CONTEXT = {
  actor: { kind: 'service', id: 's' },
  correlationId: 'c',
  causationId: null,
} as const;

/**
 * A lease that ends in so many milliseconds.
 * @param renewed what the leases answer when it is to last longer
 */
const held = (
  leftMs: number,
  renewed: PracticeLease | null = null,
  isLivenessIntact = () => true,
  { shownTo, end }: { readonly shownTo: bigint; readonly end: bigint } = { shownTo: 7n, end: 7n },
) => {
  const calls: string[] = [];
  let mayTryAgain = () => false;
  let position = 10n;
  const own = acquirePracticeLease(
    { ...leaseFor(leftMs), isLivenessIntact },
    {
      log: {
        append: async (...[stream, , , , , mayTry = () => false]) => {
          mayTryAgain = mayTry;
          position += 1n;
          calls.push(`append ${stream}`);
          return { kind: 'appended', revision: 0n, position };
        },
        end: async () => {
          calls.push('end');
          return end;
        },
      },
      leases: {
        renew: async () => {
          calls.push('renew');
          return renewed;
        },
        release: async (_lease, highest, isSettled) =>
          void calls.push(`release ${highest} ${isSettled}`),
      },
      progress: {
        reach: async (reached) => void calls.push(`reach ${reached}`),
        position: () => shownTo,
      },
    },
  );
  return {
    ...own,
    calls,
    mayTryAgain: () => mayTryAgain(),
    appendTo: (stream: string) => own.append(stream, 'no-stream', [], CONTEXT),
  };
};

const leaseFor = (leftMs: number): PracticeLease => ({
  isLivenessIntact: () => true,
  name: 'turn:practice',
  holder: 'holder',
  until: performance.now() + leftMs,
  highestPosition: 7n,
  seized: false,
});

const isLost = async (work: Promise<unknown>): Promise<void> => {
  assert.instance(await work.catch((error: unknown) => error), PracticeLeaseLost);
};

lease('an append is not sent when its last try could outlast the lease', async () => {
  // Two seconds of tries, the last of which the log answers a second and a quarter later.
  const { appendTo, calls } = held(2_000 + 1_250);
  await isLost(appendTo('record-1'));
  assert.equal(calls, []);
});

lease('lets appends through, and tells how far they came', async () => {
  const { appendTo, highest, reach, release, calls } = held(LONG_MS);
  assert.is(highest(), 7n);
  await appendTo('a');
  await reach();
  await release(true);
  assert.is(highest(), 11n);
  assert.equal(calls, ['append a', 'reach 11', 'release 11 true']);
});

lease('that ends before an append could lets none through', async () => {
  const { appendTo, calls } = held(SHORT_MS);
  await isLost(appendTo('a'));
  assert.equal(calls, []);
});

lease('asks nobody to renew it while it lasts for a batch', async () => {
  const { renew, calls } = held(LONG_MS);
  await renew();
  assert.equal(calls, []);
});

lease('lets appends through again once it is renewed', async () => {
  const { renew, appendTo, calls } = held(SHORT_MS, leaseFor(LONG_MS));
  await renew();
  await renew();
  await appendTo('a');
  assert.equal(calls, ['renew', 'append a']);
});

lease('that is lost lets nothing through, and is not given back', async () => {
  const { renew, appendTo, release, calls } = held(SOME_MS);
  await appendTo('a');
  await isLost(renew());
  await isLost(appendTo('b'));
  await isLost(renew());
  await release(false);
  assert.equal(calls, ['append a', 'renew']);
});

lease('whose holder seems gone lets nothing through until it is renewed', async () => {
  let shown = true;
  const { renew, appendTo, mayTryAgain, calls } = held(LONG_MS, leaseFor(LONG_MS), () => shown);
  await appendTo('a');
  assert.ok(mayTryAgain());
  shown = false;
  assert.not.ok(mayTryAgain(), 'an append whose outcome is unknown is not sent once more');
  await isLost(appendTo('b'));
  await renew();
  await appendTo('c');
  assert.equal(calls, ['append a', 'renew', 'append c']);
});

lease('knows what a holder before may have written, and never forgets its own', () => {
  const { raise, highest } = held(LONG_MS);
  raise(9n);
  raise(8n);
  assert.is(highest(), 9n);
});

const ENDS = [
  ['that the tables show needs no look at the log', { shownTo: 7n, end: 0n }, false, 7n, 0],
  ['that the log has is waited for', { shownTo: 6n, end: 7n }, false, 7n, 1],
  ['past the end of the log was lost with a newer one', { shownTo: 5n, end: 6n }, true, 0n, 1],
] as const;
for (const [name, at, isSeized, highest, looks] of ENDS)
  lease(`a position ${name}`, async () => {
    const own = held(LONG_MS, null, undefined, at);
    assert.is(await own.isSeized(), isSeized);
    assert.is(own.highest(), highest);
    assert.is(own.calls.length, looks);
  });

lease.run();
