import type { DatabaseRefusal } from '../../adapters/postgres/connection/outage.ts';
import type { NamedStreams } from '../../adapters/postgres/read-model/health-stats.ts';
import type { AppendHealth, ClockDifference } from '../../domain/event-log.ts';
import { countInWords } from '../../domain/format-measures.ts';
import {
  countDeadLetterStreams,
  findDatabaseTrouble,
  findLogTrouble,
  getValue,
  type HealthSnapshot,
  lacksProjector,
  type ProjectionSnapshot,
} from './health-snapshot.ts';

export interface Reason {
  readonly code: ReasonCode;
  /** The problem, and what will or should happen. */
  readonly says: string;
}

export type ReasonCode =
  | 'starting'
  | 'stopping'
  | 'database-away'
  | `database-${DatabaseRefusal}`
  | 'log-away'
  | 'log-access-denied'
  | 'log-certificate-refused'
  | 'log-not-leader'
  | 'appends-failing'
  | 'appends-denied'
  | 'log-unconfirmed'
  | 'clocks-differ'
  | 'queue-waiting-long'
  | 'tables-of-another-version'
  | 'tables-of-newer-version'
  | 'tables-ahead-of-log'
  | 'tables-behind'
  | 'tables-stalled'
  | 'tables-not-kept-up'
  | 'streams-parked'
  | 'foreign-events'
  | 'streams-truncated'
  | 'checkpoints-stopped'
  | 'access-notes-set-aside';

