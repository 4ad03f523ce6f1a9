import { diesAfterEach } from '../harness/recovery.ts';

diesAfterEach(
  'a service that dies within and between chunks',
  [
    { step: 'course-appended', after: 120 },
    { step: 'courses-appended', after: 1 },
    { step: 'chunk-recorded', after: 0 },
    { step: 'chunk-recorded', after: 1 },
  ],
  'large',
  'connections',
);
