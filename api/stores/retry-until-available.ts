import { setTimeout as sleep } from 'node:timers/promises';
import { findDatabaseRefusal } from '../../adapters/postgres/connection/outage.ts';
import { EventLogAccessDenied } from '../../domain/event-log-errors.ts';
import { findUnavailableStore, isOutage } from '../ports/outage.ts';
import { buildFaultNote, type ServiceLog } from '../process/logging.ts';

const TRY_AGAIN_MS = 1_000;

/**
 * @param onAway called with the unavailable store at each attempt
 * @returns `null` if the signal aborts first
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
      // If a store rejects the account at the start, or is not trusted, a setting is wrong.
      const refusal = findDatabaseRefusal(error);
      const isRefused =
        error instanceof EventLogAccessDenied ||
        refusal === 'access-denied' ||
        refusal === 'certificate-refused';
      if (!isOutage(error) || isRefused) throw error;
      const store = findUnavailableStore(error);
      onAway(store);
      serviceLog.warn(
        buildFaultNote(error),
        `The log or the database cannot be used (${store}); trying again.`,
      );
      await sleep(TRY_AGAIN_MS);
    }
  }
  return null;
};
