import { diesAfterEach } from '../harness/recovery.ts';

diesAfterEach(
  'a service that dies over a submission of one chunk',
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
);
