/** A process may die after each step; the next run continues from there. */
export type WritePathStep =
  | 'row-queued'
  | 'replay-counted'
  | 'turn-taken'
  | 'entries-claimed'
  | 'run-started'
  | 'projection-reached'
  | 'records-loaded'
  | 'provider-appended'
  | 'course-appended'
  | 'courses-appended'
  | 'chunk-recorded'
  | 'rows-deleted'
  | 'turn-released'
  | 'merge-recorded'
  | 'record-repointed'
  | 'undo-begun'
  | 'record-taken-back'
  | 'undo-progressed';

/** Does nothing outside tests. */
export type Failpoint = (step: WritePathStep) => void;
