import { randomUUID } from 'node:crypto';
import { createAttemptRefunds } from './attempt-refunds.ts';
import { processPracticeQueue } from './process-practice-queue.ts';
import type { WorkerPorts } from './worker-ports.ts';

/** Works off the queues of all practices until it is stopped. */
export interface IngestionWorker {
  /** Something may have become ready: look now instead of at the next poll. */
  wake(): void;
  /** Ends after the batches under way. */
  stop(): Promise<void>;
}

/** Work is announced; this is for what was announced while the connection for it was away. */
const POLL_MS = 1_000;
/** However often it is woken, the worker looks for work no more than this often. */
const MIN_POLL_INTERVAL_MS = 15;
const MAX_CONCURRENT_BATCHES = 4;
/** After a fault, or while another process holds the turn, a practice is left alone this long. */
const FAULT_PAUSE_MS = 400;
const HELD_PAUSE_MS = 100;
/**
 * After the worker has given a turn away, it leaves it to others who wait for so long: on a busy machine the
 * worker would be back for it before they ask again, time after time.
 */
const YIELD_MS = 2_000;
/** A turn is given back after this long when other practices wait for a place. */
const MAX_BATCH_MS = 2_000;

/**
 * Starts the worker: up to four practices at once, each in a turn of its own.
 * @param onBatchFault called with faults that end a turn; the worker goes on by itself
 */
export const startIngestionWorker = (
  registry: WorkerPorts,
  onBatchFault: (error: unknown) => void,
): IngestionWorker => {
  let isStopping = false;
  let isAwake = false;
  let wakeUp: () => void = () => undefined;
  let othersWait = false;
  const running = new Map<string, Promise<void>>();
  const pausedUntil = new Map<string, number>();
  const yieldsUntil = new Map<string, number>();
  const tries = createAttemptRefunds(registry.queue.unclaim);
  const underWay: WorkerPorts = {
    ...registry,
    queue: { ...registry.queue, unclaim: tries.refund },
  };

  const wake = () => {
    isAwake = true;
    wakeUp();
  };

  /** @param ms at least this long, unless it is stopped; then until woken or the poll is due */
  const rest = async (ms: number): Promise<void> => {
    await sleepUntil(ms, () => isStopping);
    if (isAwake || isStopping) return;
    const now = performance.now();
    const soonest = Math.min(POLL_MS, ...[...pausedUntil.values()].map((until) => until - now));
    await sleepUntil(Math.max(0, soonest), () => isAwake || isStopping);
  };

  const sleepUntil = (ms: number, isOver: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        wakeUp = () => undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      wakeUp = () => isOver() && done();
    });

  const pause = (practiceId: string, ms: number) =>
    pausedUntil.set(practiceId, performance.now() + ms);

  const batchOf = async (practiceId: string): Promise<void> => {
    const began = performance.now();
    const isTimeUp = () => othersWait && performance.now() - began > MAX_BATCH_MS;
    try {
      await tries.flush();
      const skipIfRequested = began < (yieldsUntil.get(practiceId) ?? 0);
      const isOver = () => isStopping;
      const end = await processPracticeQueue(
        practiceId,
        randomUUID(),
        underWay,
        skipIfRequested,
        isOver,
        isTimeUp,
      );
      if (end === 'held') pause(practiceId, HELD_PAUSE_MS);
      else if (end === 'gave-way') yieldsUntil.set(practiceId, performance.now() + YIELD_MS);
      else yieldsUntil.delete(practiceId);
    } catch (error) {
      pause(practiceId, FAULT_PAUSE_MS);
      onBatchFault(error);
    } finally {
      running.delete(practiceId);
      wake();
    }
  };

  const startBatches = async (): Promise<void> => {
    const now = performance.now();
    for (const [practiceId, until] of pausedUntil) if (until <= now) pausedUntil.delete(practiceId);
    const waiting = await registry.queue.practicesWithWork([
      ...running.keys(),
      ...pausedUntil.keys(),
    ]);
    const places = MAX_CONCURRENT_BATCHES - running.size;
    for (const practiceId of waiting.slice(0, places)) running.set(practiceId, batchOf(practiceId));
    othersWait = waiting.length > places;
  };

  /** A table that was restored from an older copy knows nothing of what the log holds of its queue. */
  const catchUp = async (): Promise<void> => {
    let head: bigint | null = null;
    while (!isStopping) {
      try {
        head ??= await registry.log.head();
        await registry.progress.reach(head, POLL_MS);
        return;
      } catch (error) {
        if (!registry.isOutage(error)) onBatchFault(error);
        await sleepUntil(FAULT_PAUSE_MS, () => isStopping);
      }
    }
  };

  const run = async (): Promise<void> => {
    await catchUp();
    while (!isStopping) {
      isAwake = false;
      try {
        await startBatches();
      } catch (error) {
        onBatchFault(error);
        await sleepUntil(FAULT_PAUSE_MS, () => isStopping);
      }
      await rest(MIN_POLL_INTERVAL_MS);
    }
    await Promise.all(running.values());
  };

  const working = run();
  return {
    wake,
    async stop() {
      isStopping = true;
      wakeUp();
      await working;
    },
  };
};
