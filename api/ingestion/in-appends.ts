import type { Fact } from '../../domain/event-log.ts';

/** Half of the maximum size of an append (1 MiB); the other half is for the outcomes of a whole chunk. */
const MAX_BYTES = 512 * 1024;

/**
 * Splits events into as few appends as possible, in order. Without it, the outcomes of 200 rejected
 * rows in Chinese would exceed one append and fail the whole import.
 */
export const splitAppends = <E extends Fact>(events: readonly E[]): readonly (readonly E[])[] => {
  const appends: E[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const own = Buffer.byteLength(JSON.stringify(event.data));
    const last = appends.at(-1);
    if (last !== undefined && bytes + own <= MAX_BYTES) {
      last.push(event);
      bytes += own;
    } else {
      appends.push([event]);
      bytes = own;
    }
  }
  return appends;
};
