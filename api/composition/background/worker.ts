import { finishConfirmation } from '../../import/confirm-import.ts';
import { isOutage } from '../../registry/outage.ts';
import type { Registry } from '../../registry/registry.ts';
import { startHousekeeping } from '../../write-path/housekeeping.ts';
import { startIngestionWorker } from '../../write-path/ingestion-worker.ts';
import { logLargeWork } from '../../write-path/log-large-work.ts';

/**
 * Starts the ingestion worker and its housekeeping.
 * @param tell writes a line to the service's log, with a correlation id
 * @returns how to stop them
 */
export const startWorker = (
  registry: Registry,
  tell: (line: string, correlationId: string) => void,
): (() => Promise<void>) => {
  const { log, queue, stagedImports, progress, onFault } = registry;
  const worker = startIngestionWorker(
    { ...registry, isOutage, noteProgress: logLargeWork(tell, () => performance.now()) },
    onFault('Work on the submissions of a practice was interrupted; trying again.'),
  );
  const stopWaking = progress.onAdvance(() => worker.wake());
  const housekeeping = startHousekeeping({
    ...queue,
    append: log.append,
    readStream: log.readStream,
    idOf: registry.idOf,
    now: registry.now,
    afterStep: registry.afterStep,
    unannouncedImports: stagedImports.unannounced,
    finishImport: (staged) => finishConfirmation(registry, staged),
    dropExpiredImports: stagedImports.dropExpired,
    dropExpiredDrafts: registry.dropExpiredDrafts,
    dropExpiredLaunches: registry.dropExpiredLaunches,
    isOutage,
    onFault: onFault('A step of housekeeping failed; trying again.'),
  });
  return async () => {
    await housekeeping.stop();
    stopWaking();
    await worker.stop();
  };
};
