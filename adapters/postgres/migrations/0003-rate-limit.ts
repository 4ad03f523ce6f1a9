import { type Kysely, type Migration, sql } from 'kysely';

/** Counters of the rate limiters. Unlogged: a crash of the database empties them, which is fine. */
export const rateLimit: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Room on each page, and no index on what changes: a hit rewrites its row in place.
    await sql`
      create unlogged table app.rate_limit (
        bucket text primary key,
        hits integer not null,
        resets_at timestamptz not null
      ) with (fillfactor = 50)`.execute(db);
  },
};
