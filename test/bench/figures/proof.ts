import { intakeOf, type SingleService, withSingle } from '../../harness/measured-service.ts';
import { childrenOf, peakRssOf } from '../../harness/process-usage.ts';
import { smallBatchOf, smallBodies } from '../../harness/push-bodies.ts';
import { ACCEPTED, BYTES_IN_MIB, MS_IN_SECOND } from '../../harness/units.ts';
import { fillLog } from '../fill-log.ts';
import { sendAll } from '../load.ts';
import { paced } from '../paced.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { sized } from '../sizes.ts';

const EVENTS = sized(1_000_000, 300, 'BENCH_RECORDS');
const BATCH = sized(1_000, 60);
const PUSHES_PER_SECOND = 50;
const WINDOW_SECONDS = sized(5, 1);
const MAX_WINDOWS = sized(20, 1);
const LOOK_EVERY_MS = 200;

/** What the proof of the log costs, and what trying its rules on the past costs beside the service. */
export const measureProof = (): Promise<readonly MeasuredFigure[]> =>
  withSingle(async (single) => {
    await sendAll({
      ...intakeOf(single),
      from: 0,
      requests: 1,
      connections: 1,
      bodyOf: () => smallBatchOf('P-', 0, BATCH),
    });
    await single.tables.allDone();
    await fillLog(single.service.settings, single.practice.practiceId, EVENTS - BATCH);
    await single.tables.hold(EVENTS);
    await single.tables.query('vacuum (analyze)');
    await single.tables.query('checkpoint');
    return [await measureTree(single), await measureVerify(single), ...(await rehearsed(single))];
  });

const measureTree = async ({ tables }: SingleService): Promise<MeasuredFigure> => {
  const [tree] = await tables.query(
    `select pg_total_relation_size('read.log_tile') + pg_total_relation_size('read.log_leaf') as bytes,
      (select sum(cardinality(string_to_array(events, E'\\n'))) from read.log_tile)
        + (select count(*) from read.log_leaf) as events`,
  );
  const [bytes, events] = [Number(tree?.['bytes']), Number(tree?.['events'])];
  return {
    name: 'tree of the log, per event',
    value: bytes / events,
    unit: 'bytes',
    wanted: { atMost: 100 },
    parts: { events },
  };
};

const measureVerify = async (single: SingleService): Promise<MeasuredFigure> => {
  const { printed, peakRss, seconds } = await watchedCommand(single, 'verify');
  const problems = printed['problems'] as readonly unknown[];
  if (problems.length > 0) throw new Error(`verify found ${problems.length} problems.`);
  const events = Number(printed['events']);
  return {
    name: 'verify, highest RSS',
    value: peakRss / BYTES_IN_MIB,
    unit: 'MiB',
    wanted: { atMost: 640 },
    parts: { events, seconds, 'events/s': events / seconds },
  };
};

/**
 * A rehearsal beside pushes. It is halted and let go on by turns, so that both kinds of windows meet the same
 * machine.
 */
const rehearsed = async (single: SingleService): Promise<readonly MeasuredFigure[]> => {
  const without: number[] = [];
  const beside: number[] = [];
  let isOver = false;
  const rehearsal = watchedCommand(single, 'rehearse').finally(() => {
    isOver = true;
  });
  const windowOf = async (n: number): Promise<number> => {
    const { p99 } = await paced({
      token: single.practice.token,
      perSecond: PUSHES_PER_SECOND,
      requests: PUSHES_PER_SECOND * WINDOW_SECONDS,
      wanted: ACCEPTED,
      requestOf: (request) => ({ url: intakeOf(single).url, body: smallBodies(`${n}-`)(request) }),
    });
    return p99;
  };
  const windows = async (): Promise<void> => {
    for (let n = 0; n < MAX_WINDOWS && !isOver; n += 1) {
      beside.push(await windowOf(2 * n));
      signalCommand('rehearse', 'SIGSTOP');
      without.push(await windowOf(2 * n + 1).finally(() => signalCommand('rehearse', 'SIGCONT')));
    }
    // It came to its end within the last one.
    if (isOver && beside.length > 1) beside.pop();
  };
  const [{ printed, peakRss, seconds }] = await Promise.all([rehearsal, windows()]);
  return [
    {
      name: '202 beside a rehearsal ÷ without, p99',
      value: median(beside) / median(without),
      unit: '',
      wanted: { atMost: 1.2 },
      parts: {
        'ms beside': median(beside),
        'ms without': median(without),
        windows: beside.length,
      },
    },
    {
      name: 'rehearsal, highest RSS',
      value: peakRss / BYTES_IN_MIB,
      unit: 'MiB',
      wanted: { atMost: 512 },
      parts: { records: Number(printed['records']), seconds },
    },
  ];
};

/** Runs a command beside the service and looks at its memory. */
const watchedCommand = async ({ service }: SingleService, command: string) => {
  let peakRss = 0;
  const timer = setInterval(() => {
    for (const pid of commandsOf(command)) peakRss = Math.max(peakRss, peakRssOf(pid));
  }, LOOK_EVERY_MS);
  const began = performance.now();
  try {
    const printed = await service.operator(command);
    return { printed, peakRss, seconds: (performance.now() - began) / MS_IN_SECOND };
  } finally {
    clearInterval(timer);
  }
};

const commandsOf = (command: string): readonly number[] =>
  childrenOf(process.pid, ` operator ${command}`);

const signalCommand = (command: string, signal: NodeJS.Signals): void => {
  for (const pid of commandsOf(command)) process.kill(pid, signal);
};
