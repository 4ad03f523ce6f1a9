import { setTimeout as sleep } from 'node:timers/promises';
import { ensureReadSchema } from '../../adapters/postgres/read-schema.ts';
import {
  RebuildUnderWay,
  rebuildReadTables,
  SwapRefused,
} from '../../adapters/postgres/rebuild.ts';
import { noteOf, type ServiceLog } from './logging.ts';
import { isOutage, type Stores } from './stores.ts';

const TRY_AGAIN_MS = 1_000;

/**
 * Waits until there are read tables of this version. Those of another one stay as they are, for
 * processes that can still use them, until new ones are built beside them and swapped: by whoever
 * keeps the tables up; other roles wait for that.
 * @param onOtherVersion told when there is something to wait for
 * @returns whether they are there; not when the signal came first
 */
export const openReadTables = async (
  { db, databaseUrl, log, registryId }: Stores,
  isBuilder: boolean,
  serviceLog: ServiceLog,
  signal: AbortSignal,
  onOtherVersion: () => void,
): Promise<boolean> => {
  const report = (line: string) => serviceLog.info({ rebuild: line }, 'Rebuilding.');
  while (!signal.aborted) {
    if ((await ensureReadSchema(db, registryId)) === 'current') return true;
    onOtherVersion();
    serviceLog.info(
      'The read tables are of another version of the service; whoever keeps them up rebuilds them.',
    );
    try {
      const { follow, head } = log;
      const parts = { databaseUrl, follow, head, registryId, report, signal };
      if (isBuilder) await rebuildReadTables(parts, 'swap');
      else await sleep(TRY_AGAIN_MS);
    } catch (error) {
      if (signal.aborted) return false;
      const isForLater =
        error instanceof RebuildUnderWay || error instanceof SwapRefused || isOutage(error);
      if (!isForLater) throw error;
      serviceLog.warn(noteOf(error), 'The read tables were not rebuilt; trying again.');
      await sleep(TRY_AGAIN_MS);
    }
  }
  return false;
};
