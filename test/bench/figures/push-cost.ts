import { setTimeout as sleep } from 'node:timers/promises';
import { intakeOf, type SingleService, withSingle } from '../../harness/measured-service.ts';
import { type ByProcess, cpuByProcess, rssByProcess } from '../../harness/process-usage.ts';
import { smallBodies } from '../../harness/push-bodies.ts';
import { BYTES_IN_MIB, MS_IN_SECOND } from '../../harness/units.ts';
import { sendAll } from '../load.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { FIRST_ROUND, ROUNDS, sized } from '../sizes.ts';

const CONNECTIONS = 32;
const PUSHES = sized(3_000, 80);
const REST_MS = sized(5_000, 500);
const BYTES_IN_KB = 1_000;
const US_IN_MS = 1_000;

/** What a small push costs from its first byte to its receipt, with an Idempotency-Key and without. */
export const measurePushCost = (): Promise<readonly MeasuredFigure[]> =>
  withSingle(async (single) => {
    const unkeyed: Cost[] = [];
    const keyed: Cost[] = [];
    for (let round = FIRST_ROUND; round < ROUNDS; round += 1) {
      const costs = [
        await costOf(single, `U${round + 1}-`, false),
        await costOf(single, `K${round + 1}-`, true),
      ] as const;
      if (round < 0) continue;
      unkeyed.push(costs[0]);
      keyed.push(costs[1]);
    }
    return [
      ...figuresOf('small push', unkeyed),
      ...figuresOf('small push with a key', keyed),
      await memoryAtRest(single),
    ];
  });

/** What the API and the log take up when the work is over. */
const memoryAtRest = async ({ service }: SingleService): Promise<MeasuredFigure> => {
  await sleep(REST_MS);
  const { api, node } = rssByProcess(service.pid, service.settings.dataDir);
  return {
    name: 'API and log at rest, RSS',
    value: (api + node) / BYTES_IN_MIB,
    unit: 'MiB',
    wanted: { atMost: 590 },
    aim: { atMost: 280 },
    parts: { API: api / BYTES_IN_MIB, node: node / BYTES_IN_MIB },
  };
};

/** What the service has used up so far. */
interface Used {
  readonly events: number;
  readonly appends: number;
  readonly logBytes: number;
  readonly tableBytes: number;
  /** Milliseconds. */
  readonly cpu: ByProcess;
}

/** The same of one push. */
interface Cost extends Used {
  readonly perSecond: number;
}

const costOf = async (single: SingleService, prefix: string, isKeyed: boolean): Promise<Cost> => {
  const before = await usedBy(single);
  const began = performance.now();
  await sendAll({
    ...intakeOf(single),
    from: 0,
    requests: PUSHES,
    connections: CONNECTIONS,
    bodyOf: smallBodies(prefix),
    ...(isKeyed ? { keyOf: (n: number) => `${prefix}${n}` } : {}),
  });
  await single.tables.allDone();
  const seconds = (performance.now() - began) / MS_IN_SECOND;
  const after = await usedBy(single);
  const each = (of: (used: Used) => number) => (of(after) - of(before)) / PUSHES;
  return {
    events: each(({ events }) => events),
    appends: each(({ appends }) => appends),
    logBytes: each(({ logBytes }) => logBytes),
    tableBytes: each(({ tableBytes }) => tableBytes),
    cpu: {
      api: each(({ cpu }) => cpu.api),
      node: each(({ cpu }) => cpu.node),
      postgres: each(({ cpu }) => cpu.postgres),
    },
    perSecond: PUSHES / seconds,
  };
};

const usedBy = async ({ service, tables }: SingleService): Promise<Used> => {
  const [row] = await tables.query('select count(*) as events from eventstore.event');
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const appends = /^registry_append_seconds_count\{outcome="appended"\} (\d+)$/m.exec(metrics)?.[1];
  if (appends === undefined) throw new Error('The metrics do not say how often was appended.');
  return {
    events: Number(row?.['events']),
    appends: Number(appends),
    logBytes: await tables.bytesOf('eventstore'),
    tableBytes: await tables.bytesOf('read'),
    cpu: cpuByProcess(service.pid, service.settings.dataDir),
  };
};

const figuresOf = (name: string, costs: readonly Cost[]): readonly MeasuredFigure[] => {
  const middle = (of: (cost: Cost) => number) => median(costs.map(of));
  const cpuOf = (process: keyof ByProcess) => middle(({ cpu }) => cpu[process] * US_IN_MS);
  return [
    {
      name: `${name}, events`,
      value: middle(({ events }) => events),
      unit: '',
      wanted: { atMost: 2 },
      parts: { appends: middle(({ appends }) => appends) },
    },
    {
      name: `${name}, log`,
      value: middle(({ logBytes }) => logBytes / BYTES_IN_KB),
      unit: 'KB',
      wanted: { atMost: 2.8 },
      aim: { atMost: 1.7 },
      parts: {},
    },
    {
      name: `${name}, tables`,
      value: middle(({ tableBytes }) => tableBytes / BYTES_IN_KB),
      unit: 'KB',
      wanted: { atMost: 3.5 },
      aim: { atMost: 1.7 },
      parts: {},
    },
    {
      name: `${name}, CPU`,
      value: middle(({ cpu }) => (cpu.api + cpu.node + cpu.postgres) * US_IN_MS),
      unit: 'µs',
      wanted: { atMost: 1_900 },
      aim: { atMost: 1_000 },
      parts: {
        API: cpuOf('api'),
        node: cpuOf('node'),
        Postgres: cpuOf('postgres'),
        'completed/s': middle(({ perSecond }) => perSecond),
      },
    },
  ];
};
