import { type Kysely, type Migration, sql } from 'kysely';

/** Every checkpoint that was signed: kept for good, for `verify` and for those who ask for an older one. */
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
