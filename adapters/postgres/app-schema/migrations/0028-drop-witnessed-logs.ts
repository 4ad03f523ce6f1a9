import { type Kysely, type Migration, sql } from 'kysely';

/** The registry no longer signs checkpoints of other logs. */
export const dropWitnessedLogs: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop table app.witnessed_log`.execute(db);
  },
};
