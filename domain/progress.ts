/** Progress of a long-running task. */
export interface Progress {
  /** Label, such as "Rebuilding the read tables". */
  readonly work: string;
  readonly done: number;
  readonly total: number;
  /** Unit of the counts, such as "events" or "bytes". */
  readonly unit: string;
  /** True if the total is an estimate. */
  readonly isEstimate: boolean;
}

/** Rebuild of the read tables in progress. */
export interface Rebuild {
  /** `compare` only checks the live tables. */
  readonly purpose: 'swap' | 'compare';
  readonly phase: 'events' | 'indexes' | 'comparing';
  readonly events: number;
  /** Estimated number of events in the log. */
  readonly total: number;
  readonly startedAt: Date;
}

/** Called repeatedly while the task runs. */
export type ReportProgress = (progress: Progress) => void;

/** Speed of a task, and its remaining time. */
export interface Pace {
  /** Completed share, from 0 to 1. */
  readonly share: number;
  readonly perSecond: number;
  /** `null` if unknown because nothing is done yet. */
  readonly secondsLeft: number | null;
}

/** @param elapsedSeconds since the task started */
export const computePace = (
  { done, total }: Pick<Progress, 'done' | 'total'>,
  elapsedSeconds: number,
): Pace => {
  const share = total > 0 ? Math.min(Math.max(done / total, 0), 1) : 1;
  return {
    share,
    perSecond: elapsedSeconds > 0 ? done / elapsedSeconds : 0,
    secondsLeft: share > 0 ? (elapsedSeconds / share) * (1 - share) : null,
  };
};

/**
 * Progress of reading the log. The number of events is not known in advance, so the total is estimated from
 * the share of positions read so far.
 * @param head position of the last event
 */
export const eventsAt = (
  position: bigint,
  events: number,
  head: bigint,
): Omit<Progress, 'work'> => {
  const share = head > 0n ? Math.min(Math.max(Number(position) / Number(head), 0), 1) : 1;
  const total = share > 0 ? Math.max(Math.round(events / share), events) : events;
  return { done: events, total, unit: 'events', isEstimate: share < 1 };
};
