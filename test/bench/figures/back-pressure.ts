import { setTimeout as sleep } from 'node:timers/promises';
import { intakeOf, type SingleService, withSingle } from '../../harness/measured-service.ts';
import { smallBatchOf } from '../../harness/push-bodies.ts';
import { ACCEPTED, BYTES_IN_MIB, MS_IN_SECOND } from '../../harness/units.ts';
import { watchedWhile } from '../beside.ts';
import { idleRss } from '../idle.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { sized } from '../sizes.ts';

const BATCH = sized(1_000, 100);
const BATCHES = sized(60, 6);
const IN_FLIGHT = 4;
const SHARE = 4;
/** The length of the queue is known anew each second. */
const RENEWED_MS = 1_500;

/** What Retry-After says, and what memory is taken, when more comes than can be worked off. */
export const measureBackPressure = (): Promise<readonly MeasuredFigure[]> =>
  withSingle(async (single) => {
    const idle = await idleRss(single);
    await sleep(RENEWED_MS);
    let told: readonly number[] = [];
    let elapsedMs = 0;
    const { peakRss } = await watchedWhile(single.service, async () => {
      const began = performance.now();
      told = await pushAll(single);
      elapsedMs = performance.now() - began;
    });
    const left = await single.tables.openIngestions();
    await single.tables.allDone();
    const quarter = Math.ceil(told.length / SHARE);
    const [first, last] = [median(told.slice(0, quarter)), median(told.slice(-quarter))];
    return [
      {
        name: 'deep queue, Retry-After at its end ÷ at its beginning',
        value: last / first,
        unit: '',
        wanted: { atLeast: 2 },
        parts: {
          'first quarter s': first,
          'last quarter s': last,
          'queued at the end': left,
          'pushed/s': (BATCH * BATCHES) / (elapsedMs / MS_IN_SECOND),
        },
      },
      {
        name: 'deep queue, RSS above idle',
        value: (peakRss - idle) / BYTES_IN_MIB,
        unit: 'MiB',
        wanted: { atMost: 140 },
        aim: { atMost: 60 },
        parts: { idle: idle / BYTES_IN_MIB, records: BATCH * BATCHES },
      },
    ];
  });

/** @returns what each 202 said in `Retry-After`, in the order of the answers */
const pushAll = async (single: SingleService): Promise<readonly number[]> => {
  const { url, token } = intakeOf(single);
  const told: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < BATCHES) {
      const body = smallBatchOf('Q-', next * BATCH, BATCH);
      next += 1;
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(url, { method: 'POST', headers, body });
      await response.arrayBuffer();
      if (response.status !== ACCEPTED)
        throw new Error(`A batch was answered with ${response.status}.`);
      told.push(Number(response.headers.get('retry-after')));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return told;
};
