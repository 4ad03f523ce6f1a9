import { diesAfterEach } from '../harness/recovery.ts';

diesAfterEach(
  'a service that dies before the first course is recorded',
  [
    { step: 'row-queued', after: 0 },
    { step: 'replay-counted', after: 0 },
    { step: 'turn-taken', after: 0 },
    { step: 'entries-claimed', after: 0 },
    { step: 'run-started', after: 0 },
    { step: 'projection-reached', after: 0 },
    { step: 'records-loaded', after: 0 },
  ],
  'small',
  'connections',
);
