import { setTimeout as sleep } from 'node:timers/promises';
import { ended } from '../../harness/built-service.ts';
import { forgetPeakRss, peakRssOf } from '../../harness/process-usage.ts';
import { BYTES_IN_MIB, MS_IN_SECOND } from '../../harness/units.ts';
import { findEnd } from '../hostile/find-end.ts';
import {
  ANSWER_MS,
  HOSTILE_INPUTS,
  type HostileInput,
  type HostileTarget,
  isAnswered,
  OTHERS_P99_MS,
  OTHERS_WORST_MS,
  type SentAnswer,
  startHostileTarget,
} from '../hostile/hostile-target.ts';
import type { OthersWaits } from '../hostile/others.ts';
import { quantile } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { sized } from '../sizes.ts';

/** Nothing is waited for longer; the service is then started again for the next input. */
const GIVEN_UP_MS = sized(30_000, 30_000, 'BENCH_GIVE_UP_MS');
/** Others are asked for so long at least. */
const WATCHED_MS = sized(3_000, 300);

/** What each hostile input does to its sender and to others. */
export const measureHostile = async (): Promise<readonly MeasuredFigure[]> => {
  const target = await startHostileTarget();
  const only = process.env['BENCH_INPUT'];
  const figures: MeasuredFigure[] = [];
  try {
    if (only === undefined) figures.push(await measureInput(target, null));
    for (const input of HOSTILE_INPUTS.filter(
      (one) => only === undefined || nameOf(one).includes(only),
    )) {
      figures.push(await measureInput(target, input));
      process.stderr.write(`${JSON.stringify(figures.at(-1))}\n`);
    }
  } finally {
    await target.stop();
  }
  return figures;
};

const nameOf = ({ kind, name }: HostileInput): string => `${kind}: ${name}`;

const measureInput = async (
  target: HostileTarget,
  input: HostileInput | null,
): Promise<MeasuredFigure> => {
  const { service } = target;
  const sendings = input === null ? [] : await target.prepare(input);
  const pid = service.child().pid ?? 0;
  forgetPeakRss(pid);
  let answers: readonly SentAnswer[] = [];
  let unended = 0;
  const waits = await target.watchOthers(async () => {
    const watched = sleep(WATCHED_MS);
    answers = await Promise.all(sendings.map(({ send }) => send(GIVEN_UP_MS)));
    const until = performance.now() + GIVEN_UP_MS;
    for (const { receipt } of answers)
      if (receipt !== null && (await findEnd(receipt, until)) === null) unended += 1;
    await watched;
  });
  const peak = peakRssOf(pid);
  const isEnded = target.hasEnded();
  // A process that still works on what nobody waits for would slow the next input.
  if (unended > 0 || !answers.every(isAnswered)) await ended(service.child(), 'SIGKILL');
  await target.revive();
  const slowest = Math.max(0, ...answers.map((one) => (isAnswered(one) ? one.ms : GIVEN_UP_MS)));
  const { p50, p99, worst } = summarize(waits);
  const waited = isEnded || unended > 0 ? GIVEN_UP_MS : slowest;
  return {
    name: input === null ? 'nothing hostile' : nameOf(input),
    value: Math.max(p99 / OTHERS_P99_MS, worst / OTHERS_WORST_MS, waited / ANSWER_MS),
    unit: '',
    wanted: { atMost: 1 },
    parts: {
      KiB: (sendings[0]?.bytes ?? 0) / 1_024,
      'at once': sendings.length,
      ...Object.fromEntries(countStatuses(answers)),
      'answer s': slowest / MS_IN_SECOND,
      'others p50 ms': p50,
      'p99 ms': p99,
      'worst ms': worst,
      'not answered': waits.failed,
      "the callers' own ms": waits.ownLongestMs,
      'peak MiB': peak / BYTES_IN_MIB,
      'without end': unended,
      ended: isEnded ? 1 : 0,
    },
  };
};

const countStatuses = (answers: readonly SentAnswer[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { status } of answers) {
    const name = status === 0 ? 'no answer' : `answered ${status}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
};

/** The slowest of the questions, for each quantile. */
const summarize = ({ waits }: OthersWaits) => {
  const of = (share: number) =>
    Math.max(...Object.values(waits).map((sorted) => quantile(sorted, share)));
  return { p50: of(0.5), p99: of(0.99), worst: of(1) };
};
