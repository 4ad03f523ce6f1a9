import { type OperationOutcome, toOperationOutcome } from '../rejections.ts';
import type { AcceptedEntry, RejectedEntry } from './events.ts';

/** What the status endpoint returns. @see spec "Ingestion receipt" */
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

/** The receipt of an ingestion of a practice; null if the practice has none with this id. */
export type FindReceipt = (practiceId: string, ingestionId: string) => Promise<Receipt | null>;

/** The receipt of a completed ingestion; outcomes in the order of the submission. */
export const completedReceipt = (
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
    accepted,
    rejected: rejected.map(({ reference, rejections }) => ({
      reference,
      outcome: toOperationOutcome(rejections),
    })),
  },
  completedAt,
});
