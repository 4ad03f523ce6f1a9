import { setTimeout as sleep } from 'node:timers/promises';
import { type Tables, withTables } from '../../harness/measured-service.ts';
import type { RestartableService } from '../restartable-service.ts';
import type { LoadContext } from './load.ts';

/** What was taken is worked off within this. */
const END_WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 200;

/**
 * Waits until all that was taken has ended, and checks what is stored: receipts, records, log and
 * read tables.
 * @returns what is not as it must be, a line each
 */
export const findInvariantViolations = async (
  {
    token,
    practiceId,
    receipts,
    expected,
  }: Pick<LoadContext, 'token' | 'practiceId' | 'receipts' | 'expected'>,
  service: RestartableService,
  dataDir: string,
): Promise<readonly string[]> => [
  ...(await unfinished(token, receipts)),
  ...(await withTables(dataDir, async (tables) => {
    await quiet(tables);
    return [...(await expected.faults(tables, practiceId)), ...(await incomplete(tables))];
  })),
  ...(await differences(service)),
];

/** Every receipt that was promised ends; the tables say why one has failed. */
const unfinished = async (
  token: string,
  receipts: readonly string[],
): Promise<readonly string[]> => {
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

/** What waits in the queue, whether anybody was answered for it or not, or is under way. */
const OPEN = `
  select count(*) as open from (
    select ingestion_id from read.ingestion where status in ('queued', 'processing')
    union
    select ingestion_id from app.submission left join read.ingestion using (ingestion_id)
    where coalesce(status, 'queued') in ('queued', 'processing')
  ) open`;

/** Waits until nothing is open: imports too, and pushes that were never answered. */
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
const differences = async (service: RestartableService): Promise<readonly string[]> => {
  const { problems } = await service.operator('verify');
  const { differences: found } = await service.operator('rebuild', '--check');
  return [
    ...(problems as readonly unknown[]).map((one) => `verify: ${JSON.stringify(one)}`),
    ...(found as readonly unknown[]).map((one) => `rebuild --check: ${JSON.stringify(one)}`),
  ];
};
