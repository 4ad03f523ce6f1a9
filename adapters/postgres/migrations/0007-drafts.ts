import { type Kysely, type Migration, sql } from 'kysely';

/** Unfinished forms: encrypted, and deleted after a day. */
export const drafts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.draft (
        -- whose form it is: it outlives the session
        account_id text not null,
        form text not null,
        draft_id uuid not null,
        practice_id text not null,
        sealed bytea not null,
        -- saved as a record: kept so that the same form is not begun again by a late request
        finished boolean not null default false,
        saved_at timestamptz not null default now(),
        expires_at timestamptz not null,
        primary key (account_id, form, draft_id)
      )`.execute(db);
    await sql`create index on app.draft (expires_at)`.execute(db);
    // Encrypted bytes do not compress.
    await sql`alter table app.draft alter sealed set storage external`.execute(db);
  },
};
