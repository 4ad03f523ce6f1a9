import { type Kysely, type Migration, sql } from 'kysely';

/** Address of a key's last use and of its last refusal. */
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
