import { setTimeout as sleep } from 'node:timers/promises';
import { createLeases, LEASE_MS } from '../../adapters/postgres/leases/leases.ts';
import {
  areTablesAheadOfLog,
  ReadTablesAheadOfLog,
} from '../../adapters/postgres/projector/ahead-of-log.ts';
import {
  createProjectionProgress,
  ProjectionBehind,
  type ProjectionProgress,
} from '../../adapters/postgres/projector/projection-progress.ts';
import { startProjector } from '../../adapters/postgres/projector/projector.ts';
import {
  ensureReadSchema,
  ReadTablesOfAnotherVersion,
} from '../../adapters/postgres/projector/read-schema.ts';
import { buildFaultNote, type ServiceLog } from '../process/logging.ts';
import type { Stores } from '../stores/stores.ts';

export interface CommandProjection {
  readonly progress: ProjectionProgress;
  stop(): Promise<void>;
}

const CAUGHT_UP_WITHIN_MS = 120_000;
const POLL_MS = 10;

/**
 * Waits until the tables have caught up. The projector of a running service does the work.
 * @throws ProjectionBehind, ReadTablesOfAnotherVersion, ReadTablesAheadOfLog
 */
export const openCommandProjection = async (
  { db, log, registryId, livenessLock }: Stores,
  serviceLog: ServiceLog,
): Promise<CommandProjection> => {
  const tables = await ensureReadSchema(db, registryId);
  if (tables !== 'same') throw new ReadTablesOfAnotherVersion(tables);
  if (await areTablesAheadOfLog(db, log)) throw new ReadTablesAheadOfLog();
  const progress = createProjectionProgress(db);
  const projector = startProjector({
    db,
    progress,
    wakeups: null,
    log,
    follow: log.follow,
    leases: createLeases(db, LEASE_MS, livenessLock),
    onFault: (error) =>
      serviceLog.warn(
        buildFaultNote(error),
        'Bringing the read tables up to the log was interrupted; trying again.',
      ),
  });
  const started = performance.now();
  while (!progress.hasCaughtUp()) {
    if (performance.now() - started > CAUGHT_UP_WITHIN_MS) {
      await projector.stop();
      throw new ProjectionBehind(
        'The read tables do not catch up with the log within 120 s. Run the command again; if they never do, /health/ready of the service says why.',
      );
    }
    await sleep(POLL_MS);
  }
  return { progress, stop: () => projector.stop() };
};
