import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  TimeoutError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import {
  EventLogAccessDenied,
  EventLogCertificateRefused,
  EventLogNotLeader,
  EventLogPositionRefused,
  EventLogRefused,
  EventLogTooSlow,
  EventLogUnavailable,
  StreamTruncated,
} from '../../domain/event-log-errors.ts';
import { type CertificateProblem, findCertificateProblem } from '../crypto/certificate-problem.ts';

const UNKNOWN_ACCOUNT =
  'The event log does not accept the account of the registry: the user name or password in EVENTSTORE_URL is missing or wrong, or the account is disabled. Without TLS none is sent. Where EVENTSTORE_URL is not set, the password of the embedded event log was changed while it ran: restart the service.';
const MISSING_RIGHTS =
  'The account in EVENTSTORE_URL lacks rights that the registry needs: to read $all and to write streams. Give it these rights; members of $admins have them.';
const NOT_LEADER =
  'The node that EVENTSTORE_URL leads to is not the leader, and the leader that it names was not reached. If this stays, list all nodes of the cluster in EVENTSTORE_URL, and check that the address which each of them advertises can be reached from here.';

const CERTIFICATES: Readonly<Record<CertificateProblem, string>> = {
  expired:
    'The certificate of the event log has expired, or is not valid yet. Renew it, and check the clocks.',
  'other-host':
    'The certificate of the event log is for another name than the one in EVENTSTORE_URL. Correct the name, or get a certificate for it.',
  'not-trusted':
    'The certificate of the event log is of an authority that is not known here. Name the certificate of the authority by tlsCaFile in EVENTSTORE_URL.',
};

const getCode = (error: unknown): unknown =>
  error instanceof Error ? (error as { code?: unknown }).code : undefined;

/** True if the log does not accept the account, or denies it a right. */
export const isAccessDenied = (error: unknown): boolean =>
  error instanceof AccessDeniedError ||
  getCode(error) === status.UNAUTHENTICATED ||
  getCode(error) === status.PERMISSION_DENIED;

/** True if a retry would fail too. */
export const isPermanent = (error: unknown): boolean =>
  isAccessDenied(error) ||
  error instanceof MaxAppendSizeExceededError ||
  error instanceof StreamDeletedError ||
  error instanceof InvalidArgumentError;

/** True if the error shows that the log works and refuses only this append. */
export const isLogResponse = (error: unknown): boolean =>
  error instanceof WrongExpectedVersionError || (isPermanent(error) && !isAccessDenied(error));

const isTooLate = (error: unknown): boolean =>
  error instanceof DeadlineExceededError || error instanceof TimeoutError;

/** Converts a client error to an error for users of the log. Our own errors stay unchanged. */
export const toLogError = (
  what: 'a connection' | 'a read' | 'an append' | 'a subscription',
  error: unknown,
): Error => {
  if (error instanceof Error && error.name === 'EventInvalid') return error;
  if (error instanceof StreamTruncated) return error;
  if (isAccessDenied(error))
    return new EventLogAccessDenied(
      getCode(error) === status.UNAUTHENTICATED ? UNKNOWN_ACCOUNT : MISSING_RIGHTS,
      { cause: error },
    );
  if (error instanceof EventLogNotLeader || error instanceof NotLeaderError)
    return new EventLogNotLeader(NOT_LEADER, { cause: error });
  if (what === 'a subscription' && getCode(error) === status.INVALID_ARGUMENT)
    return new EventLogPositionRefused(
      'The event log has no event at the position of a subscription.',
      {
        cause: error,
      },
    );
  const problem = findCertificateProblem(error);
  if (problem !== null)
    return new EventLogCertificateRefused(CERTIFICATES[problem], { cause: error });
  if (what === 'an append' && isTooLate(error))
    return new EventLogTooSlow('The event log did not store an append in time.', { cause: error });
  return isPermanent(error)
    ? new EventLogRefused(`The event log refused ${what}.`, { cause: error })
    : new EventLogUnavailable(`The event log was not there for ${what}, or not in time.`, {
        cause: error,
      });
};

const CLEARING_CODES: readonly unknown[] = [
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
  status.ABORTED,
  status.UNAVAILABLE,
];

/** The client remembers even a failed response about the server's features, then refuses all appends. */
export const requiresNewClient = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof EventLogUnavailable) &&
  !(error instanceof UnavailableError) &&
  !(error instanceof CancelledError) &&
  !(error instanceof NotLeaderError) &&
  !isTooLate(error) &&
  !(error instanceof MaxAppendSizeExceededError) &&
  !(error instanceof StreamDeletedError) &&
  !(error instanceof InvalidArgumentError) &&
  !CLEARING_CODES.includes(getCode(error));
