import { projectionProgressOf } from '../../adapters/postgres/projector/projection-progress.ts';
import { leasesOf } from '../../adapters/postgres/turns/leases.ts';
import { LEASE_MS } from '../../api/composition/lease-length.ts';
import { type RecordWrites, recordWritesOf } from '../../api/composition/record-writes.ts';
import { openStores, type Stores } from '../../api/composition/stores.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { startTestService, type TestService } from './service.ts';

/** A service, and what people write into it, as another API process would. */
export interface WritingService extends TestService {
  readonly stores: Stores;
  readonly writes: RecordWrites;
  /** The same from one more process, whose clock may be another. */
  writesAt(now: () => Date): RecordWrites;
}

/** Starts a service of a test's own with everything that people write into records. */
export const startWritingService = async (
  changes: Readonly<Record<string, string>> = {},
): Promise<WritingService> => {
  const service = await startTestService(changes);
  const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
  const writesAt = (now: () => Date) =>
    recordWritesOf({
      stores,
      now,
      leases: leasesOf(stores.db, LEASE_MS, null),
      progress: projectionProgressOf(stores.db),
    });
  return {
    ...service,
    stores,
    writesAt,
    writes: writesAt(() => new Date()),
    async stop() {
      await stores.close();
      await service.stop();
    },
  };
};
