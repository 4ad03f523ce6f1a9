import { batchOf, realBodies, smallBodies } from '../bodies.ts';
import { push } from '../load.ts';
import { type MeasuredFigure, median } from '../report.ts';
import { ROUNDS } from '../rounds.ts';
import { type SideBySide, startSideBySide } from '../side-by-side.ts';
import { startYardstick } from '../throw-away.ts';

const CONNECTIONS = 32;
const APPENDS = 4_000;
const SINGLES = 3_000;
const REALS = 800;
const BATCH = 1_000;
const BATCHES = 3;
const MS_IN_SECOND = 1_000;

/** Pushes until their receipts are completed, beside appends of emmett. */
export const measureThroughput = async (): Promise<readonly MeasuredFigure[]> => {
  const side = await startSideBySide();
  try {
    const rounds: Round[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const measured = await measureRound(side, round + 1);
      if (round >= 0) rounds.push(measured);
    }
    const middle = (of: (round: Round) => number) => median(rounds.map(of));
    const emmett = middle((round) => round.emmett);
    return [
      {
        ...{ name: 'small pushes end to end ÷ emmett appends', unit: '' },
        value: middle((round) => round.singles / round.emmett),
        wanted: { atLeast: 0.5 },
        parts: { 'ours/s': middle(({ singles }) => singles), 'emmett/s': emmett },
      },
      {
        ...{ name: 'batch of 1,000, records/s ÷ emmett appends', unit: '' },
        value: middle((round) => round.batched / round.emmett),
        wanted: { atLeast: 1.5 },
        parts: { 'ours/s': middle(({ batched }) => batched), 'emmett/s': emmett },
      },
      {
        ...{ name: 'real 189 KB Bundles end to end', unit: '/s' },
        value: middle(({ reals }) => reals),
        wanted: { atLeast: 250 },
        parts: {},
      },
    ];
  } finally {
    await side.stop();
  }
};

interface Round {
  readonly emmett: number;
  readonly singles: number;
  readonly batched: number;
  readonly reals: number;
}

const measureRound = async (side: SideBySide, round: number): Promise<Round> => {
  const { service, practice, tables, yardstickUrl } = side;
  const run = await startYardstick('emmett.mjs', [
    ...[yardstickUrl, String(APPENDS), '200', `round-${round}-${process.pid}`],
  ]);
  await run.stop();
  const load = {
    ...{ url: `${service.url}/api/registry/fhir/Bundle`, token: practice.token, from: 0 },
    connections: CONNECTIONS,
  };
  const throughout = async (records: number, work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work();
    await tables.allDone();
    return records / ((performance.now() - began) / MS_IN_SECOND);
  };
  return {
    emmett: Number(run.line),
    singles: await throughout(SINGLES, () =>
      push({ ...load, requests: SINGLES, bodyOf: smallBodies(`S${round}-`) }),
    ),
    batched: await throughout(BATCH * BATCHES, () =>
      push({
        ...{ ...load, requests: BATCHES, connections: 1 },
        bodyOf: (n) => batchOf(`B${round}-`, n * BATCH, BATCH),
      }),
    ),
    reals: await throughout(REALS, () =>
      push({ ...load, requests: REALS, bodyOf: realBodies(`R${round}-`) }),
    ),
  };
};
