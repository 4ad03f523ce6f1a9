import { randomUUID } from 'node:crypto';
import { idOf } from '../../../adapters/crypto/deterministic-ids.ts';
import { dropExpiredDraftsIn } from '../../../adapters/postgres/short-lived/drafts.ts';
import { dropExpiredLaunchesIn } from '../../../adapters/postgres/short-lived/ehr-launches.ts';
import { loadProvidersFrom } from '../../../adapters/postgres/turns/held-providers.ts';
import {
  loadFingerprintHoldersFrom,
  loadRecordsFrom,
} from '../../../adapters/postgres/turns/held-records.ts';
import { startHousekeeping } from '../../write-path/housekeeping.ts';
import { startIngestionWorker } from '../../write-path/ingestion-worker.ts';
import { tellLargeWork } from '../../write-path/tell-large-work.ts';
import { importHousekeepingOf } from '../imports.ts';
import { isOutage } from '../stores.ts';
import type { WorkingParts } from '../working-parts.ts';

/** Starts the ingestion worker and its housekeeping. @returns how to stop them */
export const startWorker = (parts: WorkingParts): (() => Promise<void>) => {
  const { stores, queue, leases, progress, doorFirst, now, afterStep, onFault, tell } = parts;
  const { db, hotDb, log, identity } = stores;
  const logParts = { append: log.append, readStream: log.readStream };
  const worker = startIngestionWorker({
    ...logParts,
    ...queue,
    loadRecords: loadRecordsFrom(hotDb),
    loadFingerprintHolders: loadFingerprintHoldersFrom(hotDb),
    loadProviders: loadProvidersFrom(hotDb),
    takeLease: leases.take,
    renewLease: leases.renew,
    releaseLease: leases.release,
    isRequested: leases.isRequested,
    reachProjection: progress.reach,
    shownPosition: progress.position,
    hurryProjection: progress.endRest,
    giveWay: doorFirst.giveWay,
    submissionHash: identity.submissionHash,
    idOf,
    now,
    afterStep,
    isOutage,
    noteProgress: tellLargeWork(tell, () => performance.now()),
    newId: randomUUID,
    onTurnFault: onFault('Work on the submissions of a practice was interrupted; trying again.'),
  });
  const stopWaking = progress.onAdvance(() => worker.wake());
  const housekeeping = startHousekeeping({
    ...logParts,
    ...queue,
    ...importHousekeepingOf(parts),
    dropExpiredDrafts: dropExpiredDraftsIn(db),
    dropExpiredLaunches: dropExpiredLaunchesIn(db),
    idOf,
    now,
    afterStep,
    isOutage,
    onFault: onFault('A step of housekeeping failed; trying again.'),
  });
  return async () => {
    await housekeeping.stop();
    stopWaking();
    await worker.stop();
  };
};
