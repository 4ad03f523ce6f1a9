import { type Kysely, type Migration, sql } from 'kysely';

/** Last use of keys, and single-use forms that were submitted. */
export const keysAndForms: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.key_use (
        key_id text primary key,
        last_used_at timestamptz not null
      ) with (fillfactor = 50)`.execute(db);
    await sql`
      create table app.used_form (
        account_id text not null,
        form_id text not null,
        used_at timestamptz not null default now(),
        primary key (account_id, form_id)
      )`.execute(db);
  },
};
