import { startProjector } from '../../../adapters/postgres/projector/projector.ts';
import { listenForQueued } from '../../../adapters/postgres/queue/listen-for-queued.ts';
import type { ServiceLog } from '../../process/logging.ts';
import type { RunningParts } from '../../process/running-parts.ts';
import type { Registry } from '../../registry/registry.ts';
import { startAccessCarrier } from '../access-log.ts';
import { plays, type Settings } from '../settings.ts';
import type { Stores } from '../stores.ts';
import { startWorker } from './worker.ts';

/** What the background works on. */
export interface Background {
  readonly settings: Settings;
  readonly stores: Stores;
  readonly registry: Registry;
  readonly serviceLog: ServiceLog;
}

/**
 * Starts what no request waits for, as far as the role asks for it: the projector, the ingestion
 * worker, and what carries the access log.
 */
export const startBackground = async (
  { settings, stores, registry, serviceLog }: Background,
  running: RunningParts,
): Promise<void> => {
  const { log, leases, progress, doorFirst, meters, onFault } = registry;
  if (plays(settings.role, 'projector')) {
    const projector = startProjector({
      db: stores.db,
      leases,
      progress,
      log,
      follow: (from, onBatch, onCaughtUp, signal) =>
        log.follow(
          from,
          async (batch) => {
            await doorFirst.giveWay();
            await onBatch(batch);
          },
          onCaughtUp,
          signal,
        ),
      onFault: onFault('Bringing the read tables up to the log was interrupted; trying again.'),
      onApplied: meters.applied,
    });
    running.add('projector', () => projector.stop());
  }
  if (plays(settings.role, 'worker')) {
    running.add('access log', startAccessCarrier(registry, { db: stores.db, log }));
    running.add(
      'worker',
      startWorker(registry, (line, correlationId) => serviceLog.info({ correlationId }, line)),
    );
    if (settings.role !== 'all') {
      const listening = await listenForQueued(stores.databaseUrl, registry.queued.signal);
      running.add('queue', () => listening.stop());
    }
  }
};
