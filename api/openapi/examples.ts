import {
  BUNDLE_WITHOUT_ENTRIES,
  NO_CHILD,
  rejectPlaceCode,
  STALE_UPDATE,
} from '../../domain/course/rejections.ts';
import { BUFFER_EXPIRED, buildProcessingFailed } from '../../domain/submission/decide.ts';
import { buildCompletedReceipt } from '../../domain/submission/receipt.ts';
import { formatCheckpoint } from '../../transparency-log/checkpoint.ts';
import { formatProvedEvent, type ProvedEvent } from '../../transparency-log/event-proof.ts';
import { EMPTY_ROOT } from '../../transparency-log/merkle-tree.ts';
import { buildVerifierKey, formatNote } from '../../transparency-log/signed-note.ts';
import { type IssueSource, toIssue, toOutcome } from '../http/operation-outcome.ts';
import {
  exampleBatch,
  exampleBirth,
  exampleChild,
  exampleMeasures,
  exampleMother,
  exampleRetraction,
} from './example-bundles.ts';

/** OpenAPI media type. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export const INGESTION_ID = 'V1StGXR8_Z5jdHi6B-myT';

const UUID = '7d1c1f0e-6a43-5f0c-9d4e-1b1c8f2a4e55';
const OTHER_UUID = '0b8f6a9c-55a1-5c39-8f6e-6f2f0f6f3b10';
const COMPLETED_AT = '2026-03-14T10:00:01.284+00:00';
const CORRELATION_ID = 'tq3FRHXQ1lbc8m7n2Zs0a';

export const SUBMISSIONS: Readonly<Record<string, Example>> = {
  birth: {
    summary: 'One birth',
    value: exampleBirth({ more: exampleMeasures }),
  },
  twins: {
    summary: 'Twins: one mother, two children',
    value: exampleBirth({ children: [exampleChild(1), exampleChild(2)] }),
  },
  amendment: {
    summary: 'The same chart number with a later stamp: an amendment',
    value: exampleBirth({ lastUpdated: '2026-03-15T08:30:00Z', more: exampleMeasures }),
  },
  batch: {
    summary: 'A batch: each inner Bundle is one birth',
    value: exampleBatch([
      exampleBirth({ chartNumber: 'MRN-1001' }),
      exampleBirth({ chartNumber: 'MRN-1002', mothers: [exampleMother('Amina', 'Okafor')] }),
    ]),
  },
  retraction: {
    summary: 'A retraction by the status of the Composition',
    value: exampleRetraction('MRN-1001', '2026-03-16T07:00:00Z'),
  },
  deletion: {
    summary: 'A retraction by request.method',
    value: {
      resourceType: 'Bundle',
      type: 'batch',
      identifier: { value: 'MRN-1001' },
      timestamp: '2026-03-16T07:00:00Z',
      entry: [{ request: { method: 'DELETE', url: 'Bundle?identifier=MRN-1001' } }],
    },
  },
};

const failed = ({ error, exception }: { error: string; exception: string }) => ({
  id: INGESTION_ID,
  status: 'failed',
  outcome: { error, exception, correlation_id: CORRELATION_ID },
  completedAt: COMPLETED_AT,
});

const provedExample = (): ProvedEvent => {
  const event = { ingestionId: INGESTION_ID, accepted: 1, rejected: 0, completedAt: COMPLETED_AT };
  const key = buildVerifierKey('birth-registry/4dcd95e8-db62-4e86-9fe0-6b90d96f023d', EMPTY_ROOT);
  const text = formatCheckpoint({ origin: key.name, size: 1_042, root: EMPTY_ROOT });
  const signature = Buffer.concat([key.keyId, EMPTY_ROOT, EMPTY_ROOT]);
  const checkpoint = formatNote({ text, signatures: [{ ...key, signature }] });
  return formatProvedEvent(
    {
      stream: `ingestion-${INGESTION_ID}`,
      revision: 2n,
      id: UUID,
      type: 'IngestionCompleted',
      data: Buffer.from(JSON.stringify(event)),
      metadata: Buffer.from(JSON.stringify({ correlationId: CORRELATION_ID })),
    },
    EMPTY_ROOT,
    { index: 1_041, path: [EMPTY_ROOT], checkpoint },
  );
};

/** In the real format, but with invented hashes and signature. */
export const PROOFS: Readonly<Record<string, Example>> = {
  completed: { summary: 'The end of an ingestion', value: provedExample() },
};

export const RECEIPTS: Readonly<Record<string, Example>> = {
  queued: { summary: 'Waiting', value: { id: INGESTION_ID, status: 'queued' } },
  processing: { summary: 'Under way', value: { id: INGESTION_ID, status: 'processing' } },
  accepted: {
    summary: 'Accepted',
    value: buildCompletedReceipt(
      INGESTION_ID,
      [{ reference: 'MRN-1001', submission_uuid: UUID }],
      [],
      COMPLETED_AT,
    ),
  },
  flagged: {
    summary: 'Accepted and flagged as a probable duplicate',
    value: buildCompletedReceipt(
      INGESTION_ID,
      [{ reference: 'record[0]', submission_uuid: UUID, suspected_duplicate: true }],
      [],
      COMPLETED_AT,
    ),
  },
  amended: {
    summary: 'Amended',
    value: buildCompletedReceipt(
      INGESTION_ID,
      [{ reference: 'MRN-1001', submission_uuid: UUID, amended: true, version: 2 }],
      [],
      COMPLETED_AT,
    ),
  },
  retracted: {
    summary: 'Retracted',
    value: buildCompletedReceipt(
      INGESTION_ID,
      [{ reference: 'MRN-1001', submission_uuid: UUID, retracted: true, version: 3 }],
      [],
      COMPLETED_AT,
    ),
  },
  mixed: {
    summary: 'A batch with accepted and rejected records',
    value: buildCompletedReceipt(
      INGESTION_ID,
      [
        { reference: 'MRN-1001', submission_uuid: UUID },
        { reference: 'MRN-1002', submission_uuid: OTHER_UUID, amended: true, version: 4 },
      ],
      [
        { reference: 'record[2]', rejections: [NO_CHILD, rejectPlaceCode('225728007')] },
        { reference: 'MRN-1004', rejections: [STALE_UPDATE] },
      ],
      COMPLETED_AT,
    ),
  },
  refused: {
    summary: 'The whole Bundle failed validation',
    value: buildCompletedReceipt(
      INGESTION_ID,
      [],
      [{ reference: 'Bundle', rejections: [BUNDLE_WITHOUT_ENTRIES] }],
      COMPLETED_AT,
    ),
  },
  expired: { summary: 'The buffered Bundle expired', value: failed(BUFFER_EXPIRED) },
  failed: {
    summary: 'The Bundle could not be processed',
    value: failed(buildProcessingFailed('EventLogUnavailable')),
  },
};

export const buildOutcomes = (
  problems: Readonly<Record<string, IssueSource>>,
): Readonly<Record<string, Example>> =>
  Object.fromEntries(
    Object.entries(problems).map(([name, problem]) => [
      name,
      { summary: problem.diagnostics, value: toOutcome(toIssue(problem)) },
    ]),
  );
