import type { ReadRecent } from '../../domain/event-log.ts';
import { findStreamAsSent, useChartNumberAsSent } from '../../domain/submission/decide-item.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import { findLastKnown } from '../writes/find-last-known.ts';

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
      const last = await findLastKnown(readRecent, stream);
      return last === undefined ? queued : useChartNumberAsSent(queued);
    }),
  );
};
