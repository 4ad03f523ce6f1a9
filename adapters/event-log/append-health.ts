import type { AppendHealth, ClockDifference } from '../../domain/event-log.ts';

/** An append of our own, and when the log says that it was stored. */
export interface TimedAppend {
  /** By our clock. */
  readonly sentAt: number;
  readonly elapsedMs: number;
  /** By the log's clock. */
  readonly storedAt: number;
}

/** The log's moment lies between sending and answer, so our clock differs by one of a range. */
export const measureClockDifference = ({
  sentAt,
  elapsedMs,
  storedAt,
}: TimedAppend): ClockDifference => ({
  aheadMs: sentAt + elapsedMs / 2 - storedAt,
  uncertaintyMs: elapsedMs / 2,
});

/** Reading an event back costs as much as a small append. */
const MEASURE_EVERY_MS = 10_000;
/** Nobody sets a clock by less, and no suspended machine sleeps for less. */
const CLOCK_STEP_MS = 250;
/** Until then a closer measurement is better than a newer one. */
const MEASUREMENT_COUNTS_MS = 60_000;
/** What gives up is tried again by the worker; a failure that is longer ago tells nothing of now. */
const FAILURE_COUNTS_MS = 60_000;

/** Watches the appends of one process. */
export const watchAppends = () => {
  let failingSince: Date | null = null;
  let lastFailureAt = 0;
  let measured: (ClockDifference & { readonly at: number; readonly wallAtStart: number }) | null =
    null;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let measuring = Promise.resolve();

  /** Whether our clock was set since it was measured, or the machine suspended. */
  const isClockStepped = (): boolean =>
    measured !== null && Math.abs(wallClockAtStart() - measured.wallAtStart) > CLOCK_STEP_MS;

  const forgetOldFailure = (): void => {
    if (performance.now() - lastFailureAt > FAILURE_COUNTS_MS) failingSince = null;
  };

  return {
    answered(): void {
      failingSince = null;
    },

    failed(): void {
      forgetOldFailure();
      lastFailureAt = performance.now();
      failingSince ??= new Date();
    },

    /**
     * Measures the clocks by an append that was just answered, unless that was done lately.
     * @param findStoredAt reads back when the log stored it; null: it was stored earlier, by another
     */
    measure(append: Omit<TimedAppend, 'storedAt'>, findStoredAt: () => Promise<Date | null>): void {
      const now = performance.now();
      if (isClockStepped()) measured = null;
      else if (now - measuredAt < MEASURE_EVERY_MS) return;
      const wallAtStart = wallClockAtStart();
      // Set while the append was under way: the next one tells.
      if (Math.abs(append.sentAt + append.elapsedMs - Date.now()) > CLOCK_STEP_MS) return;
      measuredAt = now;
      measuring = findStoredAt().then(
        (storedAt) => {
          if (storedAt === null) return;
          const found = measureClockDifference({ ...append, storedAt: storedAt.getTime() });
          const isCloser =
            measured === null ||
            now - measured.at > MEASUREMENT_COUNTS_MS ||
            found.uncertaintyMs <= measured.uncertaintyMs;
          if (isCloser) measured = { ...found, at: now, wallAtStart };
        },
        // The next append is as good.
        () => undefined,
      );
    },

    /** Settles when no measurement is under way. */
    settled: (): Promise<void> => measuring,

    health(): AppendHealth {
      forgetOldFailure();
      if (measured === null || isClockStepped()) return { failingSince, clock: null };
      const { aheadMs, uncertaintyMs } = measured;
      return { failingSince, clock: { aheadMs, uncertaintyMs } };
    },
  };
};

/** What our clock said, by its present setting, when the process started. */
const wallClockAtStart = (): number => Date.now() - performance.now();
