import { setTimeout as sleep } from 'node:timers/promises';
import { acquirePracticeLease, practiceLeaseName } from '../writes/practice-lease.ts';
import { createBatchRecords } from './batch-records.ts';
import { ingestBatch, MAX_ENTRIES, nextBatch } from './ingest-batch.ts';
import { type PracticeBatch, trimMemory } from './practice-batch.ts';
import type { WorkerPorts } from './worker-ports.ts';

/** Every poll of the queue excludes these. */
const MAX_IDLE_POLLS = 4;
const IDLE_POLL_INTERVAL_MS = 10;

export type BatchEnd = 'lease-unavailable' | 'yielded' | 'done';

/**
 * @param skipIfRequested does not take the lease while another process waits for it
 * @param isTimeUp checked after each batch; true if other practices have waited long enough
 */
export const processPracticeQueue = async (
  practiceId: string,
  holder: string,
  ports: WorkerPorts,
  skipIfRequested: boolean,
  isStopping: () => boolean,
  isTimeUp: () => boolean,
): Promise<BatchEnd> => {
  const name = practiceLeaseName(practiceId);
  const taken = await ports.leases.takeForReads(
    name,
    holder,
    ports.progress.observe,
    skipIfRequested,
  );
  if (taken === null) return 'lease-unavailable';
  ports.afterStep('turn-taken');

  const lease = acquirePracticeLease(taken, ports);
  let isRequested = false;
  const practiceBatch: PracticeBatch = {
    ports,
    lease,
    records: createBatchRecords(ports, lease.append, lease.renew),
    isSettled: false,
    isOver: async () => {
      if (isStopping() || isTimeUp()) return true;
      isRequested = await ports.leases.isRequested(name, holder);
      return isRequested;
    },
  };

  let hasIngested = false;
  let isClean = false;
  try {
    practiceBatch.isSettled = !(await lease.isSeized());
    await lease.reach();
    await lease.renew();
    ports.afterStep('projection-reached');
    let idlePolls = 0;
    while (!isStopping()) {
      const entries = await ports.queue.pick(
        practiceId,
        ports.completedIngestions.listUnprojected(),
        MAX_ENTRIES,
      );
      if (entries.length === 0) {
        if (!hasIngested || idlePolls >= MAX_IDLE_POLLS) break;
        idlePolls += 1;
        // A single empty poll may be a gap between two requests.
        if (idlePolls > 1) ports.progress.cancelLinger();
        await sleep(IDLE_POLL_INTERVAL_MS);
        continue;
      }
      idlePolls = 0;
      hasIngested = true;
      await lease.renew();
      if (await ingestBatch(nextBatch(entries), practiceBatch)) break;
      await trimMemory(practiceBatch);
    }
    isClean = true;
  } finally {
    await lease.release(isClean && practiceBatch.isSettled);
    ports.afterStep('turn-released');
  }
  return isRequested ? 'yielded' : 'done';
};
