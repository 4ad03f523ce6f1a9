import type { ReadStream } from '../../domain/event-log.ts';
import { findStreamAsSent, useChartNumberAsSent } from '../../domain/submission/decide-item.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';

/**
 * Leads courses whose chart number lost invisible characters to the records that are under it as it was
 * sent: those from before such characters were dropped. No new record comes to be under one.
 */
export const settleChartNumbers = async (
  courses: readonly QueuedItem[],
  readStream: ReadStream,
): Promise<readonly QueuedItem[]> => {
  if (courses.every((queued) => findStreamAsSent(queued) === null)) return courses;
  return Promise.all(
    courses.map(async (queued) => {
      const stream = findStreamAsSent(queued);
      if (stream === null) return queued;
      return (await readStream(stream)).length > 0 ? useChartNumberAsSent(queued) : queued;
    }),
  );
};
