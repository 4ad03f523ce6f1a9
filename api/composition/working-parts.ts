import { type RowCipher, rowCipherOf } from '../../adapters/crypto/row-cipher.ts';
import {
  type ProjectionProgress,
  projectionProgressOf,
} from '../../adapters/postgres/projector/projection-progress.ts';
import {
  type IngestionQueue,
  ingestionQueueOf,
} from '../../adapters/postgres/queue/ingestion-queue.ts';
import { openQueueKey } from '../../adapters/postgres/queue/queue-key.ts';
import { type Leases, leasesOf } from '../../adapters/postgres/turns/leases.ts';
import type { Meters } from '../health/counts.ts';
import { noteOf, type ServiceLog } from '../process/logging.ts';
import type { DoorFirst } from '../write-path/door-first.ts';
import type { AfterStep } from '../write-path/fault-hook.ts';
import { LEASE_MS } from './lease-length.ts';
import type { Settings } from './settings.ts';
import type { Stores } from './stores.ts';
import { timedLog } from './timed-log.ts';

/** What every thread of a running service works with, whatever its part in it. */
export interface WorkingParts {
  readonly settings: Settings;
  readonly stores: Stores;
  readonly queue: IngestionQueue;
  /** Seals what waits in the queue, and imports before it. */
  readonly cipher: RowCipher;
  readonly leases: Leases;
  readonly progress: ProjectionProgress;
  readonly doorFirst: DoorFirst;
  readonly afterStep: AfterStep;
  /** Where parts count what they do. */
  readonly meters: Meters;
  readonly now: () => Date;
  /** Tells of a fault that a part recovers from by itself. */
  readonly onFault: (what: string) => (error: unknown) => void;
  /** Tells the log of the service in a line how far something is. */
  readonly tell: (line: string, correlationId: string) => void;
  readonly plays: (role: 'api' | 'worker' | 'projector') => boolean;
}

/** What the caller has of them. */
interface Own extends Pick<WorkingParts, 'meters' | 'doorFirst' | 'afterStep'> {
  readonly serviceLog: ServiceLog;
}

/** Makes them of open stores. */
export const workingParts = async (
  settings: Settings,
  opened: Stores,
  { serviceLog, meters, doorFirst, afterStep }: Own,
): Promise<WorkingParts> => {
  const stores = { ...opened, log: timedLog(opened.log, meters) };
  const { db, hotDb, presence, secret } = stores;
  const cipher = rowCipherOf(await openQueueKey(db, secret));
  return {
    settings,
    stores,
    cipher,
    doorFirst,
    afterStep,
    meters,
    queue: ingestionQueueOf(stores, cipher, settings.bufferTtlSeconds),
    leases: leasesOf(hotDb, LEASE_MS, presence),
    progress: projectionProgressOf(hotDb),
    now: () => new Date(),
    onFault: (what) => (error) => {
      serviceLog.warn(noteOf(error), what);
    },
    tell: (line, correlationId) => serviceLog.info({ correlationId }, line),
    plays: (role) => settings.role === 'all' || settings.role === role,
  };
};
