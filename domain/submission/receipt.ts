import type { BirthRecordEvent } from '../birth-record/events.ts';
import type { BirthRecord } from '../birth-record/state.ts';
import type { CourseReference } from '../course/chart-number.ts';
import { type OperationOutcome, toOperationOutcome } from '../course/rejections.ts';
import type { AcceptedEntry, IngestionEvent, RejectedEntry } from './events.ts';

/** @see spec "Ingestion receipt" */
export type Receipt =
  | { readonly id: string; readonly status: 'queued' | 'processing' }
  | {
      readonly id: string;
      readonly status: 'completed';
      readonly accepted: number;
      readonly rejected: number;
      readonly outcome: {
        readonly accepted: readonly AcceptedEntry[];
        readonly rejected: readonly {
          readonly reference: string;
          readonly outcome: OperationOutcome;
        }[];
      };
      readonly completedAt: string;
    }
  | {
      readonly id: string;
      readonly status: 'failed';
      readonly outcome: {
        readonly error: string;
        readonly exception: string;
        readonly correlation_id: string;
      };
      readonly completedAt: string;
    };

/** Returns `null` if the practice has no ingestion with this id. */
export type FindReceipt = (practiceId: string, ingestionId: string) => Promise<Receipt | null>;

export const buildCompletedReceipt = (
  id: string,
  accepted: readonly AcceptedEntry[],
  rejected: readonly RejectedEntry[],
  completedAt: string,
): Receipt => ({
  id,
  status: 'completed',
  accepted: accepted.length,
  rejected: rejected.length,
  outcome: {
    accepted: accepted.map(orderEntries),
    rejected: rejected.map(({ reference, rejections }) => ({
      reference,
      outcome: toOperationOutcome(rejections),
    })),
  },
  completedAt,
});

// The log does not preserve the order of properties. Use the order of the specification.
const orderEntries = (entry: AcceptedEntry): AcceptedEntry => {
  const { reference, submission_uuid, suspected_duplicate, amended, retracted, version } = entry;
  return {
    reference,
    submission_uuid,
    ...(suspected_duplicate && { suspected_duplicate }),
    ...(amended && { amended }),
    ...(retracted && { retracted }),
    ...(version !== undefined && { version }),
  };
};

export const buildReceipt = (id: string, events: readonly IngestionEvent[]): Receipt | null => {
  const accepted: AcceptedEntry[] = [];
  const rejected: RejectedEntry[] = [];
  let receipt: Receipt | null = null;
  for (const { type, data } of events)
    switch (type) {
      case 'IngestionQueued':
        receipt = { id, status: 'queued' };
        break;
      case 'IngestionStarted':
        receipt = { id, status: 'processing' };
        break;
      case 'RecordsProcessed':
        accepted.push(...data.accepted);
        rejected.push(...data.rejected);
        break;
      case 'SubmissionIngested':
        receipt = buildCompletedReceipt(id, data.accepted, data.rejected, data.completedAt);
        break;
      case 'IngestionCompleted':
        receipt = buildCompletedReceipt(id, accepted, rejected, data.completedAt);
        break;
      case 'IngestionFailed': {
        const { error, exception, correlationId: correlation_id, completedAt } = data;
        receipt = {
          id,
          status: 'failed',
          outcome: { error, exception, correlation_id },
          completedAt,
        };
        break;
      }
      // Imports have no receipt.
      case 'ImportUndoBegun':
      case 'ImportUndoProgressed':
      case 'ImportUndone':
        break;
    }
  return receipt;
};

/**
 * No events means a repeated retraction: the version is unchanged.
 * @see spec "outcome.accepted[] entry"
 */
export const toAcceptedEntry = (
  { reference, isChartNumber }: CourseReference,
  events: readonly BirthRecordEvent[],
  state: Exclude<BirthRecord, { status: 'none' }>,
): AcceptedEntry => {
  const { submissionUuid: submission_uuid, version } = state;
  const types = new Set(events.map((event) => event.type));
  return {
    reference,
    ...(isChartNumber && { isChartNumber }),
    submission_uuid,
    ...(types.has('DuplicateFlagged') ? { suspected_duplicate: true as const } : {}),
    ...(types.has('BirthAmended') ? { amended: true as const, version } : {}),
    ...(types.has('BirthRetracted') || types.size === 0
      ? { retracted: true as const, version }
      : {}),
  };
};
