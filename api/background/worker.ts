import { startImportUndoWorker } from '../import/import-undo-worker.ts';
import { createCompletedIngestions } from '../ingestion/completed-ingestions.ts';
import { startHousekeeping } from '../ingestion/housekeeping.ts';
import { startIngestionWorker } from '../ingestion/ingestion-worker.ts';
import { logLargeWork } from '../ingestion/log-large-work.ts';
import type { App } from '../ports/app-ports.ts';
import { isOutage } from '../ports/outage.ts';

/**
 * @param pollMs time after which to look for work without having been woken
 * @returns stops it
 */
export const startWorker = (
  registry: App,
  pollMs: () => number,
  logLine: (line: string, correlationId: string) => void,
): (() => Promise<void>) => {
  const { log, queue, stagedImports, fileChecks, progress, onFault } = registry;
  const completedIngestions = createCompletedIngestions(progress, queue.dequeue);
  const worker = startIngestionWorker(
    {
      ...registry,
      completedIngestions,
      isOutage,
      noteProgress: logLargeWork(logLine, () => performance.now()),
    },
    pollMs,
    onFault('Work on the submissions of a practice was interrupted; trying again.'),
  );
  registry.wakeups.on('queued', worker.wake);
  const stopHousekeeping = startHousekeeping({
    ...queue,
    completedIngestions,
    append: log.append,
    readStream: log.readStream,
    idOf: registry.idOf,
    now: registry.now,
    afterStep: registry.afterStep,
    dropExpiredImports: async () => {
      await stagedImports.dropExpired();
      await fileChecks.dropExpired();
    },
    dropExpiredDrafts: registry.dropExpiredDrafts,
    dropExpiredHandedOver: registry.dropExpiredHandedOver,
    dropExpiredLaunches: registry.dropExpiredLaunches,
    dropUnusedKeys: registry.dropUnusedKeys,
    isOutage,
    onFault: onFault('A step of housekeeping failed; trying again.'),
  });
  const stopUndoing = startImportUndoWorker(
    registry,
    pollMs,
    onFault('Undoing an import was interrupted; trying again.'),
  );
  return async () => {
    await Promise.all([stopHousekeeping(), stopUndoing()]);
    registry.wakeups.off('queued', worker.wake);
    await worker.stop();
  };
};
