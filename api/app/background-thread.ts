import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { WakeTopic } from '../../adapters/postgres/connection/wakeups.ts';
import type { ProjectionProgress } from '../../adapters/postgres/projector/projection-progress.ts';
import type { BackgroundMetrics } from '../health/metrics.ts';
import { withTimeout } from '../process/with-timeout.ts';
import type { AttachedStores } from '../stores/stores.ts';
import type { BackgroundData, FromBackground, ToBackground } from './background-messages.ts';

export class BackgroundEnded extends Error {
  override readonly name = 'BackgroundEnded';
}

/** Keeps background work off the core of the requests. */
export interface BackgroundThread {
  start(stores: AttachedStores, progress: Pick<ProjectionProgress, 'advance' | 'caughtUp'>): void;
  /** Last metrics if the thread is busy; `null` if it never answered. */
  look(): Promise<BackgroundMetrics | null>;
  wake(topic: WakeTopic): void;
  /** Stops new work, but keeps the read tables current. */
  stopWork(): void;
  stop(): Promise<void>;
}

const SNAPSHOT_TIMEOUT_MS = 500;

/**
 * @param script runs {@link runBackground}
 * @throws BackgroundEnded out of the event loop if the thread ends by itself
 */
export const startBackgroundThread = (script: URL, data: BackgroundData): BackgroundThread => {
  const thread = new Worker(script, { workerData: data });
  const send = (message: ToBackground): void => thread.postMessage(message);
  let isStopping = false;
  const waking = new Set<WakeTopic>();
  let forwardTo: Pick<ProjectionProgress, 'advance' | 'caughtUp'> | null = null;
  let seen: BackgroundMetrics | null = null;
  let looking: Promise<void> | null = null;
  let hasLooked: () => void = () => undefined;
  const ended = once(thread, 'exit');

  thread.on('message', (message: FromBackground) => {
    if (message.kind === 'advanced') forwardTo?.advance(message.position, message.epoch);
    else if (message.kind === 'caught-up') forwardTo?.caughtUp();
    else {
      const busySeconds = thread.performance.eventLoopUtilization().active / 1000;
      if (message.snapshot !== null) seen = { ...message.snapshot, busySeconds };
      looking = null;
      hasLooked();
    }
  });
  thread.on('error', (cause) => {
    throw new BackgroundEnded('The background thread ended in a fault.', { cause });
  });
  thread.on('exit', () => {
    if (!isStopping) throw new BackgroundEnded('The background thread ended.');
  });

  return {
    start(stores, progress) {
      forwardTo = progress;
      send({ kind: 'start', stores });
    },
    async look() {
      if (looking === null) {
        looking = new Promise((resolve) => {
          hasLooked = resolve;
        });
        send({ kind: 'look' });
      }
      await withTimeout(SNAPSHOT_TIMEOUT_MS, looking);
      return seen;
    },
    wake(topic) {
      waking.add(topic);
      // Sends one message for all calls in one event loop iteration.
      if (waking.size > 1) return;
      setImmediate(() => {
        send({ kind: 'wake', topics: [...waking] });
        waking.clear();
      });
    },
    stopWork: () => send({ kind: 'stop-work' }),
    async stop() {
      isStopping = true;
      send({ kind: 'stop' });
      await ended;
    },
  };
};
