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
  app: App,
  pollMs: () => number,
  logLine: (line: string, correlationId: string) => void,
): (() => Promise<void>) => {
  const { log, queue, stagedImports, fileChecks, progress, onFault } = app;
  const completedIngestions = createCompletedIngestions(progress, queue.dequeue);
  const worker = startIngestionWorker(
    {
      ...app,
      completedIngestions,
      sharedStreamEnds: new Map(),
      isOutage,
      noteProgress: logLargeWork(logLine, () => performance.now()),
    },
    pollMs,
    onFault('Work on the submissions of a practice was interrupted; trying again.'),
  );
  app.wakeups.on('queued', worker.wake);
  const stopHousekeeping = startHousekeeping({
    ...queue,
    completedIngestions,
    append: log.append,
    readStream: log.readStream,
    deriveId: app.deriveId,
    now: app.now,
    afterStep: app.afterStep,
    dropExpiredImports: async () => {
      await stagedImports.dropExpired();
      await fileChecks.dropExpired();
    },
    dropExpiredDrafts: app.dropExpiredDrafts,
    dropExpiredHandoffs: app.dropExpiredHandoffs,
    dropExpiredLaunches: app.dropExpiredLaunches,
    dropUnusedKeys: app.dropUnusedKeys,
    isOutage,
    onFault: onFault('A step of housekeeping failed; trying again.'),
  });
  const stopUndoing = startImportUndoWorker(
    app,
    pollMs,
    onFault('Undoing an import was interrupted; trying again.'),
  );
  return async () => {
    await Promise.all([stopHousekeeping(), stopUndoing()]);
    app.wakeups.off('queued', worker.wake);
    await worker.stop();
  };
};
