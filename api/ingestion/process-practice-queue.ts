import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { acquirePracticeLease, practiceLeaseName } from '../writes/practice-lease.ts';
import { createBatchRecords } from './batch-records.ts';
import { ingestBatch, MAX_ENTRIES, nextBatch } from './ingest-batch.ts';
import type { PracticeBatch } from './practice-batch.ts';
import type { WorkerPorts } from './worker-ports.ts';

/** Appends of a turn under way together: what others append does not wait behind a whole batch. */
const APPENDS_AT_ONCE = 256;
/** Ingestions seen through that the read tables may not show yet: each look at the queue leaves them out. */
const MAX_NOT_YET_PROJECTED = 1_000;
/** An idle turn looks for more work so many times before it is given back, and how long between. */
const IDLE_LOOKS = 4;
const IDLE_LOOK_MS = 10;

/** How a turn ended: not begun, because another has it; given away because another holder waits for it; or done. */
export type BatchEnd = 'held' | 'gave-way' | 'done';

/**
 * Works off the queue of one practice until another holder wants its turn.
 * @param givesWay does not take the turn while another holder waits for it
 * @param isTimeUp says after a batch whether other practices have waited long enough
 */
export const processPracticeQueue = async (
  practiceId: string,
  holder: string,
  registry: WorkerPorts,
  givesWay: boolean,
  isStopping: () => boolean,
  isTimeUp: () => boolean,
): Promise<BatchEnd> => {
  const name = practiceLeaseName(practiceId);
  const taken = await registry.leases.take(name, holder, givesWay);
  if (taken === null) return 'held';
  registry.afterStep('turn-taken');

  const lease = acquirePracticeLease(taken, registry);
  let isSettled = !taken.seized;
  let isRequested = false;
  const oneOfFew = pLimit(APPENDS_AT_ONCE);
  const append: PracticeBatch['append'] = (...asked) => oneOfFew(() => lease.append(...asked));
  const records = createBatchRecords(registry, append, lease.renew);

  const turn: PracticeBatch = {
    registry,
    records,
    append,
    noteDone: (ingestionId, position = lease.highest()) =>
      registry.seenThrough.note(ingestionId, position),
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
      if (!isLarge && registry.seenThrough.notShown().length <= MAX_NOT_YET_PROJECTED) return;
      // Once projected, what was done is not picked again, and records can be loaded again.
      await lease.reach();
      if (isLarge) records.forget();
    },
  };

  let worked = false;
  let isClean = false;
  try {
    await lease.reach();
    await lease.renew();
    registry.afterStep('projection-reached');
    let idleLooks = 0;
    while (!isStopping()) {
      await registry.doorFirst.yieldToIntake();
      const entries = await registry.queue.pick(
        practiceId,
        registry.seenThrough.notShown(),
        MAX_ENTRIES,
      );
      if (entries.length === 0) {
        if (!worked || idleLooks >= IDLE_LOOKS) break;
        idleLooks += 1;
        // Once could be a pause between two callers.
        if (idleLooks > 1) registry.progress.endRest();
        await sleep(IDLE_LOOK_MS);
        continue;
      }
      idleLooks = 0;
      worked = true;
      await lease.renew();
      if (await ingestBatch(nextBatch(entries), turn)) break;
      await turn.trim();
    }
    isClean = true;
  } finally {
    await lease.release(isClean && isSettled);
    registry.afterStep('turn-released');
  }
  return isRequested ? 'gave-way' : 'done';
};
