import { type Kysely, type Migration, sql } from 'kysely';

/** Count, per key, of submissions with an already used idempotency key. */
export const idempotentReplays: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Free space on each page, so that a count updates its row in place.
    await sql`
      create table app.idempotent_replay (
        key_id text primary key,
        replays bigint not null,
        last_at timestamptz not null
      ) with (fillfactor = 50)`.execute(db);
  },
};
