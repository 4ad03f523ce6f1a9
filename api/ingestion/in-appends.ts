import type { Fact } from '../../domain/event-log.ts';

/** Half of what an append may hold (1 MiB): the outcomes of a whole chunk fit into the other half. */
const MAX_BYTES = 512 * 1024;

/**
 * Events in as few appends as hold them, in their order. Outcomes of 200 refused rows of a spreadsheet
 * in Chinese are more than one append may hold, and would have failed the whole import.
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