export interface PartCheck {
  readonly name: 'database' | 'event-log' | 'projection';
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

export interface Readiness {
  readonly checks: readonly PartCheck[];
  /** Empty if the process is ready. */
  readonly reasons: readonly Reason[];
  /** Problems that do not make the process unready. */
  readonly warnings: readonly Reason[];
}

export interface ProcessStanding {
  readonly isStopping: boolean;
  /** Also true on standby. */
  readonly projects: boolean;
  /** True if it has happened once since the start. */
  readonly hasCaughtUp: boolean;
  /** Stays ready while the tables catch up. */
  readonly isStartedWithoutLog: boolean;
  /** True if it has happened once since the start. */
  readonly hasReachedLog: boolean;
}

/**
 * In seconds; longer than a projector needs to take over from a frozen one.
 * @see docs/operate/monitor.md
 */
export const STALLED_SECONDS = 30;

/** An ingestion takes seconds, unless the queue is long or no worker is running. */
export const LONG_WAIT_SECONDS = 60;

/** Clocks synchronized with a time server differ by a few milliseconds. */
const MAX_CLOCK_DIFFERENCE_MS = 500;

export const SAYS: Readonly<Record<ReasonCode, string>> = {
  starting: 'The service is starting: it is opening the log and the database.',
  stopping:
    'The service was asked to stop. It finishes what is in progress, and takes no work from new connections.',
  'database-away': 'The database does not answer. When it does, the service recovers by itself.',
  'database-access-denied':
    'Postgres answers, but refuses the connection. Check the user, the password, and the database in DATABASE_URL, that the user may log in, that pg_hba.conf allows this machine, and whether the server requires or lacks TLS (sslmode).',
  'database-certificate-refused':
    'The certificate of Postgres cannot be trusted: it has expired, is for another name than the one in DATABASE_URL, or is of an authority that is not known here. Renew it, correct the name, or name the certificate of the authority by sslrootcert in DATABASE_URL.',
  'database-disk-full':
    'Postgres has no room on its disk, so nothing is accepted. Make room; the service then recovers by itself.',
  'database-read-only':
    'Postgres answers, but takes no writes. Check that DATABASE_URL leads to the primary server, not to a standby, and that default_transaction_read_only is off.',
  'database-full':
    'Postgres accepts no further connections. Raise its max_connections, or end other programs that use it.',
  'log-away':
    'The event log does not answer, or its cluster has no leader. Submissions are accepted and wait in the queue; pages and commands that need the log say so. When it answers, the service recovers by itself.',
  'log-access-denied':
    'The event log answers, but does not let the account of the registry read. Check that the user and password in EVENTSTORE_URL are right, that the account is enabled, and that it may read $all and write streams. Submissions are accepted and wait in the queue; pages and commands that need the log say so. When the log accepts the account, the service recovers by itself.',
  'log-certificate-refused':
    'The certificate of the event log cannot be trusted: it has expired, is for another name than the one in EVENTSTORE_URL, or is of an authority that is not known here. Renew it, correct the name, or name the certificate of the authority by tlsCaFile in EVENTSTORE_URL. Submissions are accepted and wait in the queue; pages and commands that need the log say so.',
  'log-not-leader':
    'EVENTSTORE_URL leads to a node that is not the leader, and the leader that this node names cannot be reached: nothing can be processed. While a leader is being replaced, wait. If this stays, list all nodes of the cluster in EVENTSTORE_URL, and check that the address which each of them advertises can be reached from here.',
  'appends-failing':
    'Writes to the event log fail. Submissions are accepted and wait in the queue; pages and commands that write say so. Check that the log has a leader and room on its disks; then what waits is processed.',
  'appends-denied':
    'The event log does not let the account in EVENTSTORE_URL write. Check its user and password, that it is enabled, and that it may write streams. Submissions are accepted and wait in the queue; pages and commands that write say so. Then what waits is processed.',
  'log-unconfirmed':
    'The event log lacks events that this process wrote, or is the log of another registry, so nothing is written to it. Submissions are accepted and wait in the queue; pages and commands that write say so. Check EVENTSTORE_URL, or restore the newer log; then the service recovers by itself. If this log is the right one, run birth-registry rebuild.',
  'clocks-differ':
    'The clocks of this machine and of the event log differ. Set both by a time server. Submissions are still accepted and stored, with the times of this machine.',
  'queue-waiting-long':
    'The oldest submission in the queue has waited for more than a minute. If the queue gets shorter, wait. If not, check that the event log can be written to and that a process with the role all or worker runs, and read its log.',
  'tables-of-another-version':
    'The read tables are of another version of the service. A process with the role all or projector rebuilds them.',
  'tables-of-newer-version':
    'The read tables are of a newer version of the service. This process takes pushes and answers receipts, but leaves its pages and all other work to processes of that version. Replace it with one.',
  'tables-ahead-of-log':
    'The read tables hold events that the event log does not hold. Connect or restore the log that holds them, or run birth-registry rebuild if this log is the right one.',
  'tables-behind': 'The read tables do not hold yet what was in the log when this process started.',
  'tables-stalled':
    'The log holds more events, but nothing was applied to the read tables for at least half a minute.',
  'tables-not-kept-up':
    'No process keeps the read tables current. Start one of the role all or projector.',
  'streams-parked':
    'Streams are parked because their events could not be applied: what is on them is missing from pages until they are unparked.',
  'foreign-events':
    'Another program wrote to streams of the registry, or events were damaged. They are passed over. Stop the program, then run birth-registry acknowledge.',
  'streams-truncated':
    'Streams of the registry have a retention setting, by which the event log hides and deletes events. Remove $maxCount, $maxAge, and $tb from their settings. If events are gone, restore the log from a backup; if there is none, run birth-registry rebuild --accept-loss.',
  'checkpoints-stopped':
    'No checkpoint is signed, because the log does not extend the last one: events were lost or changed. Run birth-registry verify, which names them, and restore the newer log. If they are lost for good, run birth-registry checkpoint --accept-loss.',
  'access-notes-set-aside':
    'Entries of the access log are set aside, because this version does not know them. They are kept, and tried again when a process with the role all or worker starts.',
};

export const reason = (code: ReasonCode): Reason => ({ code, says: SAYS[code] });

const MS_PER_SECOND = 1_000;

/** `null` if the difference is within the usual range or the uncertainty. */
export const clockWarning = (clock: ClockDifference | null): Reason | null => {
  if (clock === null) return null;
  const { aheadMs, uncertaintyMs } = clock;
  if (Math.abs(aheadMs) - uncertaintyMs <= MAX_CLOCK_DIFFERENCE_MS) return null;
  const seconds = (Math.abs(aheadMs) / MS_PER_SECOND).toFixed(1);
  const direction = aheadMs > 0 ? 'ahead of' : 'behind';
  return {
    code: 'clocks-differ',
    says: `The clock of this machine is ${seconds} s ${direction} the clock of the event log. Set both by a time server. Submissions are still accepted and stored, with the times of this machine.`,
  };
};

const APPEND_TROUBLES = {
  denied: 'appends-denied',
  unconfirmed: 'log-unconfirmed',
  unknown: 'appends-failing',
} as const;

/** `null` if appends do not fail. */
export const findAppendFailure = ({ failingSince, cause }: AppendHealth) =>
  failingSince === null ? null : APPEND_TROUBLES[cause ?? 'unknown'];

/** Leaves it out while the tables are ahead of the log, which says why nothing is appended. */
export const findAppendTrouble = ({ appends, isAheadOfLog }: HealthSnapshot) => {
  const failure = findAppendFailure(appends);
  return isAheadOfLog && failure !== 'appends-denied' ? null : failure;
};

const nameStream = (code: ReasonCode, { streams, name }: NamedStreams): readonly Reason[] =>
  streams === 0
    ? []
    : [{ code, says: `${SAYS[code]} ${countInWords(streams, 'stream')}, such as ${name}.` }];

/** Most urgent first. */
export const findStreamWarnings = (tables: ProjectionSnapshot): readonly Reason[] => [
  ...nameStream('streams-truncated', tables.truncated),
  ...(tables.isCheckpointRefused ? [reason('checkpoints-stopped')] : []),
  ...nameStream('foreign-events', tables.foreign),
];

export const findReadiness = (health: HealthSnapshot, self: ProcessStanding): Readiness => {
  const tables = getValue(health.tables);
  const isStalled = (health.lag?.stalledSeconds ?? 0) >= STALLED_SECONDS;
  const isSuperseded = tables?.version === 'newer';
  const projects = self.projects && !isSuperseded;
  const isBehind = projects && !self.hasCaughtUp;
  const reasons: ReasonCode[] = [];
  const warnings: ReasonCode[] = [];
  const clock = clockWarning(health.appends.clock);
  const queue = getValue(health.queue);
  if (self.isStopping) reasons.push('stopping');
  const databaseTrouble = findDatabaseTrouble(health);
  if (databaseTrouble !== null) reasons.push(databaseTrouble);
  if (tables?.version === 'other') reasons.push('tables-of-another-version');
  const logTrouble = findLogTrouble(health);
  if (health.isAheadOfLog) reasons.push('tables-ahead-of-log');
  // The tables cannot catch up while the log is unavailable.
  else if (isBehind && tables?.version !== 'other')
    (self.isStartedWithoutLog || logTrouble !== null ? warnings : reasons).push('tables-behind');
  // A process without a projector is as ready as any other while the tables stall, and accepts
  // submissions without the log.
  if (logTrouble !== null) {
    // A leader that was never reached may never be, and submissions would be stuck.
    const isStuck = logTrouble === 'log-not-leader' && !self.hasReachedLog;
    (isStuck ? reasons : warnings).push(logTrouble);
  }
  const appendTrouble = findAppendTrouble(health);
  if (appendTrouble !== null) warnings.push(appendTrouble);
  if ((queue?.oldestSeconds ?? 0) > LONG_WAIT_SECONDS) warnings.push('queue-waiting-long');
  if (isSuperseded) warnings.push('tables-of-newer-version');
  if (isStalled) (projects ? reasons : warnings).push('tables-stalled');
  if (lacksProjector(health)) warnings.push('tables-not-kept-up');
  if (tables !== null && countDeadLetterStreams(tables) > 0) warnings.push('streams-parked');
  if ((queue?.outboxDeadLetters ?? 0) > 0) warnings.push('access-notes-set-aside');
  return {
    checks: [databaseCheck(health), logCheck(health), tablesCheck(health, reasons)],
    reasons: reasons.map(reason),
    warnings: [
      ...warnings.map(reason),
      ...(tables === null ? [] : findStreamWarnings(tables)),
      ...(clock === null ? [] : [clock]),
    ],
  };
};

const databaseCheck = ({ queue }: HealthSnapshot): PartCheck =>
  'fault' in queue
    ? { name: 'database', ok: false, fault: queue.fault }
    : { name: 'database', ok: true, answered: true };

const logCheck = ({ log, appends }: HealthSnapshot): PartCheck => {
  const { clock, failingSince } = appends;
  const details = {
    ...(clock !== null && { clockAheadSeconds: Math.round(clock.aheadMs) / MS_PER_SECOND }),
    ...(failingSince !== null && { appendsFailingSince: failingSince.toISOString() }),
  };
  return 'fault' in log
    ? { name: 'event-log', ok: false, fault: log.fault, ...details }
    : { name: 'event-log', ok: true, position: log.value.position.toString(), ...details };
};

const TABLES_FAULTS: Partial<Record<ReasonCode, string>> = {
  'tables-of-another-version': 'ReadTablesOfAnotherVersion',
  'tables-ahead-of-log': 'ReadTablesAheadOfLog',
  'tables-behind': 'ProjectionBehind',
  'tables-stalled': 'ProjectionStalled',
};

const tablesCheck = ({ tables }: HealthSnapshot, reasons: readonly ReasonCode[]): PartCheck => {
  if ('fault' in tables) return { name: 'projection', ok: false, fault: tables.fault };
  const { position } = tables.value;
  const details = {
    position: position.toString(),
    parkedStreams: countDeadLetterStreams(tables.value),
  };
  const fault = reasons.map((code) => TABLES_FAULTS[code]).find((name) => name !== undefined);
  return fault === undefined
    ? { name: 'projection', ok: true, ...details }
    : { name: 'projection', ok: false, fault, ...details };
};
