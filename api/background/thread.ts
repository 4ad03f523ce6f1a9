import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ProjectionProgress } from '../../adapters/postgres/projector/projection-progress.ts';
import type { BackgroundMetrics } from '../health/metrics.ts';
import { withTimeout } from '../process/with-timeout.ts';
import type { AttachedStores } from '../stores/stores.ts';
import type { BackgroundData, FromBackground, ToBackground } from './messages.ts';

/** The background thread ended unasked. */
export class BackgroundEnded extends Error {
  override readonly name = 'BackgroundEnded';
}

/**
 * The thread that works behind the door: on a core of its own, so that a request does not wait for
 * the work of others.
 */
export interface BackgroundThread {
  /** Lets it begin. @param progress told how far the read tables are */
  start(stores: AttachedStores, progress: Pick<ProjectionProgress, 'advance' | 'caughtUp'>): void;
  /** What it counts, as of now, or of the last time that it answered; null: never yet. */
  look(): Promise<BackgroundMetrics | null>;
  /** Something was queued. */
  wake(): void;
  /** It takes no more work, and still keeps the read tables up. */
  stopWork(): void;
  /** Ends it after what is under way. */
  stop(): Promise<void>;
}

/** A thread in the middle of something long is shown as it was. */
const LOOK_WITHIN_MS = 500;

/**
 * Starts the thread; it loads what it needs while the stores are opened.
 * @param script runs {@link runBackground}
 * @throws BackgroundEnded out of the event loop when it ends by itself: then its work is not done
 */
export const startBackgroundThread = (script: URL, data: BackgroundData): BackgroundThread => {
  const thread = new Worker(script, { workerData: data });
  const tell = (message: ToBackground): void => thread.postMessage(message);
  let isStopping = false;
  let isWaking = false;
  let told: Pick<ProjectionProgress, 'advance' | 'caughtUp'> | null = null;
  let seen: BackgroundMetrics | null = null;
  let looking: Promise<void> | null = null;
  let hasLooked: () => void = () => undefined;
  const ended = once(thread, 'exit');

  thread.on('message', (message: FromBackground) => {
    if (message.kind === 'advanced') told?.advance(message.position, message.epoch);
    else if (message.kind === 'caught-up') told?.caughtUp();
    else {
      const busySeconds = thread.performance.eventLoopUtilization().active / 1000;
      if (message.snapshot !== null) seen = { ...message.snapshot, busySeconds };
      looking = null;
      hasLooked();
    }
  });
  thread.on('error', (cause) => {
    throw new BackgroundEnded('The thread behind the door ended in a fault.', { cause });
  });
  thread.on('exit', () => {
    if (!isStopping) throw new BackgroundEnded('The thread behind the door ended.');
  });

  return {
    start(stores, progress) {
      told = progress;
      tell({ kind: 'start', stores });
    },
    async look() {
      if (looking === null) {
        looking = new Promise((resolve) => {
          hasLooked = resolve;
        });
        tell({ kind: 'look' });
      }
      await withTimeout(LOOK_WITHIN_MS, looking);
      return seen;
    },
    wake() {
      // Once for all that comes in one go.
      if (isWaking) return;
      isWaking = true;
      setImmediate(() => {
        isWaking = false;
        tell({ kind: 'queued' });
      });
    },
    stopWork: () => tell({ kind: 'stop-work' }),
    async stop() {
      isStopping = true;
      tell({ kind: 'stop' });
      await ended;
    },
  };
};
