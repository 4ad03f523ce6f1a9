import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startOutboxRelay } from '../../api/access-log/start-outbox-relay.ts';
import { eventually } from '../harness/eventually.ts';

const relaying = suite('the relay of the access log');

const NEVER_MS = 600_000;

/**
 * A relay and its outbox.
 * @param alone whether no other process relays, for each time that it begins
 */
const relayWith = (pollMs: number, alone: readonly boolean[] = [], begins = async () => {}) => {
  let waiting = 0;
  const carried: number[] = [];
  const faults: string[] = [];
  let turn = 0;
  let wake = (): void => undefined;
  const stop = startOutboxRelay({
    isAnyWaiting: async () => {
      await begins();
      return waiting > 0;
    },
    requeueDeadLetters: async () => undefined,
    carry: async () => {
      carried.push(waiting);
      waiting = 0;
    },
    alone: async (work) => {
      const isAlone = alone[turn] ?? true;
      turn += 1;
      if (isAlone) await work();
      return isAlone;
    },
    onWake: (given) => {
      wake = given;
    },
    pollMs: () => pollMs,
    onFault: (error) => faults.push(String(error)),
  });
  return {
    carried,
    faults,
    stop,
    add: () => {
      waiting += 1;
    },
    wake: () => wake(),
  };
};

relaying('carries what it is woken for', async () => {
  const { carried, add, wake, stop } = relayWith(NEVER_MS);
  for (const nth of [1, 2]) {
    add();
    wake();
    await eventually('it was carried', () => carried.length === nth);
  }
  await stop();
});

relaying('carries what nobody woke it for with its next poll', async () => {
  const { carried, add, stop } = relayWith(1);
  add();
  await eventually('it was carried', () => carried.length === 1);
  await stop();
});

relaying('tries again while another process relays, which may have passed the entry', async () => {
  const { carried, add, wake, stop } = relayWith(NEVER_MS, [false, false]);
  add();
  wake();
  await eventually('it was carried', () => carried.length === 1);
  await stop();
});

relaying('tries again after a fault, without being woken', async () => {
  let isAway = true;
  const { carried, faults, add, wake, stop } = relayWith(NEVER_MS, [], async () => {
    if (isAway) throw new Error('away');
  });
  add();
  wake();
  await eventually('it was tried', () => faults.length > 0);
  // Whoever wakes it meanwhile does not make it try more often.
  for (let n = 0; n < 10; n += 1) wake();
  assert.equal(faults, ['Error: away']);
  isAway = false;
  await eventually('it was carried', () => carried.length === 1);
  await stop();
});

relaying.run();
