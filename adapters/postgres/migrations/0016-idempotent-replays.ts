import { type Kysely, type Migration, sql } from 'kysely';

/** How often each key has sent an Idempotency-Key that its practice had used before. */
export const idempotentReplays: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Room on each page: a count rewrites its row in place.
    await sql`
      create table app.idempotent_replay (
        key_id text primary key,
        replays bigint not null,
        last_at timestamptz not null
      ) with (fillfactor = 50)`.execute(db);
  },
};
