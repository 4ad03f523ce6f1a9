import { type Kysely, type Migration, sql } from 'kysely';

/** Counters of the rate limiters. Unlogged, because losing them in a database crash is harmless. */
export const rateLimit: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Free space on each page and no index on changing columns, so that a hit updates its row in
    // place.
    await sql`
      create unlogged table app.rate_limit (
        bucket text primary key,
        hits integer not null,
        resets_at timestamptz not null
      ) with (fillfactor = 50)`.execute(db);
  },
};
