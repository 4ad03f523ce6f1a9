import { type Kysely, type Migration, sql } from 'kysely';

/** Sessions of the pages, in the columns that the session library asks for. */
export const sessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // The account stands in a column of its own, so that all its sessions can be ended at once.
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
