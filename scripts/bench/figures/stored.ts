import { batchOf } from '../bodies.ts';
import { emmettAppends } from '../emmett.ts';
import { push } from '../load.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { type SideBySide, startSideBySide } from '../side-by-side.ts';
import { doorOf } from '../single.ts';
import { ROUNDS, sized } from '../sizes.ts';

const BATCH = sized(1_000, 200);
const BATCHES = sized(20, 2);
const BYTES_IN_KB = 1_000;

/** What records cost when they are kept: bytes in log and tables, and the rebuild from the log. */
export const measureStored = async (): Promise<readonly MeasuredFigure[]> => {
  const side = await startSideBySide();
  try {
    await push({
      ...{ ...doorOf(side), from: 0, requests: BATCHES, connections: 1 },
      bodyOf: (n) => batchOf('K-', n * BATCH, BATCH),
    });
    await side.tables.allDone();
    // Before a rebuild, which writes the tables anew.
    return [...(await measureStorage(side)), await measureRebuild(side)];
  } finally {
    await side.stop();
  }
};

const measureStorage = async ({ tables }: SideBySide): Promise<readonly MeasuredFigure[]> => {
  const records = BATCH * BATCHES;
  const kbOf = async (schema: string): Promise<number> => {
    const [row] = await tables.query(
      `select sum(pg_total_relation_size(oid)) as bytes
       from pg_class where relnamespace = '${schema}'::regnamespace and relkind = 'r'`,
    );
    return Number(row?.['bytes']) / BYTES_IN_KB / records;
  };
  return [
    {
      ...{ name: 'storage per record, log', value: await kbOf('eventstore'), unit: 'KB' },
      ...{ wanted: { atMost: 2 }, parts: { records } },
    },
    {
      ...{ name: 'storage per record, tables', value: await kbOf('read'), unit: 'KB' },
      ...{ wanted: { atMost: 1.5 }, parts: { records } },
    },
  ];
};

const measureRebuild = async (side: SideBySide): Promise<MeasuredFigure> => {
  const rounds: { ours: number; events: number; emmett: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const emmett = await emmettAppends(side.yardstickUrl, `rebuild-${round}`);
    const { events, eventsPerSecond } = await side.service.operator('rebuild');
    rounds.push({ emmett, events: Number(events), ours: Number(eventsPerSecond) });
  }
  return {
    name: 'rebuild, events/s ÷ emmett appends',
    value: median(rounds.map(({ ours, emmett }) => ours / emmett)),
    unit: '',
    wanted: { atLeast: 5 },
    parts: {
      'ours/s': median(rounds.map(({ ours }) => ours)),
      'emmett/s': median(rounds.map(({ emmett }) => emmett)),
      events: median(rounds.map(({ events }) => events)),
    },
  };
};
