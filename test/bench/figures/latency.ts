import { intakeOf, type SingleService } from '../../harness/measured-service.ts';
import { type BodyOf, smallBodies } from '../../harness/push-bodies.ts';
import { measureMs } from '../../harness/real-time.ts';
import { receiptAt } from '../../harness/service.ts';
import { type SideBySide, withR0, withSideBySide } from '../baselines.ts';
import { warmUp } from '../idle.ts';
import { type Load, type LoadResult, sendAll } from '../load.ts';
import { type PacedLoad, paced } from '../paced.ts';
import { median, quantile } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { ROUNDS, sized } from '../sizes.ts';

const CONNECTIONS = 32;
const FULL = sized(4_000, 200);
const SECONDS = sized(5, 1);
const STATUS_PER_SECOND = 1_000;
/** One of so many receipts is polled: more would be a load of their own. */
const POLL_EVERY = 50;

/** How long callers wait when the service has work, but not more than it can do. */
export const measureLatency = (): Promise<readonly MeasuredFigure[]> =>
  withSideBySide((side) =>
    withR0(side.yardstickUrl, async (r0Url) => {
      await warmUp(side);
      const rounds: DoorRound[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        rounds.push(await measureDoorRound(side, r0Url, round));
      const middle = (of: (round: DoorRound) => number) => median(rounds.map(of));
      const door: MeasuredFigure = {
        name: '202 at half of full load, p99',
        value: middle(({ p99 }) => p99),
        unit: 'ms',
        wanted: { atMost: 160 },
        aim: { atMost: 25 },
        parts: {
          p50: middle(({ p50 }) => p50),
          'full load/s': middle(({ full }) => full),
          'sent/s': middle(({ half }) => half),
          'p99 in bursts': middle(({ bursts }) => bursts),
          'R0 p50': middle(({ r0 }) => r0.p50),
          'R0 p99': middle(({ r0 }) => r0.p99),
        },
      };
      return [
        door,
        ratioToR0('p50', { wanted: 10, aim: 4 }, rounds),
        ratioToR0('p99', { wanted: 6, aim: 2 }, rounds),
        {
          name: 'from the 202 to `completed` at half of full load, p99',
          value: middle(({ ages }) => quantile(ages, 0.99)),
          unit: 'ms',
          wanted: { atMost: 1_000 },
          parts: { p50: middle(({ ages }) => quantile(ages, 0.5)) },
        },
        await measureStatus(side),
      ];
    }),
  );

/** The wait beside that of R0 at the same pace: what it says on another machine too. */
const ratioToR0 = (
  quantile: 'p50' | 'p99',
  { wanted, aim }: { readonly wanted: number; readonly aim: number },
  rounds: readonly DoorRound[],
): MeasuredFigure => ({
  name: `202 at half of full load, ${quantile} ÷ R0`,
  value: median(rounds.map((round) => round[quantile] / round.r0[quantile])),
  unit: '',
  wanted: { atMost: wanted },
  aim: { atMost: aim },
  parts: {
    'ours ms': median(rounds.map((round) => round[quantile])),
    'R0 ms': median(rounds.map(({ r0 }) => r0[quantile])),
  },
});

interface DoorRound {
  /** Answers in a second when as many are sent as go. */
  readonly full: number;
  /** Sent in a second at half of it. */
  readonly half: number;
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds from a 202 to its completed receipt, in order. */
  readonly ages: readonly number[];
  /** The same number sent by autocannon, whose seconds begin with a burst. */
  readonly bursts: number;
  /** R0 asked as often as the half: what the machine allows the least durable answer. */
  readonly r0: LoadResult;
}

const measureDoorRound = async (
  side: SideBySide,
  r0Url: string,
  round: number,
): Promise<DoorRound> => {
  const intake = intakeOf(side);
  const loadOf = (prefix: string, requests: number): Load => ({
    ...intake,
    requests,
    from: 0,
    connections: CONNECTIONS,
    bodyOf: smallBodies(`${prefix}${round}-`),
  });
  const full = await sendAll(loadOf('F', FULL));
  await side.tables.allDone();

  const rate = Math.ceil(full.perSecond / 2);
  const evenly = (url: string, bodyOf: BodyOf, onAnswer: PacedLoad['onAnswer'] = () => undefined) =>
    paced({
      token: intake.token,
      perSecond: rate,
      requests: rate * SECONDS,
      wanted: 202,
      requestOf: (n) => ({ url, body: bodyOf(n) }),
      onAnswer,
    });
  // Its pool has closed its connections since the round before.
  await sendAll({ ...loadOf('W', FULL / 4), url: r0Url });
  const r0 = await evenly(r0Url, smallBodies(`R${round}-`));
  const waits: Promise<number>[] = [];
  const half = await evenly(intake.url, smallBodies(`H${round}-`), (n, headers) => {
    const address = headers['content-location'] ?? '';
    if (n % POLL_EVERY === 0) waits.push(measureMs(() => receiptAt(address, intake.token)));
  });
  const ages = (await Promise.all(waits)).sort((a, b) => a - b);
  await side.tables.allDone();

  const bursts = await sendAll({ ...loadOf('B', rate * SECONDS), rate });
  await side.tables.allDone();
  return { full: full.perSecond, half: half.perSecond, ...half, ages, bursts: bursts.p99, r0 };
};

/** Receipts of completed ingestions, another one with every question. */
const measureStatus = async ({ service, practice, tables }: SingleService) => {
  const rows = await tables.query(
    `select ingestion_id from read.ingestion where status = 'completed' limit ${STATUS_PER_SECOND * SECONDS}`,
  );
  const urls = rows.map(
    (row) => `${service.url}/api/registry/fhir/ingestions/${row['ingestion_id']}`,
  );
  const ask = (seconds: number) =>
    paced({
      token: practice.token,
      perSecond: STATUS_PER_SECOND,
      wanted: 200,
      requests: STATUS_PER_SECOND * seconds,
      requestOf: (n) => ({ url: urls[n % urls.length] ?? '' }),
    });
  await ask(1);
  const rounds: Awaited<ReturnType<typeof ask>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await ask(SECONDS));
  return {
    name: 'GET status at 1,000/s, p99',
    unit: 'ms',
    wanted: { atMost: 20 },
    aim: { atMost: 10 },
    value: median(rounds.map(({ p99 }) => p99)),
    parts: {
      p50: median(rounds.map(({ p50 }) => p50)),
      'answered/s': median(rounds.map(({ perSecond }) => perSecond)),
      receipts: urls.length,
    },
  };
};
