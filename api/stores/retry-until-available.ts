import { setTimeout as sleep } from 'node:timers/promises';
import { EventLogAccessDenied } from '../../domain/event-log-errors.ts';
import { findUnavailableStore, isOutage } from '../ports/outage.ts';
import { buildFaultNote, type ServiceLog } from '../process/logging.ts';

const TRY_AGAIN_MS = 1_000;

/**
 * Opens what an outage keeps closed, again and again until it is over.
 * @param onAway told which store is away, at each try
 * @returns null: the signal came first
 */
export const retryUntilAvailable = async <T>(
  open: () => Promise<T>,
  serviceLog: ServiceLog,
  signal: AbortSignal,
  onAway: (store: ReturnType<typeof findUnavailableStore>) => void = () => undefined,
): Promise<T | null> => {
  while (!signal.aborted) {
    try {
      return await open();
    } catch (error) {
      // An account that is refused from the beginning is a mistake in a setting.
      if (!isOutage(error) || error instanceof EventLogAccessDenied) throw error;
      onAway(findUnavailableStore(error));
      serviceLog.warn(buildFaultNote(error), 'The log or the database is away; trying again.');
      await sleep(TRY_AGAIN_MS);
    }
  }
  return null;
};
