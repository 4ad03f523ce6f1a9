import { sql } from 'kysely';
import type { FindPushes } from '../../../projections/ingestion-receipts.ts';
import type { Db } from '../connection/database.ts';
import { listedIngestionsIn } from './listed-ingestions.ts';

/** What was pushed to a practice, newest first; imports and manual entry are no pushes. */
export const findPushesIn =
  (db: Db): FindPushes =>
  async (practiceId, { from, count, most }) => {
    const counted = await sql<{ total: string }>`
      select count(*) as total from (
        select 1 from read.ingestion
        where practice_id = ${practiceId} and source = 'fhir_push'
        limit ${most}) as recent`.execute(db);
    const rows = await listedIngestionsIn(db, practiceId)
      .select('ingestion.error')
      .where('ingestion.source', '=', 'fhir_push')
      .orderBy('ingestion.ingestion_id')
      .offset(from)
      .limit(Math.min(count, Math.max(0, most - from)))
      .execute();
    return {
      total: Number(counted.rows[0]?.total ?? 0),
      pushes: rows.map((row) => ({
        ingestionId: row.ingestion_id,
        receivedAt: row.received_at,
        keyName: row.key_name,
        partnerName: row.partner_name,
        status: row.status,
        records: row.courses,
        accepted: row.accepted,
        rejected: row.rejected,
        error: row.error,
      })),
    };
  };
