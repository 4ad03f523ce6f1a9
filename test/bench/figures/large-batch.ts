import { setTimeout as sleep } from 'node:timers/promises';
import { intakeOf, withSingle } from '../../harness/measured-service.ts';
import { fullBatchOf, wideBatchOf } from '../../harness/push-bodies.ts';
import { BYTES_IN_MIB } from '../../harness/units.ts';
import { watchedWhile } from '../beside.ts';
import { idleRss } from '../idle.ts';
import { sendAll } from '../load.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { sized } from '../sizes.ts';

const BATCHES_OF_A_KIND = sized(3, 1);
const REST_MS = 500;

const KINDS = { 'complete Bundles': fullBatchOf, '1,000 courses': wideBatchOf } as const;

/** What batches of 20 MiB do to the API's process and to its other callers. */
export const measureLargeBatch = (): Promise<readonly MeasuredFigure[]> =>
  withSingle(async (single) => {
    const idle = await idleRss(single);
    const mib: Record<string, number> = {};
    const stalls: Record<string, number> = {};
    const ownStalls: number[] = [];
    for (const [kind, batchOf] of Object.entries(KINDS)) {
      const seen: { mib: number; ms: number }[] = [];
      for (let n = 0; n < BATCHES_OF_A_KIND; n += 1) {
        // Made before the watch: the machine should be the service's alone.
        const body = batchOf(kind.slice(0, 1), n);
        await sleep(REST_MS);
        const watched = await watchedWhile(single.service, async () => {
          await sendAll({
            ...intakeOf(single),
            bodyOf: () => body,
            from: 0,
            requests: 1,
            connections: 1,
          });
          await single.tables.allDone();
        });
        seen.push({ mib: (watched.peakRss - idle) / BYTES_IN_MIB, ms: watched.longestMs });
        ownStalls.push(watched.ownLongestMs);
      }
      // Memory that was taken once is memory that the machine must have.
      mib[kind] = Math.max(...seen.map((one) => one.mib));
      stalls[kind] = median(seen.map(({ ms }) => ms));
    }
    return [
      {
        name: '20 MiB batch, RSS above idle',
        unit: 'MiB',
        wanted: { atMost: 140 },
        aim: { atMost: 60 },
        value: Math.max(...Object.values(mib)),
        parts: { idle: idle / BYTES_IN_MIB, ...mib },
      },
      {
        name: '20 MiB batch, longest stall',
        unit: 'ms',
        wanted: { atMost: 50 },
        value: Math.max(...Object.values(stalls)),
        parts: { ...stalls, "the second client's own": median(ownStalls) },
      },
    ];
  });
