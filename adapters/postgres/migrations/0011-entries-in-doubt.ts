import { type Kysely, type Migration, sql } from 'kysely';

/** Marks entries that a worker has started, even if the attempt was not counted. */
export const entriesInDoubt: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table app.ingestion_queue add is_in_doubt boolean not null default false`.execute(db);
    await sql`update app.ingestion_queue set is_in_doubt = true where attempts > 0`.execute(db);
  },
};
