import { intakeOf, withSingle } from '../../harness/measured-service.ts';
import { smallBodies } from '../../harness/push-bodies.ts';
import { BYTES_IN_MIB } from '../../harness/units.ts';
import { sendAll } from '../load.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { sized } from '../sizes.ts';

const PUSHES = sized(100_000, 90, 'BENCH_PUSHES');
const CONNECTIONS = 32;
/** Pushed and worked off before the next ones. */
const PORTION = Math.min(1_000, Math.ceil(PUSHES / 9));
const LOOK_EVERY_MS = 100;

/** Whether memory grows with the pushes: the first third warms up, the others are compared. */
export const measureLeak = (): Promise<readonly MeasuredFigure[]> =>
  withSingle(async (single) => {
    const thirds: [number[], number[], number[]] = [[], [], []];
    const bodyOf = smallBodies('N-');
    for (let from = 0; from < PUSHES; from += PORTION) {
      const looks = thirds[Math.floor((3 * from) / PUSHES)];
      const timer = setInterval(
        () => looks?.push(single.service.rss() / BYTES_IN_MIB),
        LOOK_EVERY_MS,
      );
      const requests = Math.min(PORTION, PUSHES - from);
      const connections = Math.min(CONNECTIONS, requests);
      try {
        await sendAll({ ...intakeOf(single), bodyOf, from, requests, connections });
        await single.tables.allDone();
      } finally {
        clearInterval(timer);
      }
    }
    const [warm, middle, last] = thirds.map(median) as [number, number, number];
    return [
      {
        name: `RSS growth over ${PUSHES.toLocaleString('en')} pushes`,
        value: last - middle,
        unit: 'MiB',
        wanted: { atMost: 30 },
        parts: { 'first third': warm, 'second third': middle, 'last third': last },
      },
    ];
  });
