import { listenForWakeups } from '../../adapters/postgres/connection/wakeups.ts';
import { startProjector } from '../../adapters/postgres/projector/projector.ts';
import { loadCheckpoint } from '../../adapters/postgres/projector/read-schema.ts';
import { noteRefusal } from '../../adapters/transparency-log/checkpoints.ts';
import type { App } from '../ports/app-ports.ts';
import type { ServiceLog } from '../process/logging.ts';
import type { RunningParts } from '../process/running-parts.ts';
import { hasRole, type Settings } from '../settings/settings.ts';
import type { Stores } from '../stores/stores.ts';
import { createAskWitnesses } from '../transparency-log/ask-witnesses.ts';
import { signCheckpoint } from '../transparency-log/sign-checkpoint.ts';
import { startCheckpointer } from '../transparency-log/start-checkpointer.ts';
import { startAccessLogRelay } from './access-log-relay.ts';
import { startWorker } from './background-worker.ts';

const MS_PER_SECOND = 1_000;

export interface Background {
  readonly settings: Settings;
  readonly stores: Stores;
  readonly app: App;
  readonly serviceLog: ServiceLog;
}

/** Starts the work that no request waits for, according to the role. */
export const startBackground = async (
  { settings, stores, app, serviceLog }: Background,
  running: RunningParts,
): Promise<void> => {
  const { log, leases, progress, wakeups, meters, onFault } = app;
  if (!hasRole(settings.role, 'projector') && !hasRole(settings.role, 'worker')) return;
  const { databaseUrl, db } = stores;
  if (hasRole(settings.role, 'projector')) {
    // Added before the projector, so that it stops later and signs for all of its work.
    running.add(
      'checkpoints',
      startCheckpointer({
        sign: () => signCheckpoint(stores),
        place: () =>
          settings.logWitnesses.length > 0 || progress.epoch() === null
            ? null
            : `${progress.epoch()} ${progress.position()}`,
        askWitnesses: createAskWitnesses(stores, settings.logWitnesses),
        everyMs: settings.checkpointSeconds * MS_PER_SECOND,
        hasCaughtUp: async () => {
          const checkpoint = await loadCheckpoint(stores.db);
          return checkpoint !== null && checkpoint.position >= (await log.head());
        },
        noteRefusal: () => noteRefusal(stores.db, true),
        warn: (words) => serviceLog.warn(words),
        onFault: onFault('A checkpoint of the log could not be signed; trying again.'),
      }),
    );
    const projector = startProjector({
      db,
      leases,
      progress,
      wakeups,
      log,
      follow: log.follow,
      onFault: onFault('Bringing the read tables up to the log was interrupted; trying again.'),
      onApplied: meters.applied,
    });
    running.add('projector', () => projector.stop());
  }
  const listening = await listenForWakeups(databaseUrl, db, wakeups);
  running.add('wakeups', () => listening.stop());
  if (hasRole(settings.role, 'worker')) {
    const { pollMs } = listening;
    running.add('access log', startAccessLogRelay(app, { db, log }, pollMs));
    running.add(
      'worker',
      startWorker(app, pollMs, (line, correlationId) => serviceLog.info({ correlationId }, line)),
    );
  }
};
