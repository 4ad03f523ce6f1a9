import type { CountQueued, QueueContent } from '../../domain/submission/ports.ts';

/** How much waits in the queue, as of about a second ago. */
export interface QueueLoad {
  /** Whole seconds, at least 1, after which a submission taken now is worth asking for, at the pace of a slow worker. */
  retryAfterSeconds(): number;
  /**
   * Whether it holds as much as the settings let: the log, or who works it off, is away for long. Waits for
   * the first count, and never refuses by an old one.
   * @throws a fault of the database when the queue has never been counted
   */
  isFull(): Promise<boolean>;
}

/** Courses that a worker gets through in a second when it is slow; callers should not come early. */
const COURSES_PER_SECOND = 300;
/** A full queue is seen to drain: nobody is told to wait for all of it. */
const MAX_WAIT_SECONDS = 60;
const COUNT_INTERVAL_MS = 1_000;
/** Counting a deep queue takes long: it takes up no more than a twentieth of the time. */
const REST_PER_COUNT = 20;

/** @param most what the queue may hold before nothing more is taken @see QueueLoad */
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
  /** Begins a count if one is due. */
  const look = (): void => {
    if (counting !== null || (content !== null && performance.now() <= countAfter)) return;
    counting = count();
    // Whoever waits for it hears of its fault; else the last count stands.
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
