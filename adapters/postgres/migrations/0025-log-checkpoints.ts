import { type Kysely, type Migration, sql } from 'kysely';

/** All signed checkpoints, stored permanently for `verify` and for requests for older ones. */
export const logCheckpoints: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.log_checkpoint (
        -- events of the log that it covers
        size bigint primary key,
        -- as it is handed out, with its signatures
        note text not null,
        signed_at timestamptz not null default now()
      )`.execute(db);
  },
};
