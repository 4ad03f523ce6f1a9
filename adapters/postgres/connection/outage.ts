import { findCertificateProblem } from '../../crypto/certificate-problem.ts';

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

// SQLSTATE: connection, shutdown, resources, read-only; and errors that a retry resolves.
const OUTAGE_STATES = /^(08...|57P0[1-5]|25P03|53[0-9A-Z]{3}|25006|58030|40001|40P01|55P03|57014)$/;

// node-postgres throws these without a code.
const DRIVER_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  // From a transaction that rolls back after its connection broke.
  'Client was closed and is not queryable',
  'Query read timeout',
  'Cannot use a pool after calling end on the pool',
];

/** Why Postgres, which answers, takes no connection, or no writes. */
export type DatabaseRefusal =
  | 'access-denied'
  | 'certificate-refused'
  | 'full'
  | 'disk-full'
  | 'read-only';

// SQLSTATE: wrong password, account or address, also without TLS where it is required; no such database.
const DENIED_STATES = new Set(['28P01', '28000', '3D000']);
const TOO_MANY_CONNECTIONS = '53300';
const DISK_FULL = '53100';
const READ_ONLY = '25006';
const DENIED_MESSAGES = [
  'The server does not support SSL connections',
  'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be',
];

export const findDatabaseRefusal = (error: unknown): DatabaseRefusal | null => {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  if (code === TOO_MANY_CONNECTIONS) return 'full';
  if (code === DISK_FULL) return 'disk-full';
  if (code === READ_ONLY) return 'read-only';
  if (findCertificateProblem(error) !== null) return 'certificate-refused';
  const isDenied =
    DENIED_STATES.has(String(code)) ||
    String(code).startsWith('ERR_SSL_') ||
    DENIED_MESSAGES.some((message) => error.message.startsWith(message));
  return isDenied ? 'access-denied' : null;
};

export class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent';
}

/** True if the database is unavailable or refuses connections, as opposed to rejecting a query. */
export const isDatabaseOutage = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseSilent || findDatabaseRefusal(error) !== null) return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseOutage)) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (SOCKET_CODES.has(code) || OUTAGE_STATES.test(code))) return true;
  return DRIVER_MESSAGES.some((message) => error.message.startsWith(message));
};
