import { diesAfterEach } from '../harness/recovery.ts';

diesAfterEach('a service that dies within and after chunks', [
  { step: 'course-appended', after: 48 },
  { step: 'course-appended', after: 120 },
  { step: 'courses-appended', after: 0 },
  { step: 'courses-appended', after: 1 },
  { step: 'chunk-recorded', after: 0 },
  { step: 'chunk-recorded', after: 1 },
  { step: 'rows-deleted', after: 0 },
  { step: 'turn-released', after: 0 },
]);
