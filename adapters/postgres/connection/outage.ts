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

// SQLSTATE: connection exceptions, shutdown and start-up, a transaction that stood still, too many connections, disk full, read only;
// and what is over when it is tried again: serialization, deadlock, a lock or a statement timed out.
const OUTAGE_STATES = /^(08...|57P0[1-5]|25P03|53[0-9A-Z]{3}|25006|58030|40001|40P01|55P03|57014)$/;

// node-postgres raises these without a code.
const DRIVER_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  // What a transaction meets that rolls back after its connection has gone.
  'Client was closed and is not queryable',
  'Query read timeout',
  'Cannot use a pool after calling end on the pool',
];

/** The database has not answered within the time that a caller had for it. */
export class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent';
}

/** Whether an error says that the database is away, as against refusing what it was asked. */
export const isDatabaseOutage = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseSilent) return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseOutage)) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (SOCKET_CODES.has(code) || OUTAGE_STATES.test(code))) return true;
  return DRIVER_MESSAGES.some((message) => error.message.startsWith(message));
};
