import { type Kysely, type Migration, sql } from 'kysely';

/**
 * An entry of the queue is claimed where it stands: with room on its page the change needs no new
 * entry in any index.
 */
export const queueInPlace: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table app.ingestion_queue set (fillfactor = 50)`.execute(db);
  },
};
