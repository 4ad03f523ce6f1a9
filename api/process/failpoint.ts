/** Each step of the write path after which a process may die; the next run goes on from there. */
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

/** Called after each step; only tests pass one that does anything. */
export type Failpoint = (step: WritePathStep) => void;
