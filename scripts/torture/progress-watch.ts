import { setTimeout as sleep } from 'node:timers/promises';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { openTables } from '../throw-away/pushed-practice.ts';

/** Watches whether ingestions are completed and projected. */
export interface ProgressWatch {
  /** Begins to look for the longest time without progress. */
  begin(): void;
  /** Milliseconds that nothing was completed at the longest, up to now, since it began to look. */
  longestStall(): number;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 100;

/** Starts to watch the read tables of a service. */
export const startProgressWatch = async (dataDir: string): Promise<ProgressWatch> => {
  const postgres = await hostPostgres({ dataDir });
  const tables = await openTables(postgres.url);
  let isStopped = false;
  let completed = 0;
  let movedAt = performance.now();
  let longest = 0;
  const stall = () => Math.max(longest, performance.now() - movedAt);

  const watch = async (): Promise<void> => {
    while (!isStopped) {
      const [row] = await tables.query(
        "select count(*) as count from read.ingestion where status = 'completed'",
      );
      const count = Number(row?.['count']);
      if (count > completed) {
        longest = stall();
        movedAt = performance.now();
        completed = count;
      }
      await sleep(LOOK_EVERY_MS);
    }
  };
  const watching = watch();
  return {
    begin() {
      longest = 0;
      movedAt = performance.now();
    },
    longestStall: stall,
    async stop() {
      isStopped = true;
      await watching;
      await tables.close();
      await postgres.stop();
    },
  };
};
