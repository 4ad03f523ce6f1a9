export interface Progress {
  readonly work: string;
  readonly done: number;
  readonly total: number;
  readonly unit: string;
  readonly isEstimate: boolean;
}

export interface Rebuild {
  /** `compare` only checks the live tables. */
  readonly purpose: 'swap' | 'compare';
  readonly phase: 'events' | 'indexes' | 'comparing';
  readonly events: number;
  readonly total: number;
  readonly startedAt: Date;
}

export type ReportProgress = (progress: Progress) => void;

export interface Pace {
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
 * The number of events is not known in advance, so it is estimated from the share of positions read.
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
