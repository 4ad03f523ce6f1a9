import type { QueuedCourses } from '../../domain/ingestion/ports.ts';

/** Courses that a worker gets through in a second when it is slow; callers should not come early. */
const COURSES_PER_SECOND = 300;
const ASK_EVERY_MS = 1_000;

/**
 * Whole seconds, at least 1, after which a submission taken now is worth asking for: the length of
 * the queue as of about a second ago, at the pace of a slow worker.
 */
export const queueWaitOf = (queuedCourses: QueuedCourses): (() => number) => {
  let courses = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - askedAt > ASK_EVERY_MS) {
      askedAt = performance.now();
      // Without an answer the last one stands: this is advice, not a promise.
      queuedCourses().then(
        (counted) => {
          courses = counted;
        },
        () => undefined,
      );
    }
    return Math.max(1, Math.ceil(courses / COURSES_PER_SECOND));
  };
};
