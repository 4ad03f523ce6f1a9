import { diesAfterEach } from '../harness/recovery.ts';

diesAfterEach(
  'a service that dies when the courses of one event are recorded, or after it',
  [
    { step: 'course-appended', after: 0 },
    { step: 'course-appended', after: 3 },
    { step: 'courses-appended', after: 0 },
    { step: 'chunk-recorded', after: 0 },
    { step: 'rows-deleted', after: 0 },
    { step: 'turn-released', after: 0 },
  ],
  'small',
  'connections',
);
