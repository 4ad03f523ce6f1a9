import { intakeOf } from '../../harness/measured-service.ts';
import { smallBatchOf } from '../../harness/push-bodies.ts';
import { emmettAppends, type SideBySide, withSideBySide } from '../baselines.ts';
import { sendAll } from '../load.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { ROUNDS, sized } from '../sizes.ts';

const BATCH = sized(1_000, 60);
const BATCHES = sized(20, 2);
/** A rebuild takes a moment to get going: it is also measured with as many records as the pages are. */
const BATCHES_REBUILT = sized(100, 3);
const BYTES_IN_KB = 1_000;

/** What records cost when they are kept: bytes in log and tables, and the rebuild from the log. */
export const measureStored = (): Promise<readonly MeasuredFigure[]> =>
  withSideBySide(async (side) => {
    await pushBatches(side, 0, BATCHES);
    // Before a rebuild, which writes the tables anew.
    const storage = await measureStorage(side);
    const few = await rebuildRounds(side, 'few');
    await pushBatches(side, BATCHES, BATCHES_REBUILT - BATCHES);
    return [...storage, rebuildFigure(few, await rebuildRounds(side, 'many'))];
  });

const pushBatches = async (side: SideBySide, from: number, requests: number): Promise<void> => {
  await sendAll({
    ...intakeOf(side),
    from,
    requests,
    connections: 1,
    bodyOf: (n) => smallBatchOf('K-', n * BATCH, BATCH),
  });
  await side.tables.allDone();
};

const measureStorage = async ({ tables }: SideBySide): Promise<readonly MeasuredFigure[]> => {
  const records = BATCH * BATCHES;
  const kbOf = async (schema: string): Promise<number> =>
    (await tables.bytesOf(schema)) / BYTES_IN_KB / records;
  return [
    {
      name: 'storage per record, log',
      value: await kbOf('eventstore'),
      unit: 'KB',
      wanted: { atMost: 2 },
      aim: { atMost: 1.4 },
      parts: { records },
    },
    {
      name: 'storage per record, tables',
      value: await kbOf('read'),
      unit: 'KB',
      wanted: { atMost: 2.8 },
      aim: { atMost: 1.7 },
      parts: { records },
    },
  ];
};

interface Round {
  readonly ours: number;
  readonly events: number;
  readonly emmett: number;
}

const rebuildRounds = async (side: SideBySide, name: string): Promise<readonly Round[]> => {
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const emmett = await emmettAppends(side.yardstickUrl, `rebuild-${name}-${round}`);
    const { events, eventsPerSecond } = await side.service.operator('rebuild');
    rounds.push({ emmett, events: Number(events), ours: Number(eventsPerSecond) });
  }
  return rounds;
};

const ratioOf = (rounds: readonly Round[]): number =>
  median(rounds.map(({ ours, emmett }) => ours / emmett));

const rebuildFigure = (few: readonly Round[], many: readonly Round[]): MeasuredFigure => {
  const middle = (rounds: readonly Round[], of: (round: Round) => number) => median(rounds.map(of));
  return {
    name: 'rebuild, events/s ÷ emmett appends',
    value: ratioOf(many),
    unit: '',
    wanted: { atLeast: 2.4 },
    aim: { atLeast: 5 },
    parts: {
      'ours/s': middle(many, ({ ours }) => ours),
      'emmett/s': middle(many, ({ emmett }) => emmett),
      events: middle(many, ({ events }) => events),
      'of fewer events': ratioOf(few),
      'fewer events': middle(few, ({ events }) => events),
    },
  };
};
