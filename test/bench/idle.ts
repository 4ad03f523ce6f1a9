import { setTimeout as sleep } from 'node:timers/promises';
import { intakeOf, type SingleService } from '../harness/measured-service.ts';
import { smallBatchOf, smallBodies } from '../harness/push-bodies.ts';
import { sendAll } from './load.ts';
import { median } from './quantile.ts';
import { sized } from './sizes.ts';

const SINGLES = sized(2_000, 40);
const BATCH = sized(1_000, 60);
const CONNECTIONS = 32;
const REST_MS = sized(5_000, 1_000);
const LOOKS = 20;
const LOOK_EVERY_MS = 50;

/** Lets a new service work for a while, so that its code is compiled and its pools are open. */
export const warmUp = async (single: SingleService): Promise<void> => {
  const load = { ...intakeOf(single), from: 0 };
  await sendAll({
    ...load,
    bodyOf: smallBodies('W-'),
    requests: SINGLES,
    connections: CONNECTIONS,
  });
  await sendAll({
    ...load,
    bodyOf: () => smallBatchOf('W-', SINGLES, BATCH),
    requests: 1,
    connections: 1,
  });
  await single.tables.allDone();
};

/** Memory of the API's process when it is idle after some work, bytes. */
export const idleRss = async (single: SingleService): Promise<number> => {
  await warmUp(single);
  await sleep(REST_MS);
  const looks: number[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    looks.push(single.service.rss());
    await sleep(LOOK_EVERY_MS);
  }
  return median(looks);
};
