import { intakeOf } from '../../harness/measured-service.ts';
import { type BodyOf, completeBodies, smallBodies } from '../../harness/push-bodies.ts';
import { type SideBySide, withR0, withSideBySide } from '../baselines.ts';
import { type LoadResult, sendAll } from '../load.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { FIRST_ROUND, ROUNDS, sized } from '../sizes.ts';

const CONNECTIONS = 32;

interface Kind {
  readonly name: string;
  readonly wanted: number;
  readonly aim: number;
  readonly requests: number;
  readonly bodies: (prefix: string) => BodyOf;
}

const KINDS: readonly Kind[] = [
  { name: 'small', wanted: 0.48, aim: 1, requests: sized(4_000, 80), bodies: smallBodies },
  {
    name: 'complete 190 KB',
    wanted: 1,
    aim: 1.5,
    requests: sized(800, 40),
    bodies: completeBodies,
  },
];

/** How many pushes are taken durably in a second, beside a durable row of R0. */
export const measureDoor = (): Promise<readonly MeasuredFigure[]> =>
  withSideBySide((side) =>
    withR0(side.yardstickUrl, async (r0Url) => {
      const figures: MeasuredFigure[] = [];
      for (const kind of KINDS) figures.push(await measureKind(kind, side, r0Url));
      return figures;
    }),
  );

const measureKind = async (kind: Kind, side: SideBySide, r0Url: string) => {
  const intake = intakeOf(side);
  const load = (url: string, prefix: string, requests: number): Promise<LoadResult> =>
    sendAll({
      url,
      requests,
      token: intake.token,
      bodyOf: kind.bodies(prefix),
      from: 0,
      connections: CONNECTIONS,
    });
  const rates: { ours: number; r0: number; ratio: number }[] = [];
  for (let round = FIRST_ROUND; round < ROUNDS; round += 1) {
    const prefix = `${kind.name.slice(0, 1)}${round + 1}-`;
    const requests =
      round < 0 ? Math.max(CONNECTIONS, Math.ceil(kind.requests / 4)) : kind.requests;
    const r0 = (await load(r0Url, prefix, requests)).perSecond;
    const ours = (await load(intake.url, prefix, requests)).perSecond;
    await side.tables.allDone();
    if (round >= 0) rates.push({ ours, r0, ratio: ours / r0 });
  }
  return {
    name: `durable 202/s ÷ R0, ${kind.name}`,
    value: median(rates.map(({ ratio }) => ratio)),
    unit: '',
    wanted: { atLeast: kind.wanted },
    aim: { atLeast: kind.aim },
    parts: {
      'ours/s': median(rates.map(({ ours }) => ours)),
      'R0/s': median(rates.map(({ r0 }) => r0)),
    },
  };
};
