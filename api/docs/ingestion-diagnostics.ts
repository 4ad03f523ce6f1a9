import {
  BUFFER_EXPIRED,
  buildProcessingFailed,
  type Failure,
} from '../../domain/submission/decide.ts';
import type { IngestionEntry } from './diagnostics-entry.ts';

const failedReceipt = ({ error, exception }: Failure) => ({
  id: 'V1StGXR8_Z5jdHi6B-myT',
  status: 'failed',
  outcome: { error, exception, correlation_id: 'tq3FRHXQ1lbc8m7n2Zs0a' },
  completedAt: '2026-03-14T10:00:05.120+00:00',
});

const completedReceipt = {
  id: 'Uakgb_J5m9g-0JDMbcJqL',
  status: 'completed',
  accepted: 1,
  rejected: 0,
  outcome: {
    accepted: [{ reference: 'MRN-1001', submission_uuid: '7d1c1f0e-6a43-5f0c-9d4e-1b1c8f2a4e55' }],
    rejected: [],
  },
  completedAt: '2026-03-14T10:04:31.870+00:00',
};

const OUT_OF_REACH = buildProcessingFailed('EventLogUnavailable');

/** @see spec "Failed-ingestion outcome object" */
export const INGESTION_DIAGNOSTICS: readonly IngestionEntry[] = [
  {
    kind: 'ingestion',
    id: 'buffer-expired',
    failure: BUFFER_EXPIRED,
    happens:
      'The queued Bundle waited too long: a day, unless the operator set another limit. Nothing of it was stored.',
    remedy:
      'Send the Bundle again. The old Idempotency-Key would answer with the failed receipt: use a new one.',
    failing: failedReceipt(BUFFER_EXPIRED),
    fixed: completedReceipt,
  },
  {
    kind: 'ingestion',
    id: 'processing-failed',
    failure: OUT_OF_REACH,
    happens:
      'Five attempts to process the Bundle ended in a fault of the registry. Some of its records may have been stored. The field exception names the class of the fault.',
    remedy:
      'Send the Bundle again with a new Idempotency-Key: what has a chart number is amended, not doubled. If it fails again, give the correlation_id to support.',
    failing: failedReceipt(OUT_OF_REACH),
    fixed: completedReceipt,
  },
];
