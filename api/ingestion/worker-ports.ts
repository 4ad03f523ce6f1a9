import type { ExpectedRevision } from '../../domain/event-log.ts';
import type { App } from '../ports/app-ports.ts';
import type { CompletedIngestions } from './completed-ingestions.ts';
import type { NoteProgress } from './log-large-work.ts';

export interface WorkerPorts
  extends Pick<
    App,
    | 'log'
    | 'queue'
    | 'leases'
    | 'progress'
    | 'hotReads'
    | 'identity'
    | 'deriveId'
    | 'now'
    | 'afterStep'
  > {
  readonly completedIngestions: CompletedIngestions;
  /** Last known revisions of shared streams. A missing one costs a read. */
  readonly sharedStreamEnds: Map<string, ExpectedRevision>;
  readonly noteProgress: NoteProgress;
  /** True if the log or database is unavailable; the attempt then does not count. */
  readonly isOutage: (error: unknown) => boolean;
}
