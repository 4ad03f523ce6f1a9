import { isKnown, type ReadRecent } from '../../domain/event-log.ts';
import { findStreamAsSent, useChartNumberAsSent } from '../../domain/submission/decide-item.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';

/** Events of other programs may follow ours. */
const SEARCHED = 20;

/**
 * Directs courses to existing records stored under the chart number as sent, before we removed
 * invisible characters from it. New records always use the cleaned number.
 */
export const settleChartNumbers = async (
  courses: readonly QueuedItem[],
  readRecent: ReadRecent,
): Promise<readonly QueuedItem[]> => {
  if (courses.every((queued) => findStreamAsSent(queued) === null)) return courses;
  return Promise.all(
    courses.map(async (queued) => {
      const stream = findStreamAsSent(queued);
      if (stream === null) return queued;
      const held = (await readRecent(stream, SEARCHED)).some(isKnown);
      return held ? useChartNumberAsSent(queued) : queued;
    }),
  );
};
