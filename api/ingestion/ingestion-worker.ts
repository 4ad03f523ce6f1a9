import { randomUUID } from 'node:crypto';
import { processPracticeQueue } from './process-practice-queue.ts';
import type { WorkerPorts } from './worker-ports.ts';

export interface IngestionWorker {
  wake(): void;
  stop(): Promise<void>;
}

const CATCH_UP_TIMEOUT_MS = 1_000;
const MIN_POLL_INTERVAL_MS = 15;
const MAX_CONCURRENT_BATCHES = 4;
const FAULT_PAUSE_MS = 400;
const QUEUE_FAULT_PAUSE_MS = 1_000;
const LEASE_PAUSE_MS = 100;
/**
 * Lets requesters of a released lease go first: on a busy machine the worker would take it again.
 */
const YIELD_MS = 2_000;
/** Applies while other practices wait for a worker slot. */
const MAX_BATCH_MS = 2_000;

/**
 * Runs several practices concurrently, each under its own lease.
 * @param pollMs time after which to look for work without having been woken
 */
export const startIngestionWorker = (
  ports: WorkerPorts,
  pollMs: () => number,
  onFault: (error: unknown) => void,
): IngestionWorker => {
  let isStopping = false;
  let isAwake = false;
  let wakeUp: () => void = () => undefined;
  let areOthersWaiting = false;
  const running = new Map<string, Promise<void>>();
  const pausedUntil = new Map<string, number>();
  const yieldsUntil = new Map<string, number>();

  const wake = () => {
    isAwake = true;
    wakeUp();
  };

  /** @param ms minimum unless stopped; then the rest ends on a wakeup or the next poll */
  const rest = async (ms: number): Promise<void> => {
    await sleepUntil(ms, () => isStopping);
    if (isAwake || isStopping) return;
    const now = performance.now();
    const soonest = Math.min(pollMs(), ...[...pausedUntil.values()].map((until) => until - now));
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

  const processPractice = async (practiceId: string): Promise<void> => {
    const began = performance.now();
    const isTimeUp = () => areOthersWaiting && performance.now() - began > MAX_BATCH_MS;
    try {
      const skipIfRequested = began < (yieldsUntil.get(practiceId) ?? 0);
      const isOver = () => isStopping;
      const end = await processPracticeQueue(
        practiceId,
        randomUUID(),
        ports,
        skipIfRequested,
        isOver,
        isTimeUp,
      );
      if (end === 'lease-unavailable') pause(practiceId, LEASE_PAUSE_MS);
      else if (end === 'yielded') yieldsUntil.set(practiceId, performance.now() + YIELD_MS);
      else yieldsUntil.delete(practiceId);
    } catch (error) {
      pause(practiceId, FAULT_PAUSE_MS);
      onFault(error);
    } finally {
      running.delete(practiceId);
      wake();
    }
  };

  const startBatches = async (): Promise<void> => {
    const now = performance.now();
    for (const [practiceId, until] of pausedUntil) if (until <= now) pausedUntil.delete(practiceId);
    const waiting = await ports.queue.practicesWithWork([...running.keys(), ...pausedUntil.keys()]);
    const places = MAX_CONCURRENT_BATCHES - running.size;
    for (const practiceId of waiting.slice(0, places))
      running.set(practiceId, processPractice(practiceId));
    areOthersWaiting = waiting.length > places;
  };

  /** After a restore from an older copy the read tables lag behind the log. */
  const catchUp = async (): Promise<void> => {
    let head: bigint | null = null;
    while (!isStopping) {
      try {
        head ??= await ports.log.head();
        await ports.progress.reach(head, CATCH_UP_TIMEOUT_MS);
        return;
      } catch (error) {
        if (!ports.isOutage(error)) onFault(error);
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
        onFault(error);
        await sleepUntil(QUEUE_FAULT_PAUSE_MS, () => isStopping);
        isAwake = true;
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
