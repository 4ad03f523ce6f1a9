import { openStores, type Stores } from '../../api/composition/stores.ts';
import { newCounts } from '../../api/health/counts.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openRegistry, type Registry } from '../../api/registry/registry.ts';
import {
  dismissDuplicate,
  keepRevival,
  restoreDuplicateFlag,
  voidRecord,
} from '../../api/write-path/change-record.ts';
import { newDoorFirst } from '../../api/write-path/door-first.ts';
import type { AfterStep } from '../../api/write-path/fault-hook.ts';
import { mergeRecords } from '../../api/write-path/merge-records.ts';
import { bringBack, restoreVersion } from '../../api/write-path/restore-record.ts';
import { saveCourse } from '../../api/write-path/save-course.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** Opens the registry on the stores of a running service, as another API process would. */
export const openTestRegistry = (
  stores: Stores,
  settings: TestService['settings'],
  afterStep: AfterStep = () => undefined,
): Promise<Registry> =>
  openRegistry(stores, {
    meters: newCounts().meters,
    doorFirst: newDoorFirst(),
    afterStep,
    now: () => new Date(),
    onFault: () => () => undefined,
    baseUrl: settings.baseUrl,
    bufferTtlSeconds: settings.bufferTtlSeconds,
    queueLimitRecords: settings.queueLimitRecords,
    queueLimitMib: settings.queueLimitMib,
    announcesQueued: false,
  });

/** What people write into records, on a registry. */
const writesOn = (registry: Registry) => {
  const bound =
    <Args extends readonly unknown[], Result>(write: (on: Registry, ...args: Args) => Result) =>
    (...args: Args): Result =>
      write(registry, ...args);
  return {
    saveCourse: bound(saveCourse),
    voidRecord: bound(voidRecord),
    restoreVersion: bound(restoreVersion),
    bringBack: bound(bringBack),
    keepRevival: bound(keepRevival),
    dismissDuplicate: bound(dismissDuplicate),
    restoreDuplicateFlag: bound(restoreDuplicateFlag),
    mergeRecords: bound(mergeRecords),
  };
};

/** A service, and what people write into it, as another API process would. */
export interface WritingService extends TestService {
  readonly stores: Stores;
  readonly registry: Registry;
  readonly writes: ReturnType<typeof writesOn>;
  /** The same from one more process, whose clock may be another. */
  writesAt(now: () => Date): ReturnType<typeof writesOn>;
}

/** Starts a service of a test's own with everything that people write into records. */
export const startWritingService = async (
  changes: Readonly<Record<string, string>> = {},
): Promise<WritingService> => {
  const service = await startTestService(changes);
  const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
  const registry = await openTestRegistry(stores, service.settings);
  return {
    ...service,
    stores,
    registry,
    writesAt: (now) => writesOn({ ...registry, now }),
    writes: writesOn(registry),
    async stop() {
      await stores.close();
      await service.stop();
    },
  };
};
