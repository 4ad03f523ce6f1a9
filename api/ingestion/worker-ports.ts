import type { App } from '../ports/app-ports.ts';
import type { CompletedIngestions } from './completed-ingestions.ts';
import type { NoteProgress } from './log-large-work.ts';

/** The registry as the ingestion worker uses it. */
export interface WorkerPorts
  extends Pick<
    App,
    | 'log'
    | 'queue'
    | 'leases'
    | 'progress'
    | 'hotReads'
    | 'intakePriority'
    | 'identity'
    | 'idOf'
    | 'now'
    | 'afterStep'
  > {
  readonly completedIngestions: CompletedIngestions;
  /** Called after each step with how many courses of an ingestion are recorded. */
  readonly noteProgress: NoteProgress;
  /** Whether a fault says that the log or the database is away: a try that it ends is not counted. */
  readonly isOutage: (error: unknown) => boolean;
}
