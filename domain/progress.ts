/** Progress of a long task. */
export interface Progress {
  /** Heading: "Rebuilding the read tables". */
  readonly work: string;
  readonly done: number;
  readonly total: number;
  /** Counted unit: "events", "bytes". */
  readonly unit: string;
  /** True if the total is an estimate. */
  readonly isEstimate: boolean;
}

/** A rebuild of the read tables that is under way. */
export interface Rebuild {
  /** `compare`: it only checks the live tables. */
  readonly purpose: 'swap' | 'compare';
  readonly phase: 'events' | 'indexes' | 'comparing';
  readonly events: number;
  /** About how many events there are in all. */
  readonly total: number;
  readonly startedAt: Date;
}

/** Called repeatedly while the task runs. */
export type ReportProgress = (progress: Progress) => void;

/** Speed of a task, and the time it has left. */
export interface Pace {
  /** Of the whole, from 0 to 1. */
  readonly share: number;
  readonly perSecond: number;
  /** Null: nothing is done yet, so it is not known. */
  readonly secondsLeft: number | null;
}

/** @param elapsedSeconds since the work began */
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
 * Progress of a reader of the log. Events are not counted ahead: their number is estimated from the
 * share of the positions that lies behind.
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
