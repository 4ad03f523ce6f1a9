import { setTimeout as sleep } from 'node:timers/promises';
import { hostPostgres } from '../../../adapters/embedded-postgres/host.ts';
import { openTables, type Tables } from '../../throw-away/pushed-practice.ts';
import type { LivingService } from '../living-service.ts';
import type { ExpectedRecords } from './expected-records.ts';
import { leaks } from './leaks.ts';

/** What is looked at when a load has ended. */
export interface AftermathParts {
  readonly service: LivingService;
  readonly dataDir: string;
  readonly practiceId: string;
  readonly token: string;
  /** Tokens and passwords by what they are, which the service must not tell. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly receipts: readonly string[];
  readonly expected: ExpectedRecords;
}

/** What was taken is worked off within this. */
const END_WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 200;

/**
 * Waits until all that was taken has ended, and looks at what is there: receipts, records, log and
 * read tables.
 * @returns what is not as it must be, a line each
 */
export const aftermathOf = async (parts: AftermathParts): Promise<readonly string[]> => {
  const faults = [...(await unfinished(parts))];
  const postgres = await hostPostgres({ dataDir: parts.dataDir });
  const tables = await openTables(postgres.url);
  try {
    await quiet(tables);
    faults.push(...(await parts.expected.faults(tables, parts.practiceId)));
    faults.push(...(await incomplete(tables)));
  } finally {
    await tables.close();
    await postgres.stop();
  }
  faults.push(...(await differences(parts.service)));
  faults.push(...(await leaks(parts.dataDir, `${parts.service.url}/metrics`, parts.secrets)));
  return faults;
};

/** Every receipt that was promised ends; why one has failed the tables say. */
const unfinished = async ({ token, receipts }: AftermathParts): Promise<readonly string[]> => {
  const headers = { Authorization: `Bearer ${token}` };
  const giveUp = performance.now() + END_WITHIN_MS;
  const faults: string[] = [];
  for (const receipt of receipts)
    for (;;) {
      const response = await fetch(receipt, { headers });
      const { status } = (await response.json()) as { readonly status?: string };
      if (status === 'completed' || status === 'failed') break;
      const isOpen = status === 'queued' || status === 'processing';
      if (!isOpen || performance.now() > giveUp) {
        faults.push(`A receipt that was promised says ${status ?? response.status}.`);
        break;
      }
      await sleep(LOOK_EVERY_MS);
    }
  return faults;
};

/**
 * Open, or not far from it: a file that was confirmed is announced later, and a row that nobody was
 * told of has been projected after so long, or was never announced and is dropped later.
 */
const OPEN = `
  select (select count(*) from read.ingestion where status in ('queued', 'processing'))
    + (select count(*) from app.staged_import
       where confirmed_at is not null and announced_at is null)
    + (select count(*) from app.ingestion_queue left join read.ingestion using (ingestion_id)
       where status is null and app.ingestion_queue.queued_at > now() - interval '10 seconds')
    as open`;

/** Waits until nothing is open: imports too, and what nobody was told of. */
const quiet = async (tables: Tables): Promise<void> => {
  const giveUp = performance.now() + END_WITHIN_MS;
  const open = async () => Number((await tables.query(OPEN))[0]?.['open']);
  while ((await open()) > 0 && performance.now() < giveUp) await sleep(LOOK_EVERY_MS);
};

const incomplete = async (tables: Tables): Promise<readonly string[]> => {
  const rows = await tables.query(
    `select source, exception, count(*) as count from read.ingestion
     where status <> 'completed' group by source, exception`,
  );
  return rows.map(
    (row) =>
      `${row['count']} ingestions of ${row['source']} did not complete: ${row['exception']}.`,
  );
};

/** The log is sound, and the read tables are what a rebuild makes of it. */
const differences = async (service: LivingService): Promise<readonly string[]> => {
  const { problems } = await service.operator('verify');
  const { differences: found } = await service.operator('rebuild', '--check');
  return [
    ...(problems as readonly unknown[]).map((one) => `verify: ${JSON.stringify(one)}`),
    ...(found as readonly unknown[]).map((one) => `rebuild --check: ${JSON.stringify(one)}`),
  ];
};
