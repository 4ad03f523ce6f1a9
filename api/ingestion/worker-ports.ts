import type { Registry } from '../ports/app-ports.ts';
import type { SeenThrough } from './completed-ingestions.ts';
import type { NoteProgress } from './log-large-work.ts';

/** The registry as the ingestion worker uses it. */
export interface WorkerRegistry
  extends Pick<
    Registry,
    | 'log'
    | 'queue'
    | 'leases'
    | 'progress'
    | 'hotReads'
    | 'doorFirst'
    | 'identity'
    | 'idOf'
    | 'now'
    | 'afterStep'
  > {
  readonly seenThrough: SeenThrough;
  /** Called after each step with how many courses of an ingestion are recorded. */
  readonly noteProgress: NoteProgress;
  /** Whether a fault says that the log or the database is away: a try that it ends is not counted. */
  readonly isOutage: (error: unknown) => boolean;
}
