import { type Kysely, type Migration, sql } from 'kysely';

/** Web sessions, in the columns that the session library requires. */
export const sessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // A separate column for the account, so that all its sessions can be ended together.
    await sql`
      create table app.session (
        sid text primary key,
        sess jsonb not null,
        expire timestamptz not null,
        account_id text generated always as (sess ->> 'accountId') stored
      )`.execute(db);
    await sql`create index session_expire on app.session (expire)`.execute(db);
    await sql`create index session_account on app.session (account_id)`.execute(db);
  },
};
