import { sql } from 'kysely';
import type { AcceptedEntry, RejectedEntry } from '../../../domain/ingestion/events.ts';
import {
  completedReceipt,
  type FindReceipt,
  type Receipt,
} from '../../../domain/ingestion/receipt.ts';
import type { Db } from '../connection/database.ts';

interface Found {
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly error: string | null;
  readonly exception: string | null;
  readonly correlation_id: string | null;
  readonly completed_at: string | null;
  /** Outcomes of its chunks, in order; null unless it is completed. */
  readonly accepted: readonly (readonly AcceptedEntry[])[] | null;
  readonly rejected: readonly (readonly RejectedEntry[])[] | null;
}

/**
 * Finds receipts of pushes: in the read tables, else, while those are behind, in the queue. One statement
 * sees both at one moment, so an ingestion that moves from one to the other is never missed.
 */
export const findReceiptIn =
  (db: Db): FindReceipt =>
  async (practiceId, ingestionId) => {
    const { rows } = await sql<Found>`
      select status, error, exception, correlation_id, completed_at, outcomes.accepted, outcomes.rejected
      from read.ingestion known
      left join lateral (
        select json_agg(accepted order by chunk) as accepted,
          json_agg(rejected order by chunk) as rejected
        from read.ingestion_outcome outcome
        where known.status = 'completed' and outcome.ingestion_id = known.ingestion_id
      ) outcomes on true
      where ingestion_id = ${ingestionId} and practice_id = ${practiceId} and source = 'fhir_push'
      union all
      (select case when is_in_doubt then 'processing' else 'queued' end,
        null, null, null, null, null, null from app.submission
      where ingestion_id = ${ingestionId} and practice_id = ${practiceId}
        and key_kind is not null)`.execute(db);
    // What has ended is in the queue for a moment more.
    const found = rows.find(({ completed_at }) => completed_at !== null) ?? rows[0];
    if (found === undefined) return null;
    return found.status === 'completed'
      ? completed(ingestionId, found)
      : unfinished(ingestionId, found);
  };

const unfinished = (id: string, found: Found): Receipt => {
  const { status, error, exception, correlation_id, completed_at } = found;
  if (status !== 'failed') return { id, status: status === 'processing' ? status : 'queued' };
  return {
    id,
    status,
    outcome: {
      error: error ?? '',
      exception: exception ?? '',
      correlation_id: correlation_id ?? '',
    },
    completedAt: completed_at ?? '',
  };
};

const completed = (id: string, { accepted, rejected, completed_at }: Found): Receipt =>
  completedReceipt(
    id,
    (accepted ?? []).flat().map(inOrder),
    (rejected ?? []).flat(),
    completed_at ?? '',
  );

// The log promises no order of properties: give the entry the specification's.
const inOrder = (entry: AcceptedEntry): AcceptedEntry => {
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
