import { intakeOf, type SingleService, withSingle } from '../../harness/measured-service.ts';
import { cpuOf } from '../../harness/process-usage.ts';
import { smallBatchOf } from '../../harness/push-bodies.ts';
import { fillLog } from '../fill-log.ts';
import { sendAll } from '../load.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { ROUNDS, sized } from '../sizes.ts';

const RECORDS = sized(1_000_000, 300, 'BENCH_RECORDS');
const FIRST = sized(1_000, 60);
const BATCH = sized(500, 60);
/**
 * Times that the first records are sent again: the code gets warm and no record is added. While the
 * log is filled, which takes minutes, intake and worker are idle, and V8 drops their code.
 */
const AGAIN = sized(10, 1);
const US_IN_MS = 1_000;

/** What a record costs when many are stored already, beside what it costs in the beginning. */
export const measureGrowth = (): Promise<readonly MeasuredFigure[]> =>
  withSingle(async (single) => {
    const batch = (prefix: string, courses: number) =>
      sendAll({
        ...intakeOf(single),
        from: 0,
        requests: 1,
        connections: 1,
        bodyOf: () => smallBatchOf(prefix, 0, courses),
      });
    const warmUp = async (): Promise<void> => {
      for (let again = 0; again < AGAIN; again += 1) {
        await batch('T-', FIRST);
        await single.tables.allDone();
      }
    };
    const costOf = async (prefix: string): Promise<Cost> => {
      const rounds: Cost[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        rounds.push(await measured(single, () => batch(`${prefix}${round}-`, BATCH)));
      return { cpu: median(rounds.map(({ cpu }) => cpu)), ms: median(rounds.map(({ ms }) => ms)) };
    };
    await warmUp();
    const few = await costOf('F');
    const stored = FIRST + ROUNDS * BATCH;
    await fillLog(single.service.settings, single.practice.practiceId, RECORDS - stored);
    await single.tables.hold(RECORDS);
    await warmUp();
    // What the autovacuum would be at now: it belongs to the records of before.
    await single.tables.query('vacuum (analyze)');
    await single.tables.query('checkpoint');
    const many = await costOf('M');
    return [
      {
        name: `CPU per record with ${RECORDS.toLocaleString('en')} stored ÷ with ${FIRST.toLocaleString('en')}`,
        value: many.cpu / few.cpu,
        unit: '',
        wanted: { atMost: 1.25 },
        parts: {
          'µs before': few.cpu * US_IN_MS,
          'µs after': many.cpu * US_IN_MS,
          'time ÷ time': many.ms / few.ms,
        },
      },
    ];
  });

/** Of a record, milliseconds. */
interface Cost {
  readonly cpu: number;
  readonly ms: number;
}

const measured = async (single: SingleService, work: () => Promise<unknown>): Promise<Cost> => {
  const { pid, settings } = single.service;
  const cpu = cpuOf(pid, settings.dataDir);
  const began = performance.now();
  await work();
  await single.tables.allDone();
  const ms = performance.now() - began;
  return { cpu: (cpuOf(pid, settings.dataDir) - cpu) / BATCH, ms: ms / BATCH };
};
