import type { CountQueued, QueueContent } from '../../domain/submission/ports.ts';

/** Size of the queue, counted about once a second. */
export interface QueueLoad {
  /** Seconds until the receipt of a submission accepted now should be ready, at least 1, for a slow worker. */
  retryAfterSeconds(): number;
  /**
   * True if the queue has reached its configured limits, because the log or the workers have been
   * unavailable for long. Waits for the first count, and never refuses because of an old one.
   * @throws a database fault if the queue was never counted
   */
  isFull(): Promise<boolean>;
}

/** Courses per second that a slow worker processes; clients should not poll early. */
const COURSES_PER_SECOND = 300;
/** A full queue visibly drains, so clients need not wait for all of it. */
const MAX_WAIT_SECONDS = 60;
const COUNT_INTERVAL_MS = 1_000;
/** Counting a deep queue is slow: the rest between counts is this many times as long as a count. */
const REST_PER_COUNT = 20;

/**
 * @param most limits of the queue
 * @see QueueLoad
 */
export const createQueueLoad = (countQueued: CountQueued, most: QueueContent): QueueLoad => {
  let content: QueueContent | null = null;
  let counting: Promise<void> | null = null;
  let countAfter = Number.NEGATIVE_INFINITY;
  const count = async (): Promise<void> => {
    const asked = performance.now();
    try {
      content = await countQueued();
    } finally {
      counting = null;
      const tookMs = performance.now() - asked;
      countAfter = performance.now() + Math.max(COUNT_INTERVAL_MS, REST_PER_COUNT * tookMs);
    }
  };
  /** Starts a count if one is due. */
  const look = (): void => {
    if (counting !== null || (content !== null && performance.now() <= countAfter)) return;
    counting = count();
    // Callers that wait for the count get its fault; for others the last count remains valid.
    counting.catch(() => undefined);
  };
  const isFull = (): boolean =>
    content !== null && (content.courses >= most.courses || content.bytes >= most.bytes);
  return {
    retryAfterSeconds: () => {
      look();
      const seconds = Math.max(1, Math.ceil((content?.courses ?? 0) / COURSES_PER_SECOND));
      return isFull() ? Math.min(seconds, MAX_WAIT_SECONDS) : seconds;
    },
    isFull: async () => {
      look();
      if (content === null) await counting;
      else if (isFull()) await counting?.catch(() => undefined);
      return isFull();
    },
  };
};
