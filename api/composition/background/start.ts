import { startProjector } from '../../../adapters/postgres/projector/projector.ts';
import type { RunningParts } from '../../process/running-parts.ts';
import { startAccessCarrier } from '../access-log.ts';
import type { WorkingParts } from '../working-parts.ts';
import { startWorker } from './worker.ts';

/**
 * Starts what nobody waits for at the door, as far as the role asks for it: the projector, the
 * ingestion worker, and what carries the access log.
 */
export const startBackground = (parts: WorkingParts, running: RunningParts): void => {
  const { stores, leases, progress, doorFirst, meters, onFault, plays } = parts;
  const { db, log } = stores;
  if (plays('projector')) {
    const projector = startProjector({
      db,
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
  if (plays('worker')) {
    running.add('access log', startAccessCarrier(parts));
    running.add('worker', startWorker(parts));
  }
};
