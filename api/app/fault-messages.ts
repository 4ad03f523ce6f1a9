import { WrongRegistrySecret } from '../../adapters/crypto/keys.ts';
import { EventStoreUnavailable } from '../../adapters/embedded-eventstore/host.ts';
import { ArchiveRefused } from '../../adapters/embedded-postgres/archive.ts';
import { EmbeddedPostgresFailed } from '../../adapters/embedded-postgres/embedded-postgres-failed.ts';
import {
  LogOfAnotherRegistry,
  LogWithoutRegistry,
} from '../../adapters/event-log/registry-identity.ts';
import { MigrationFailed } from '../../adapters/postgres/migrations/migrate.ts';
import { ReadTablesAheadOfLog } from '../../adapters/postgres/projector/ahead-of-log.ts';
import { ProjectionBehind } from '../../adapters/postgres/projector/projection-progress.ts';
import {
  ReadTablesOfAnotherLog,
  ReadTablesOfAnotherVersion,
} from '../../adapters/postgres/projector/read-schema.ts';
import { ProjectorTooQuick } from '../../adapters/postgres/projector/unpark-streams.ts';
import {
  NothingToCompare,
  RebuildUnderWay,
  StreamsIncomplete,
  SwapRefused,
} from '../../adapters/postgres/rebuild/rebuild.ts';
import { CheckpointDamaged } from '../../adapters/transparency-log/checkpoints.ts';
import {
  EventLogAccessDenied,
  EventLogCertificateRefused,
  EventLogNotLeader,
  EventLogTooSlow,
  EventLogUnconfirmed,
  StreamTruncated,
} from '../../domain/event-log-errors.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import { SAYS } from '../health/readiness.ts';
import { findUnavailableStore, isOutage } from '../ports/outage.ts';
import { buildFaultNote } from '../process/logging.ts';
import { SettingInvalid } from '../settings/setting-parsers.ts';
import { PracticeLeaseTimeout } from '../writes/with-practice-lease.ts';

/** The messages explain the problem and its remedy to the operator. */
const EXPECTED_FAULTS = [
  CommandRefused,
  SettingInvalid,
  WrongRegistrySecret,
  EmbeddedPostgresFailed,
  ArchiveRefused,
  EventStoreUnavailable,
  EventLogAccessDenied,
  EventLogCertificateRefused,
  EventLogNotLeader,
  EventLogUnconfirmed,
  LogOfAnotherRegistry,
  LogWithoutRegistry,
  MigrationFailed,
  ReadTablesAheadOfLog,
  ReadTablesOfAnotherLog,
  ReadTablesOfAnotherVersion,
  ProjectionBehind,
  NothingToCompare,
  RebuildUnderWay,
  SwapRefused,
  CheckpointDamaged,
  ProjectorTooQuick,
  PracticeLeaseTimeout,
  StreamTruncated,
  StreamsIncomplete,
];

const TOO_SLOW =
  'The event log answers, but did not store what was written to it in time. Check that it has a leader, and room on its disks. Look whether the command was carried out before you give it again.';

const AWAY = {
  ...SAYS,
  'database-away':
    'The database does not answer. Check that Postgres runs, and DATABASE_URL if it is set.',
  'log-away':
    'The event log does not answer. Check that EventStoreDB runs and has a leader, and, if it is set, EVENTSTORE_URL and whether it needs tls=true or tls=false.',
  'log-access-denied':
    'The event log does not let the account in EVENTSTORE_URL do this. Check its user and password, that it is enabled, and that it may read $all and write streams.',
  'log-not-leader':
    'EVENTSTORE_URL leads to a node that is not the leader, and the leader that it names was not reached. List all nodes of the cluster in EVENTSTORE_URL.',
};

/**
 * Leaves out messages of parsers, Postgres and the EventStoreDB client, which may quote submitted
 * data; those of the operating system name only files and addresses.
 * @returns sentences; for an unexpected fault, also a line with class, code and our stack frames
 */
export const formatFault = (error: unknown): string => {
  if (error instanceof Error && EXPECTED_FAULTS.some((faultClass) => error instanceof faultClass))
    return withCause(error.message, error.cause);
  if (error instanceof EventLogTooSlow) return withCause(TOO_SLOW, error);
  if (isOutage(error)) return withCause(AWAY[findUnavailableStore(error)], error);
  if (isPortTaken(error))
    return 'Another program listens at the address already. Stop it, or set another PORT.';
  if (isOfSystem(error))
    return `The system refuses something that is needed (${error.message}). Fix that, then try again.`;
  return withCause(
    'An unexpected fault. Try again; if it happens again, give support the next line.',
    error,
  );
};

const withCause = (sentences: string, cause: unknown): string =>
  cause === undefined ? sentences : `${sentences}\nCause: ${JSON.stringify(buildFaultNote(cause))}`;

const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === 'EADDRINUSE';

const isOfSystem = (error: unknown): error is Error =>
  error instanceof Error && typeof (error as { syscall?: unknown }).syscall === 'string';
