import { smallBodies } from '../bodies.ts';
import { warmUp } from '../idle.ts';
import { type Load, push } from '../load.ts';
import { paced } from '../paced.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { doorOf, type SingleService, startSingle } from '../single.ts';
import { ROUNDS, sized } from '../sizes.ts';

const CONNECTIONS = 32;
const FULL = sized(4_000, 200);
const SECONDS = sized(5, 1);
const STATUS_PER_SECOND = 1_000;

/** How long callers wait when the service has work, but not more than it can do. */
export const measureLatency = async (): Promise<readonly MeasuredFigure[]> => {
  const single = await startSingle();
  try {
    await warmUp(single);
    const rounds: DoorRound[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push(await measureDoorRound(single, round));
    const middle = (of: (round: DoorRound) => number) => median(rounds.map(of));
    const door: MeasuredFigure = {
      ...{ name: '202 at half of full load, p99', value: middle(({ p99 }) => p99), unit: 'ms' },
      wanted: { atMost: 25 },
      parts: {
        p50: middle(({ p50 }) => p50),
        'full load/s': middle(({ full }) => full),
        'sent/s': middle(({ half }) => half),
        'p99 in bursts': middle(({ bursts }) => bursts),
      },
    };
    return [door, await measureStatus(single)];
  } finally {
    await single.stop();
  }
};

interface DoorRound {
  /** Answers in a second when as many are sent as go. */
  readonly full: number;
  /** Sent in a second at half of it. */
  readonly half: number;
  readonly p50: number;
  readonly p99: number;
  /** The same number sent by autocannon, whose seconds begin with a burst. */
  readonly bursts: number;
}

const measureDoorRound = async (single: SingleService, round: number): Promise<DoorRound> => {
  const door = doorOf(single);
  const loadOf = (prefix: string, requests: number): Load => ({
    ...{ ...door, requests, from: 0, connections: CONNECTIONS },
    bodyOf: smallBodies(`${prefix}${round}-`),
  });
  const full = await push(loadOf('F', FULL));
  await single.tables.allDone();

  const rate = Math.ceil(full.perSecond / 2);
  const bodyOf = smallBodies(`H${round}-`);
  const half = await paced({
    ...{ token: door.token, perSecond: rate, requests: rate * SECONDS, wanted: 202 },
    requestOf: (n) => ({ url: door.url, body: bodyOf(n) }),
  });
  await single.tables.allDone();

  const bursts = await push({ ...loadOf('B', rate * SECONDS), rate });
  await single.tables.allDone();
  return { full: full.perSecond, half: half.perSecond, ...half, bursts: bursts.p99 };
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
      ...{ token: practice.token, perSecond: STATUS_PER_SECOND, wanted: 200 },
      requests: STATUS_PER_SECOND * seconds,
      requestOf: (n) => ({ url: urls[n % urls.length] ?? '' }),
    });
  await ask(1);
  const rounds: Awaited<ReturnType<typeof ask>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await ask(SECONDS));
  return {
    ...{ name: 'GET status at 1,000/s, p99', unit: 'ms', wanted: { atMost: 10 } },
    value: median(rounds.map(({ p99 }) => p99)),
    parts: {
      p50: median(rounds.map(({ p50 }) => p50)),
      'answered/s': median(rounds.map(({ perSecond }) => perSecond)),
      receipts: urls.length,
    },
  };
};
