import type { App } from '../ports/app-ports.ts';
import type { CompletedIngestions } from './completed-ingestions.ts';
import type { NoteProgress } from './log-large-work.ts';

/** Ports that the ingestion worker uses. */
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
  /** Called after each step of an ingestion with its number of recorded courses. */
  readonly noteProgress: NoteProgress;
  /** True if a fault means that the log or database is unavailable; such an attempt is refunded. */
  readonly isOutage: (error: unknown) => boolean;
}
