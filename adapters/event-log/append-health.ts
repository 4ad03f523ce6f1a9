import type { AppendHealth, ClockDifference } from '../../domain/event-log.ts';

export interface TimedAppend {
  /** On our clock. */
  readonly sentAt: number;
  readonly elapsedMs: number;
  /** On the log's clock. */
  readonly storedAt: number;
}

/** Known only as a range, because the event was stored between request and response. */
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
/** Clock corrections and suspends are longer than this. */
const CLOCK_STEP_MS = 250;
/** Within this period, a more precise measurement beats a newer one. */
const MEASUREMENT_COUNTS_MS = 60_000;
/** The worker retries failed appends, so an older failure does not reflect the current state. */
const FAILURE_COUNTS_MS = 60_000;

export const watchAppends = () => {
  let failingSince: Date | null = null;
  let lastFailureAt = 0;
  let cause: AppendHealth['cause'];
  let measured: (ClockDifference & { readonly at: number; readonly wallAtStart: number }) | null =
    null;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let measuring = Promise.resolve();

  /** True if our clock was changed since the measurement, or the machine was suspended. */
  const isClockStepped = (): boolean =>
    measured !== null && Math.abs(wallClockAtStart() - measured.wallAtStart) > CLOCK_STEP_MS;

  const measureNext = (): void => {
    measuredAt = Number.NEGATIVE_INFINITY;
  };

  const forgetOldFailure = (): void => {
    if (performance.now() - lastFailureAt > FAILURE_COUNTS_MS) failingSince = null;
  };

  return {
    answered(): void {
      failingSince = null;
    },

    /** The log is known to be ours. */
    confirmed(): void {
      if (cause === 'unconfirmed') failingSince = null;
    },

    /** @param why absent if the state of the log is the cause */
    failed(why?: AppendHealth['cause']): void {
      forgetOldFailure();
      lastFailureAt = performance.now();
      cause = why;
      failingSince ??= new Date();
    },

    /** At most every few seconds. @param findStoredAt `null` if an earlier append stored it */
    measure(append: Omit<TimedAppend, 'storedAt'>, findStoredAt: () => Promise<Date | null>): void {
      const now = performance.now();
      if (isClockStepped()) {
        measured = null;
        measureNext();
      }
      if (now - measuredAt < MEASURE_EVERY_MS) return;
      const wallAtStart = wallClockAtStart();
      // The clock changed during the append, so leave the measurement to the next one.
      if (Math.abs(append.sentAt + append.elapsedMs - Date.now()) > CLOCK_STEP_MS) return;
      measuredAt = now;
      measuring = findStoredAt().then((storedAt) => {
        if (storedAt === null) return measureNext();
        const found = measureClockDifference({ ...append, storedAt: storedAt.getTime() });
        const isCloser =
          measured === null ||
          now - measured.at > MEASUREMENT_COUNTS_MS ||
          found.uncertaintyMs <= measured.uncertaintyMs;
        if (isCloser) measured = { ...found, at: now, wallAtStart };
      }, measureNext);
    },

    settled: (): Promise<void> => measuring,

    health(): AppendHealth {
      forgetOldFailure();
      const failure = {
        failingSince,
        ...(failingSince !== null && cause !== undefined && { cause }),
      };
      if (measured === null || isClockStepped()) return { ...failure, clock: null };
      const { aheadMs, uncertaintyMs } = measured;
      return { ...failure, clock: { aheadMs, uncertaintyMs } };
    },
  };
};

/** Time at which the process started, by the current setting of our clock. */
const wallClockAtStart = (): number => Date.now() - performance.now();
