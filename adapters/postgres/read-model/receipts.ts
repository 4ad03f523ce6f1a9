import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { AcceptedEntry, RejectedEntry } from '../../../domain/submission/events.ts';
import {
  buildCompletedReceipt,
  type FindReceipt,
  type Receipt,
} from '../../../domain/submission/receipt.ts';
import type { Db } from '../connection/database.ts';

interface Found {
  /** Of its lookup in the statement, from 1. */
  readonly place: number;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly error: string | null;
  readonly exception: string | null;
  readonly correlation_id: string | null;
  readonly completed_at: string | null;
  /** Outcomes by chunk, in order. `null` unless completed. */
  readonly accepted: readonly (readonly AcceptedEntry[])[] | null;
  readonly rejected: readonly (readonly RejectedEntry[])[] | null;
  readonly is_queued: boolean;
}

interface Lookup {
  readonly practiceId: string;
  readonly ingestionId: string;
}

const MAX_LOOKUPS_PER_STATEMENT = 32;

/**
 * `null` if unfinished in the tables but no longer queued: its final event in the log cannot be
 * applied. Lookups of one moment share a statement: the limiter answers many requests at once.
 */
export const createFindReceipt = (db: Db): FindReceipt => {
  let waiting: Lookup[] = [];
  let answer: Promise<readonly Found[]> | null = null;
  return async (practiceId, ingestionId) => {
    if (answer === null || waiting.length === MAX_LOOKUPS_PER_STATEMENT) {
      const lookups: Lookup[] = [];
      waiting = lookups;
      answer = nextTurn().then(() => {
        if (waiting === lookups) answer = null;
        return findRows(db, lookups);
      });
    }
    const place = waiting.push({ practiceId, ingestionId });
    const rows = (await answer).filter((row) => row.place === place);
    // A finished ingestion stays in the queue for a moment.
    const ended = rows.find(({ completed_at }) => completed_at !== null);
    const isQueued = rows.some(({ is_queued }) => is_queued);
    const found = ended ?? (isQueued ? rows[0] : undefined);
    if (found === undefined) return null;
    return found.status === 'completed'
      ? buildCompleted(ingestionId, found)
      : buildUnfinished(ingestionId, found);
  };
};

const findRows = async (db: Db, lookups: readonly Lookup[]): Promise<readonly Found[]> => {
  const { rows } = await sql<Found>`
    select place::integer, receipt.*
    from unnest(
      ${lookups.map(({ ingestionId }) => ingestionId)}::text[],
      ${lookups.map(({ practiceId }) => practiceId)}::text[]
    ) with ordinality as wanted (ingestion_id, practice_id, place)
    cross join lateral (
      (select status, error, exception, correlation_id, completed_at, outcomes.accepted,
        outcomes.rejected, false as is_queued
      from read.ingestion known
      left join lateral (
        select json_agg(accepted order by chunk) as accepted,
          json_agg(rejected order by chunk) as rejected
        from read.ingestion_outcome outcome
        where known.status = 'completed' and outcome.ingestion_id = known.ingestion_id
      ) outcomes on true
      where known.ingestion_id = wanted.ingestion_id and known.practice_id = wanted.practice_id
        and source = 'fhir_push'
      limit 1)
      union all
      (select case when is_in_doubt then 'processing' else 'queued' end,
        null, null, null, null, null, null, true from app.submission queued
      where queued.ingestion_id = wanted.ingestion_id
        and queued.practice_id = wanted.practice_id and key_kind is not null
      limit 1)
    ) receipt`.execute(db);
  return rows;
};

const buildUnfinished = (id: string, found: Found): Receipt => {
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

const buildCompleted = (id: string, { accepted, rejected, completed_at }: Found): Receipt =>
  buildCompletedReceipt(id, (accepted ?? []).flat(), (rejected ?? []).flat(), completed_at ?? '');
