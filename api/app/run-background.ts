import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbageWhenIdle } from '../../adapters/package-internals/node/collect-garbage.ts';
import type { WakeTopic } from '../../adapters/postgres/connection/wakeups.ts';
import type { ProjectionProgress } from '../../adapters/postgres/projector/projection-progress.ts';
import { getPoolStats } from '../../adapters/postgres/read-model/health-stats.ts';
import { openApp } from '../ports/app-ports.ts';
import { createCounts } from '../process/counts.ts';
import { createFaultLog, openServiceLog } from '../process/logging.ts';
import { watchProcessFaults } from '../process/process-faults.ts';
import { createRunningParts } from '../process/running-parts.ts';
import { retryUntilAvailable } from '../stores/retry-until-available.ts';
import { type AttachedStores, attachStores, type Stores } from '../stores/stores.ts';
import type { BackgroundData, FromBackground, ToBackground } from './background-messages.ts';
import { startBackground } from './start-background.ts';

const STOP_WITHIN_MS = 7_500;
/** Between the threads that answer requests, and the one that reads long inputs. */
const NICE = 4;

/** @see startBackgroundThread */
export const runBackground = (): void => {
  const port = parentPort;
  if (port === null) throw new TypeError('The background work runs in a thread of its own.');
  const { settings } = workerData as BackgroundData;
  const serviceLog = openServiceLog(settings.logLevel, settings.logFormat ?? 'json');
  watchProcessFaults(serviceLog);
  collectGarbageWhenIdle();
  if (process.platform === 'linux') setPriority(NICE);
  const send = (message: FromBackground): void => port.postMessage(message);
  const counts = createCounts();
  const running = createRunningParts(serviceLog, () => STOP_WITHIN_MS);
  const stopping = new AbortController();
  let wake: (topic: WakeTopic) => unknown = () => undefined;
  let opened: Stores | null = null;

  const start = async (addresses: AttachedStores): Promise<void> => {
    const open = () => attachStores(addresses);
    const stores = await retryUntilAvailable(open, serviceLog, stopping.signal);
    if (stores === null) return;
    running.add('stores', () => stores.close());
    opened = stores;
    const app = await openApp(stores, {
      meters: counts.meters,
      afterStep: () => undefined,
      now: () => new Date(),
      onFault: createFaultLog(serviceLog),
      baseUrl: settings.baseUrl,
      bufferTtlSeconds: settings.bufferTtlSeconds,
      queueLimitRecords: settings.queueLimitRecords,
      queueLimitMib: settings.queueLimitMib,
    });
    running.add('keys', () => app.stopWatchingKeys());
    wake = (topic) => app.wakeups.emit(topic);
    if (stopping.signal.aborted) return;
    const forwardingRegistry = { ...app, progress: forwardProgress(send, app.progress) };
    await startBackground({ settings, stores, app: forwardingRegistry, serviceLog }, running);
  };

  const buildSnapshot = async ({ db, hotDb, log }: Stores) => ({
    counts: await counts.json(),
    pool: getPoolStats(db, hotDb),
    appends: log.appendHealth(),
  });

  let starting = Promise.resolve();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await starting;
    await running.stop(performance.now());
    port.close();
  };
  port.on('message', async (message: ToBackground) => {
    if (message.kind === 'start') {
      starting = start(message.stores);
      await starting;
    } else if (message.kind === 'look') {
      send({ kind: 'looked', snapshot: opened === null ? null : await buildSnapshot(opened) });
    } else if (message.kind === 'wake') {
      for (const topic of message.topics) wake(topic);
    } else if (message.kind === 'stop-work') {
      running.beginStop('worker');
      running.beginStop('access log');
    } else await stop();
  });
};

const forwardProgress = (
  send: (message: FromBackground) => void,
  progress: ProjectionProgress,
): ProjectionProgress => ({
  ...progress,
  advance(position, epoch) {
    progress.advance(position, epoch);
    send({ kind: 'advanced', position, epoch });
  },
  caughtUp() {
    progress.caughtUp();
    send({ kind: 'caught-up' });
  },
});
