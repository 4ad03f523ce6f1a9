import { isDatabaseOutage } from '../../adapters/postgres/connection/outage.ts';
import { ProjectionBehind } from '../../adapters/postgres/projector/projection-progress.ts';
import { EventLogAccessDenied, EventLogUnavailable } from '../../domain/event-log-errors.ts';
import { RotatedKeysClosed } from './registry-keys.ts';

/** Whether a fault says that the read tables have not reached a position in time. */
export const isBehind = (error: unknown): boolean => error instanceof ProjectionBehind;

/**
 * Whether a fault, or what caused it, says that the log or the database is away, or not caught up. A log
 * that takes the account no longer is as good as away: what waits for it goes on when it does again.
 */
export const isOutage = (error: unknown): boolean =>
  isOwnOutage(error) ||
  (error instanceof Error && error.cause !== undefined && isOutage(error.cause));

/** Which of the two an outage says is away, as far as it says it. */
export const findUnavailableStore = (error: unknown): 'database-away' | 'log-away' => {
  if (isLogOutage(error)) return 'log-away';
  if (isDatabaseOutage(error) || !(error instanceof Error)) return 'database-away';
  return findUnavailableStore(error.cause);
};

const isLogOutage = (error: unknown): boolean =>
  error instanceof EventLogUnavailable || error instanceof EventLogAccessDenied;

// What waits for a key that this process cannot open goes on when it is restarted.
const isOwnOutage = (error: unknown): boolean =>
  isLogOutage(error) ||
  isBehind(error) ||
  isDatabaseOutage(error) ||
  error instanceof RotatedKeysClosed;
