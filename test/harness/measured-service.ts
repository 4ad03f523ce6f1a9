import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type HostedPostgres, hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { readSettings, type Settings } from '../../api/settings/settings.ts';
import { type BuiltService, startBuiltService } from './built-service.ts';
import { copyFreshCluster } from './cluster-template.ts';
import { rssOf } from './process-usage.ts';
import { newPractice, type TestPractice } from './service.ts';

const PASS_THROUGH = 0o711; // the database's user must be able to enter

/** A directory that is gone afterwards. */
export const throwAwayDirectory = async (): Promise<{
  readonly path: string;
  remove(): Promise<void>;
}> => {
  const path = await mkdtemp(join(tmpdir(), 'birth-registry-bench-'));
  await chmod(path, PASS_THROUGH);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
};

/** The same, with a cluster as a first start leaves it. */
export const throwAwayCluster: typeof throwAwayDirectory = async () => {
  const directory = await throwAwayDirectory();
  await copyFreshCluster(directory.path);
  return directory;
};

/** The built service as `npm start` runs it, and what is asked beside it. */
export interface MeasuredService
  extends Pick<BuiltService, 'url' | 'readyAfter' | 'operator' | 'stop'> {
  readonly settings: Settings;
  readonly commands: OperatorCommands;
  /** The API's process. */
  readonly pid: number;
  /** Memory of the API's process that is in RAM, bytes. */
  rss(): number;
}

/** Starts the built service with the operator's commands beside it. */
export const startService = async (
  dataDir: string,
  changes: Readonly<Record<string, string>> = {},
  onLog: ((text: string) => void) | null = null,
): Promise<MeasuredService> => {
  const service = await startBuiltService(dataDir, { LOG_LEVEL: 'warn', ...changes }, onLog);
  const settings = readSettings(service.env);
  const commands = await openCommands(settings, openServiceLog('warn'));
  const pid = service.child().pid ?? 0;
  return {
    ...service,
    settings,
    commands,
    pid,
    rss: () => rssOf(pid),
    async stop() {
      await commands.close();
      await service.stop();
    },
  };
};

/** A new service with a practice to push to. */
export interface SingleService {
  readonly service: MeasuredService;
  readonly practice: TestPractice;
  readonly tables: Tables;
  stop(): Promise<void>;
}

/** Starts a service for some work, and stops it after it. */
export const withSingle = async <Result>(
  work: (single: SingleService) => Promise<Result>,
): Promise<Result> => {
  const single = await startSingle();
  try {
    return await work(single);
  } finally {
    await single.stop();
  }
};

/**
 * @param changes settings of the service beside the defaults
 * @param onLog takes what the service logs
 */
export const startSingle = async (
  changes: Readonly<Record<string, string>> = {},
  onLog: ((text: string) => void) | null = null,
): Promise<SingleService> => {
  const directory = await throwAwayCluster();
  const service = await startService(directory.path, changes, onLog);
  const joined: HostedPostgres = await hostPostgres({ dataDir: directory.path });
  const tables = await openTables(joined.url);
  return {
    service,
    tables,
    practice: await newPractice(service.commands, undefined, false),
    async stop() {
      await tables.close();
      await service.stop();
      await joined.stop();
      await directory.remove();
    },
  };
};

/** Where pushes of a practice go, and in whose name. */
export const intakeOf = (single: SingleService, practice: TestPractice = single.practice) => ({
  url: `${single.service.url}/api/registry/fhir/Bundle`,
  token: practice.token,
});

const POLL_MS = 20;
/** Counting many records is work for the service's Postgres. */
const COUNT_EVERY_MS = 1_000;

/**
 * What was taken and has no end yet, as far as the read tables know. The lateral limit makes Postgres
 * look each up by its key: joined as a whole, a question took 2.5 ms after 5,500 pushes, a fifth of
 * what Postgres did for a batch.
 */
const OPEN_INGESTIONS = `
  from app.submission queued left join lateral (
    select status from read.ingestion known where known.ingestion_id = queued.ingestion_id limit 1
  ) known on true
  where status is null or status in ('queued', 'processing')`;

/** What the tables of a service say, asked straight, beside the service. */
export interface Tables {
  /** Ingestions that are queued or under way. */
  openIngestions(): Promise<number>;
  /** Waits until no ingestion is queued or under way. @throws Error when one has failed */
  allDone(): Promise<void>;
  /** Waits until the read tables hold so many records. */
  hold(records: number): Promise<void>;
  /** Waits until Postgres has looked at most of the records, as it has at those of most days. */
  known(): Promise<void>;
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** What the tables of a schema take up, with their indexes and TOAST. */
  bytesOf(schema: string): Promise<number>;
  close(): Promise<void>;
}

/** Opens the tables of a service on a data directory for some work, and closes them after it. */
export const withTables = async <Result>(
  dataDir: string,
  work: (tables: Tables) => Promise<Result>,
): Promise<Result> => {
  const postgres = await hostPostgres({ dataDir });
  const tables = await openTables(postgres.url);
  try {
    return await work(tables);
  } finally {
    await tables.close();
    await postgres.stop();
  }
};

/** @param databaseUrl address of the service's Postgres */
export const openTables = async (databaseUrl: string): Promise<Tables> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const query = async (text: string) => (await client.query(text)).rows;
  const untilSo = async (condition: string, everyMs: number): Promise<void> => {
    for (;;) {
      const [row] = await query(`select ${condition} as is_so`);
      if (row?.['is_so'] === true) return;
      await sleep(everyMs);
    }
  };
  return {
    query,
    async bytesOf(schema) {
      const [row] = await query(
        `select sum(pg_total_relation_size(oid)) as bytes
         from pg_class where relnamespace = '${schema}'::regnamespace and relkind = 'r'`,
      );
      return Number(row?.['bytes']);
    },
    async openIngestions() {
      const [row] = await query(`select count(*) as count ${OPEN_INGESTIONS}`);
      return Number(row?.['count']);
    },
    async allDone() {
      // It ends at the first open one: what is measured must not feel the question.
      await untilSo(`not exists (select ${OPEN_INGESTIONS})`, POLL_MS);
      const [failed] = await query(
        "select count(*) as count from read.ingestion where status = 'failed'",
      );
      if (Number(failed?.['count']) > 0) throw new Error(`${failed?.['count']} ingestions failed.`);
    },
    hold: (records) =>
      untilSo(`(select count(*) from read.birth_record) >= ${records}`, COUNT_EVERY_MS),
    known: () =>
      untilSo(
        `(select n_mod_since_analyze * 5 < n_live_tup from pg_stat_user_tables
          where schemaname = 'read' and relname = 'birth_record')`,
        COUNT_EVERY_MS,
      ),
    close: () => client.end(),
  };
};
