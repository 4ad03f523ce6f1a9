import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { acquirePracticeLease, practiceLeaseName } from '../writes/practice-lease.ts';
import { createBatchRecords } from './batch-records.ts';
import { ingestBatch, MAX_ENTRIES, nextBatch } from './ingest-batch.ts';
import type { PracticeBatch } from './practice-batch.ts';
import type { WorkerPorts } from './worker-ports.ts';

/** Appends of a turn under way together: what others append does not wait behind a whole batch. */
const MAX_CONCURRENT_APPENDS = 256;
/** Ingestions seen through that the read tables may not show yet: each look at the queue leaves them out. */
const MAX_NOT_YET_PROJECTED = 1_000;
/** An idle turn looks for more work so many times before it is given back, and how long between. */
const MAX_IDLE_POLLS = 4;
const IDLE_POLL_INTERVAL_MS = 10;

/** How a turn ended: not begun, because another has it; given away because another holder waits for it; or done. */
export type BatchEnd = 'held' | 'gave-way' | 'done';

/**
 * Works off the queue of one practice until another holder wants its turn.
 * @param skipIfRequested does not take the turn while another holder waits for it
 * @param isTimeUp says after a batch whether other practices have waited long enough
 */
export const processPracticeQueue = async (
  practiceId: string,
  holder: string,
  registry: WorkerPorts,
  skipIfRequested: boolean,
  isStopping: () => boolean,
  isTimeUp: () => boolean,
): Promise<BatchEnd> => {
  const name = practiceLeaseName(practiceId);
  const taken = await registry.leases.take(name, holder, skipIfRequested);
  if (taken === null) return 'held';
  registry.afterStep('turn-taken');

  const lease = acquirePracticeLease(taken, registry);
  let isSettled = !taken.seized;
  let isRequested = false;
  const oneOfFew = pLimit(MAX_CONCURRENT_APPENDS);
  const append: PracticeBatch['append'] = (...asked) => oneOfFew(() => lease.append(...asked));
  const records = createBatchRecords(registry, append, lease.renew);

  const practiceBatch: PracticeBatch = {
    registry,
    records,
    append,
    noteDone: (ingestionId, position = lease.highest()) =>
      registry.completedIngestions.note(ingestionId, position),
    isSettled: () => isSettled,
    settle: async () => {
      // A holder that is gone may have written what no read table shows yet: once our own latest
      // append is projected, everything before it is too.
      if (isSettled) return;
      await lease.reach();
      isSettled = true;
      registry.afterStep('projection-reached');
    },
    renew: lease.renew,
    isOver: async () => {
      if (isStopping() || isTimeUp()) return true;
      isRequested = await registry.leases.isRequested(name, holder);
      return isRequested;
    },
    trim: async () => {
      const isLarge = records.isLarge();
      if (!isLarge && registry.completedIngestions.unprojected().length <= MAX_NOT_YET_PROJECTED)
        return;
      // Once projected, what was done is not picked again, and records can be loaded again.
      await lease.reach();
      if (isLarge) records.forget();
    },
  };

  let hasIngested = false;
  let isClean = false;
  try {
    await lease.reach();
    await lease.renew();
    registry.afterStep('projection-reached');
    let idlePolls = 0;
    while (!isStopping()) {
      await registry.intakePriority.yieldToIntake();
      const entries = await registry.queue.pick(
        practiceId,
        registry.completedIngestions.unprojected(),
        MAX_ENTRIES,
      );
      if (entries.length === 0) {
        if (!hasIngested || idlePolls >= MAX_IDLE_POLLS) break;
        idlePolls += 1;
        // Once could be a pause between two callers.
        if (idlePolls > 1) registry.progress.cancelLinger();
        await sleep(IDLE_POLL_INTERVAL_MS);
        continue;
      }
      idlePolls = 0;
      hasIngested = true;
      await lease.renew();
      if (await ingestBatch(nextBatch(entries), practiceBatch)) break;
      await practiceBatch.trim();
    }
    isClean = true;
  } finally {
    await lease.release(isClean && isSettled);
    registry.afterStep('turn-released');
  }
  return isRequested ? 'gave-way' : 'done';
};
