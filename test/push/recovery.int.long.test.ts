import { diesAfterEach } from '../harness/recovery.ts';

diesAfterEach(
  'a service that dies with its log at any step of a submission of several chunks',
  [
    { step: 'row-queued', after: 0 },
    { step: 'replay-counted', after: 0 },
    { step: 'turn-taken', after: 0 },
    { step: 'entries-claimed', after: 0 },
    { step: 'run-started', after: 0 },
    { step: 'projection-reached', after: 0 },
    { step: 'records-loaded', after: 0 },
    { step: 'course-appended', after: 0 },
    { step: 'course-appended', after: 2 },
    { step: 'course-appended', after: 5 },
    { step: 'course-appended', after: 48 },
    { step: 'course-appended', after: 120 },
    { step: 'courses-appended', after: 0 },
    { step: 'courses-appended', after: 1 },
    { step: 'chunk-recorded', after: 0 },
    { step: 'chunk-recorded', after: 1 },
    { step: 'rows-deleted', after: 0 },
    { step: 'turn-released', after: 0 },
  ],
  'large',
  'process and log',
);

diesAfterEach(
  'a service that dies with its log at any step of a submission of one chunk',
  [
    { step: 'row-queued', after: 0 },
    { step: 'replay-counted', after: 0 },
    { step: 'entries-claimed', after: 0 },
    { step: 'records-loaded', after: 0 },
    { step: 'course-appended', after: 0 },
    { step: 'course-appended', after: 3 },
    { step: 'courses-appended', after: 0 },
    { step: 'chunk-recorded', after: 0 },
    { step: 'rows-deleted', after: 0 },
    { step: 'turn-released', after: 0 },
  ],
  'small',
  'process and log',
);
