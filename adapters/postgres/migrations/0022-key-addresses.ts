import { type Kysely, type Migration, sql } from 'kysely';

/** The address where a key was last used, and the one where it was last refused. */
export const keyAddresses: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table app.key_use add column last_address text`.execute(db);
    await sql`
      create table app.key_refusal (
        key_id text primary key,
        last_used_at timestamptz not null,
        last_address text
      ) with (fillfactor = 50)`.execute(db);
  },
};
