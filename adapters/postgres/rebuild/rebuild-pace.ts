/** Tells how fast a rebuild is and how long it will take. */
export interface RebuildPace {
  /** The tables stand at this position after so many events. */
  reached(position: bigint, events: number): void;
}

const EVERY_MS = 1_000;
const MS_PER_SECOND = 1_000;
const PERCENT = 100;

/**
 * Reports at most once a second.
 * @param head position at which it will be done
 */
export const rebuildPace = (head: bigint, report: (line: string) => void): RebuildPace => {
  const started = performance.now();
  let reported = started;
  return {
    reached(position, events) {
      const now = performance.now();
      if (now - reported < EVERY_MS) return;
      reported = now;
      const seconds = (now - started) / MS_PER_SECOND;
      const share = head > 0n ? Math.min(Number(position) / Number(head), 1) : 1;
      const left = share > 0 ? Math.ceil((seconds / share) * (1 - share)) : null;
      report(
        [
          `${events} events`,
          `${Math.round(events / seconds)} per second`,
          `${Math.floor(share * PERCENT)} %`,
          ...(left === null ? [] : [`about ${left} s left`]),
        ].join(', '),
      );
    },
  };
};
