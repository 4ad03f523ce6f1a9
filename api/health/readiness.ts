import { type Look, parkedStreamsOf, seenIn } from './look.ts';

/** Why a process does not take requests, or what needs attention soon. */
export interface Reason {
  readonly code: ReasonCode;
  /** For people: what is the matter, and what will or should happen. */
  readonly says: string;
}

/** What a reason or a warning is called. */
export type ReasonCode =
  | 'starting'
  | 'stopping'
  | 'database-away'
  | 'log-away'
  | 'tables-of-another-version'
  | 'tables-ahead-of-log'
  | 'tables-behind'
  | 'tables-stalled'
  | 'tables-not-kept-up'
  | 'streams-parked'
  | 'access-notes-set-aside';

/** A part that must answer, with details for operators. */
export interface PartCheck {
  readonly name: 'database' | 'event-log' | 'projection';
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

/** Whether a process can take requests, and what speaks against it. */
export interface Readiness {
  readonly checks: readonly PartCheck[];
  /** None: it is ready. */
  readonly reasons: readonly Reason[];
  /** What does not keep it from taking requests. */
  readonly warnings: readonly Reason[];
}

/** What a process knows of itself. */
export interface ProcessStanding {
  readonly isStopping: boolean;
  /** Whether it keeps the read tables up, or stands by for it. */
  readonly projects: boolean;
  /** Whether they held, at one time since it started, everything that was in the log then. */
  readonly hasCaughtUp: boolean;
}

/**
 * Longer than it takes another projector to take over from one that froze. Seconds.
 * @see docs/operations-watching.md
 */
export const STALLED_SECONDS = 30;

/** What stands for the reasons, said in one place for the answer of readiness and the page. */
export const SAYS: Readonly<Record<ReasonCode, string>> = {
  starting: 'The service is starting: it opens the log and the database.',
  stopping:
    'The service was asked to stop. It ends what is under way and takes no work from new connections.',
  'database-away': 'The database does not answer. The service recovers by itself when it does.',
  'log-away':
    'The event log does not answer. Submissions are taken and wait in the queue; pages and commands that need the log say so. The service recovers by itself when it does.',
  'tables-of-another-version':
    'The read tables are of another version of the service. They are rebuilt by the process that keeps them up.',
  'tables-ahead-of-log':
    'The read tables hold events that the event log does not hold. Connect or restore the log that holds them, or run operator rebuild if this log is the right one.',
  'tables-behind':
    'The read tables are still being brought up to what the log held when this process started.',
  'tables-stalled':
    'The log holds events that the read tables do not get: nothing was applied for at least half a minute.',
  'tables-not-kept-up':
    'No process keeps the read tables up. Start one whose role is all or projector.',
  'streams-parked':
    'Streams are parked for a fault of their data: what is on them is missing from the pages until they are unparked.',
  'access-notes-set-aside':
    'Notes of the access log are set aside, because the log would refuse them: they are kept, and tried again when a process of the role all or worker starts.',
};

/** A reason in its own words. */
export const reason = (code: ReasonCode): Reason => ({ code, says: SAYS[code] });

/** Judges what was seen: a pure function, so that every case can be told to it. */
export const readinessOf = (look: Look, self: ProcessStanding): Readiness => {
  const tables = seenIn(look.tables);
  const isStalled = (look.lag?.stalledSeconds ?? 0) >= STALLED_SECONDS;
  const isBehind = self.projects && !self.hasCaughtUp;
  const reasons: ReasonCode[] = [];
  const warnings: ReasonCode[] = [];
  if (self.isStopping) reasons.push('stopping');
  if ('fault' in look.queue || tables === null) reasons.push('database-away');
  if (tables?.isOfThisVersion === false) reasons.push('tables-of-another-version');
  if (look.isAheadOfLog) reasons.push('tables-ahead-of-log');
  else if (isBehind && tables?.isOfThisVersion !== false) reasons.push('tables-behind');
  // A process that does not keep them up is none the worse at the door, and no other would do better.
  // Submissions are taken without it, and wait.
  if ('fault' in look.log) warnings.push('log-away');
  if (isStalled) (self.projects ? reasons : warnings).push('tables-stalled');
  if (tables?.isKeptUp === false) warnings.push('tables-not-kept-up');
  if (tables !== null && parkedStreamsOf(tables) > 0) warnings.push('streams-parked');
  if ((seenIn(look.queue)?.notesSetAside ?? 0) > 0) warnings.push('access-notes-set-aside');
  return {
    checks: [databaseCheck(look), logCheck(look), tablesCheck(look, reasons)],
    reasons: reasons.map(reason),
    warnings: warnings.map(reason),
  };
};

const databaseCheck = ({ queue }: Look): PartCheck =>
  'fault' in queue
    ? { name: 'database', ok: false, fault: queue.fault }
    : { name: 'database', ok: true, answered: true };

const logCheck = ({ log }: Look): PartCheck =>
  'fault' in log
    ? { name: 'event-log', ok: false, fault: log.fault }
    : { name: 'event-log', ok: true, position: log.value.position.toString() };

const TABLES_FAULTS: Partial<Record<ReasonCode, string>> = {
  'tables-of-another-version': 'ReadTablesOfAnotherVersion',
  'tables-ahead-of-log': 'ReadTablesAheadOfLog',
  'tables-behind': 'ProjectionBehind',
  'tables-stalled': 'ProjectionStalled',
};

const tablesCheck = ({ tables }: Look, reasons: readonly ReasonCode[]): PartCheck => {
  if ('fault' in tables) return { name: 'projection', ok: false, fault: tables.fault };
  const { position } = tables.value;
  const details = {
    position: position.toString(),
    parkedStreams: parkedStreamsOf(tables.value),
  };
  const fault = reasons.map((code) => TABLES_FAULTS[code]).find((name) => name !== undefined);
  return fault === undefined
    ? { name: 'projection', ok: true, ...details }
    : { name: 'projection', ok: false, fault, ...details };
};
