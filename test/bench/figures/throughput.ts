import { intakeOf } from '../../harness/measured-service.ts';
import { completeBodies, smallBatchOf, smallBodies } from '../../harness/push-bodies.ts';
import { MS_IN_SECOND } from '../../harness/units.ts';
import { emmettAppends, type SideBySide, withSideBySide } from '../baselines.ts';
import { sendAll } from '../load.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { FIRST_ROUND, ROUNDS, sized } from '../sizes.ts';

const CONNECTIONS = 32;
const SINGLES = sized(3_000, 80);
const COMPLETE = sized(800, 40);
const BATCH = sized(1_000, 60);
const BATCHES = sized(3, 1);

/** Pushes until their receipts are completed, beside appends of emmett. */
export const measureThroughput = (): Promise<readonly MeasuredFigure[]> =>
  withSideBySide(async (side) => {
    const rounds: Round[] = [];
    for (let round = FIRST_ROUND; round < ROUNDS; round += 1) {
      const measured = await measureRound(side, round + 1);
      if (round >= 0) rounds.push(measured);
    }
    const middle = (of: (round: Round) => number) => median(rounds.map(of));
    const emmett = middle((round) => round.emmett);
    return [
      {
        name: 'small pushes end to end ÷ emmett appends',
        unit: '',
        value: middle((round) => round.singles / round.emmett),
        wanted: { atLeast: 0.41 },
        aim: { atLeast: 0.85 },
        parts: { 'ours/s': middle(({ singles }) => singles), 'emmett/s': emmett },
      },
      {
        name: 'batch of 1,000, records/s ÷ emmett appends',
        unit: '',
        value: middle((round) => round.batched / round.emmett),
        wanted: { atLeast: 0.78 },
        aim: { atLeast: 1.6 },
        parts: { 'ours/s': middle(({ batched }) => batched), 'emmett/s': emmett },
      },
      {
        name: 'complete 190 KB Bundles end to end',
        unit: '/s',
        value: middle(({ complete }) => complete),
        wanted: { atLeast: 150 },
        aim: { atLeast: 400 },
        parts: {},
      },
    ];
  });

interface Round {
  readonly emmett: number;
  readonly singles: number;
  readonly batched: number;
  readonly complete: number;
}

const measureRound = async (side: SideBySide, round: number): Promise<Round> => {
  const { tables, yardstickUrl } = side;
  const load = { ...intakeOf(side), from: 0, connections: CONNECTIONS };
  const throughout = async (records: number, work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work();
    await tables.allDone();
    return records / ((performance.now() - began) / MS_IN_SECOND);
  };
  return {
    emmett: await emmettAppends(yardstickUrl, `round-${round}`),
    singles: await throughout(SINGLES, () =>
      sendAll({ ...load, requests: SINGLES, bodyOf: smallBodies(`S${round}-`) }),
    ),
    batched: await throughout(BATCH * BATCHES, () =>
      sendAll({
        ...load,
        requests: BATCHES,
        connections: 1,
        bodyOf: (n) => smallBatchOf(`B${round}-`, n * BATCH, BATCH),
      }),
    ),
    complete: await throughout(COMPLETE, () =>
      sendAll({ ...load, requests: COMPLETE, bodyOf: completeBodies(`R${round}-`) }),
    ),
  };
};
