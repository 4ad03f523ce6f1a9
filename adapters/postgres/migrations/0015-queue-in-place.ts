import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Free space on each page, so that claiming an entry updates it in place, without new index
 * entries.
 */
export const queueInPlace: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table app.ingestion_queue set (fillfactor = 50)`.execute(db);
  },
};
