import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import type { MeasuredService } from './measured-service.ts';

/** A practice with a key, whose ingestions can be waited for. */
export interface PushedPractice {
  readonly practiceId: string;
  readonly token: string;
}

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

/** Creates a practice outside the sandbox, with a key of its own. */
export const newPractice = async ({ commands }: MeasuredService): Promise<PushedPractice> => {
  const practiceId = await commands.practices.create({
    name: 'Cedar Birth Center',
    sandbox: false,
    beta: true,
  });
  const { token } = await commands.keys.mintNative({
    practiceId,
    name: null,
    scopes: ['ingest:write', 'ingest:read'],
  });
  return { practiceId, token };
};

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
