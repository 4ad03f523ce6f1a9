import {
  type DatabaseRefusal,
  findDatabaseRefusal,
  isDatabaseOutage,
} from '../../adapters/postgres/connection/outage.ts';
import { ProjectionBehind } from '../../adapters/postgres/projector/projection-progress.ts';
import {
  EventLogAccessDenied,
  EventLogCertificateRefused,
  EventLogNotLeader,
  EventLogUnavailable,
  StreamTruncated,
} from '../../domain/event-log-errors.ts';
import { RotatedKeysClosed } from './registry-keys.ts';

export const isBehind = (error: unknown): boolean => error instanceof ProjectionBehind;

/**
 * True if the log or the database is unavailable or has not caught up. A log that no longer accepts
 * the account counts as unavailable: waiting work continues when it does.
 */
export const isOutage = (error: unknown): boolean =>
  isOwnOutage(error) ||
  (error instanceof Error && error.cause !== undefined && isOutage(error.cause));

/** Falls back to the database. */
export const findUnavailableStore = (
  error: unknown,
):
  | 'database-away'
  | `database-${DatabaseRefusal}`
  | 'log-away'
  | 'log-access-denied'
  | 'log-certificate-refused'
  | 'log-not-leader'
  | 'streams-truncated' => {
  if (error instanceof StreamTruncated) return 'streams-truncated';
  if (error instanceof EventLogAccessDenied) return 'log-access-denied';
  if (error instanceof EventLogCertificateRefused) return 'log-certificate-refused';
  if (error instanceof EventLogNotLeader) return 'log-not-leader';
  if (error instanceof EventLogUnavailable) return 'log-away';
  const refusal = findDatabaseRefusal(error);
  if (refusal !== null) return `database-${refusal}`;
  if (isDatabaseOutage(error) || !(error instanceof Error)) return 'database-away';
  return findUnavailableStore(error.cause);
};

const isLogOutage = (error: unknown): boolean =>
  error instanceof EventLogUnavailable || error instanceof EventLogAccessDenied;

// Work that waits for a key that this process cannot open continues after a restart.
const isOwnOutage = (error: unknown): boolean =>
  isLogOutage(error) ||
  isBehind(error) ||
  isDatabaseOutage(error) ||
  error instanceof RotatedKeysClosed;
