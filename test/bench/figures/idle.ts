import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostEventStore } from '../../../adapters/embedded-eventstore/host.ts';
import { hostPostgres } from '../../../adapters/embedded-postgres/host.ts';
import { openCommands } from '../../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../../api/process/logging.ts';
import { readSettings } from '../../../api/settings/settings.ts';
import { type BuiltService, startBuiltService } from '../../harness/built-service.ts';
import { openTables, type Tables, throwAwayCluster } from '../../harness/measured-service.ts';
import { freePort } from '../../harness/ports.ts';
import { childrenOf, cpuByProcess } from '../../harness/process-usage.ts';
import { newPractice } from '../../harness/service.ts';
import { MS_IN_SECOND } from '../../harness/units.ts';
import { fillLog } from '../fill-log.ts';
import type { MeasuredFigure } from '../report.ts';
import { sized } from '../sizes.ts';

const RECORDS = sized(10_000, 300, 'BENCH_IDLE_RECORDS');
const REST_MS = sized(60_000, 2_000);
const MEASURED_MS = sized(60_000, 2_000);
const PERCENT = 100;
const NODE = 'node-process';

type Settings = Readonly<Record<string, string>>;

/** Processes of an installation: their settings, by name. */
type Processes = Readonly<Record<string, Settings>>;

const ONE_PROCESS: Processes = { API: {} };
const THREE_ROLES: Processes = {
  projector: { ROLE: 'projector' },
  worker: { ROLE: 'worker' },
  API: { ROLE: 'api' },
};

/** What a service costs that has nothing to do: in one process, and in one for each role. */
export const measureIdle = async (): Promise<readonly MeasuredFigure[]> => [
  ...(await measureProcesses('one process', ONE_PROCESS)),
  ...(await measureProcesses('three roles', THREE_ROLES)),
];

const measureProcesses = async (
  name: string,
  processes: Processes,
): Promise<readonly MeasuredFigure[]> => {
  const directory = await throwAwayCluster();
  const dataDir = directory.path;
  const postgres = await hostPostgres({ dataDir });
  const tables = await openTables(postgres.url);
  const log =
    processes === ONE_PROCESS
      ? null
      : await hostEventStore({
          databaseUrl: postgres.url,
          dataDir,
          hostKind: 'service',
          port: await freePort(),
        });
  const stores: Settings =
    log === null
      ? {}
      : {
          DATABASE_URL: postgres.url,
          EVENTSTORE_URL: log.connectionString,
          REGISTRY_SECRET: randomUUID(),
        };
  const measured = async (state: string, then: (first: BuiltService) => Promise<void>) => {
    const services = new Map<string, BuiltService>();
    try {
      for (const [role, settings] of Object.entries(processes))
        services.set(
          role,
          await startBuiltService(dataDir, { LOG_LEVEL: 'warn', ...stores, ...settings }),
        );
      const figures = await measureRest(`${name}, ${state}`, dataDir, tables, services);
      const [first] = services.values();
      if (first !== undefined) await then(first);
      return figures;
    } finally {
      for (const service of [...services.values()].reverse()) await service.stop();
    }
  };
  try {
    return [
      ...(await measured('empty', async ({ env }) => {
        const settings = readSettings(env);
        const commands = await openCommands(settings, openServiceLog('warn'));
        const { practiceId } = await newPractice(commands, undefined, false);
        await commands.close();
        await fillLog(settings, practiceId, RECORDS);
        await tables.hold(RECORDS);
      })),
      ...(await measured(`${RECORDS.toLocaleString('en')} records`, async () => undefined)),
    ];
  } finally {
    await log?.stop();
    await tables.close();
    await postgres.stop();
    await directory.remove();
  }
};

/** What services do from a minute after their start. */
const measureRest = async (
  name: string,
  dataDir: string,
  tables: Tables,
  services: ReadonlyMap<string, BuiltService>,
): Promise<readonly MeasuredFigure[]> => {
  const pids = new Map([...services].map(([role, service]) => [role, service.child().pid ?? 0]));
  const [node] = [process.pid, ...pids.values()].flatMap((pid) => childrenOf(pid, NODE));
  if (node === undefined) throw new Error('There is no embedded node.');
  pids.set('node', node);
  const countTransactions = async (): Promise<number> => {
    const [row] = await tables.query(
      `select xact_commit + xact_rollback as transactions
       from pg_stat_database where datname = current_database()`,
    );
    return Number(row?.['transactions']);
  };
  const cpuMs = (): ReadonlyMap<string, number> =>
    new Map([
      ...[...pids].map(([role, pid]) => [role, cpuByProcess(pid, dataDir).api] as const),
      ['Postgres', cpuByProcess(node, dataDir).postgres],
    ]);
  await sleep(REST_MS);
  const [transactions, cpu, began] = [await countTransactions(), cpuMs(), performance.now()];
  await sleep(MEASURED_MS);
  const elapsedMs = performance.now() - began;
  const shares = new Map(
    [...cpuMs()].map(([role, ms]) => [role, (PERCENT * (ms - (cpu.get(role) ?? 0))) / elapsedMs]),
  );
  return [
    {
      name: `idle ${name}, busiest process, of a core`,
      value: Math.max(...shares.values()),
      unit: '%',
      wanted: { atMost: 1 },
      aim: { atMost: 0.5 },
      parts: Object.fromEntries(shares),
    },
    {
      name: `idle ${name}, transactions`,
      value: (MS_IN_SECOND * ((await countTransactions()) - transactions)) / elapsedMs,
      unit: '/s',
      wanted: { atMost: 1.5 },
      aim: { atMost: 1 },
      parts: {},
    },
  ];
};
