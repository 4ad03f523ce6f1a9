import type { Db } from '../connection/database.ts';

/** The ingestions of a practice with whose key each came by, newest first. */
export const listedIngestionsIn = (db: Db, practiceId: string) =>
  db
    .selectFrom('read.ingestion as ingestion')
    .leftJoin('read.api_key as key', 'key.key_id', 'ingestion.key_id')
    .leftJoin('read.partner as partner', 'partner.partner_id', 'key.partner_id')
    .select(['ingestion.ingestion_id', 'ingestion.received_at', 'ingestion.status'])
    .select(['ingestion.courses', 'ingestion.accepted', 'ingestion.rejected'])
    .select(['key.name as key_name', 'partner.name as partner_name'])
    .where('ingestion.practice_id', '=', practiceId)
    .orderBy('ingestion.received_at', 'desc');
