import type { QueueEntry } from '../../domain/submission/queue-entry.ts';
import { formatProgress, LOGGED_EVERY_MS } from '../process/progress-messages.ts';

/** Called after each step. */
export type NoteProgress = (
  entry: Pick<QueueEntry, 'ingestionId' | 'correlationId' | 'courses'>,
  done: number,
) => void;

const MAX_IN_FLIGHT = 100;
const MS_PER_SECOND = 1_000;

/**
 * An ingestion taken over from another process is logged from there on.
 * @param nowMs a monotonic clock
 */
export const logLargeWork = (
  log: (line: string, correlationId: string) => void,
  nowMs: () => number,
): NoteProgress => {
  const inProgress = new Map<string, { readonly beganMs: number; loggedMs: number }>();
  return ({ ingestionId, correlationId, courses }, done) => {
    const now = nowMs();
    const timing = inProgress.get(ingestionId);
    if (done >= courses) inProgress.delete(ingestionId);
    else if (timing === undefined) {
      // Failed ingestions, and those another process took over, would never be removed.
      if (inProgress.size >= MAX_IN_FLIGHT) inProgress.clear();
      inProgress.set(ingestionId, { beganMs: now, loggedMs: now });
    } else if (now - timing.loggedMs >= LOGGED_EVERY_MS) {
      timing.loggedMs = now;
      const progress = { work: 'Processing', done, total: courses, unit: 'records' };
      const elapsedSeconds = (now - timing.beganMs) / MS_PER_SECOND;
      log(`${formatProgress({ ...progress, isEstimate: false }, elapsedSeconds)}.`, correlationId);
    }
  };
};
