import type { CountQueued, QueueContent } from '../../domain/ingestion/ports.ts';

/** How much waits in the queue, as of about a second ago. */
export interface QueueLoad {
  /** Whole seconds, at least 1, after which a submission taken now is worth asking for, at the pace of a slow worker. */
  retryAfterSeconds(): number;
  /** Whether it holds as much as the settings let: the log, or who works it off, is away for long. */
  isFull(): boolean;
}

/** Courses that a worker gets through in a second when it is slow; callers should not come early. */
const COURSES_PER_SECOND = 300;
/** A full queue is seen to drain: nobody is told to wait for all of it. */
const LONGEST_WAIT_SECONDS = 60;
const ASK_EVERY_MS = 1_000;
/** Of a deep queue counting takes its time: it is asked for no more than a twentieth of it. */
const REST_PER_ASK = 20;

/** @param most what the queue may hold before nothing more is taken @see QueueLoad */
export const queueLoadOf = (countQueued: CountQueued, most: QueueContent): QueueLoad => {
  let content: QueueContent = { courses: 0, bytes: 0 };
  let askAfter = Number.NEGATIVE_INFINITY;
  const look = (): QueueContent => {
    const asked = performance.now();
    if (asked > askAfter) {
      askAfter = Number.POSITIVE_INFINITY;
      // Without an answer the last one stands.
      countQueued()
        .then(
          (counted) => {
            content = counted;
          },
          () => undefined,
        )
        .finally(() => {
          const tookMs = performance.now() - asked;
          askAfter = performance.now() + Math.max(ASK_EVERY_MS, REST_PER_ASK * tookMs);
        });
    }
    return content;
  };
  const isFullAt = ({ courses, bytes }: QueueContent) =>
    courses >= most.courses || bytes >= most.bytes;
  return {
    retryAfterSeconds: () => {
      const seconds = Math.max(1, Math.ceil(look().courses / COURSES_PER_SECOND));
      return isFullAt(content) ? Math.min(seconds, LONGEST_WAIT_SECONDS) : seconds;
    },
    isFull: () => isFullAt(look()),
  };
};
