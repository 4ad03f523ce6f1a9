import type { AppendHealth } from '../../domain/event-log.ts';
import type { ServiceLog } from '../process/logging.ts';
import { clockWarning, findAppendFailure, type ReasonCode, SAYS } from './readiness.ts';

const POLL_INTERVAL_MS = 15_000;
/** Change of the clock difference after which the warning is repeated. */
const CLOCK_CHANGE_MS = 500;

/** @returns function to call with the current append health */
export const createAppendHealthLog = (serviceLog: Pick<ServiceLog, 'warn' | 'info'>) => {
  let said: ReasonCode | null = null;
  let warnedOfMs: number | null = null;
  return (appends: AppendHealth): void => {
    const { clock } = appends;
    const failure = findAppendFailure(appends);
    if (failure !== null && failure !== said) serviceLog.warn(SAYS[failure]);
    if (failure === null && said !== null)
      serviceLog.info(
        'No append to the event log has failed in the last minute, or one succeeded.',
      );
    said = failure;

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

/** @returns function that stops the logging */
export const startLoggingAppendHealth = (
  health: () => Promise<AppendHealth>,
  serviceLog: ServiceLog,
): (() => void) => {
  const log = createAppendHealthLog(serviceLog);
  const timer = setInterval(() => void health().then(log), POLL_INTERVAL_MS);
  return () => clearInterval(timer);
};
