import type { AppendHealth } from '../../domain/event-log.ts';
import type { ServiceLog } from '../process/logging.ts';
import { clockWarning, SAYS } from './readiness.ts';

const POLL_INTERVAL_MS = 5_000;
/** Change of the difference after which the warning is repeated. */
const CLOCK_CHANGE_MS = 500;

/**
 * Logs when appends begin to fail, when the clocks differ, and when either is over.
 * @returns function to call with the current append health
 */
export const createAppendHealthLog = (serviceLog: Pick<ServiceLog, 'warn' | 'info'>) => {
  let wasFailing = false;
  let warnedOfMs: number | null = null;
  return ({ failingSince, isDenied, clock }: AppendHealth): void => {
    const isFailing = failingSince !== null;
    if (isFailing && !wasFailing)
      serviceLog.warn(SAYS[isDenied ? 'appends-denied' : 'appends-failing']);
    if (!isFailing && wasFailing)
      serviceLog.info(
        'No append to the event log has failed in the last minute, or one succeeded.',
      );
    wasFailing = isFailing;

    const warning = clockWarning(clock);
    if (clock === null || warning === null) {
      if (warnedOfMs !== null)
        serviceLog.info('The clocks of this machine and of the event log agree again.');
      warnedOfMs = null;
    } else if (warnedOfMs === null || Math.abs(clock.aheadMs - warnedOfMs) >= CLOCK_CHANGE_MS) {
      serviceLog.warn(warning.says);
      warnedOfMs = clock.aheadMs;
    }
  };
};

/** Logs changes of the append health, checked every few seconds. @returns function that stops it */
export const startLoggingAppendHealth = (
  health: () => Promise<AppendHealth>,
  serviceLog: ServiceLog,
): (() => void) => {
  const log = createAppendHealthLog(serviceLog);
  const timer = setInterval(() => void health().then(log), POLL_INTERVAL_MS);
  return () => clearInterval(timer);
};
