import { type Kysely, type Migration, sql } from 'kysely';

/** Form values of pre-fills: encrypted, and deleted after half an hour. */
export const prefillReviews: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.prefill_review (
        browser text not null,
        prefill_id uuid not null,
        sealed bytea not null,
        -- saved as a record: kept so that a second click finds it
        saved boolean not null default false,
        kept_at timestamptz not null default now(),
        expires_at timestamptz not null,
        primary key (browser, prefill_id)
      )`.execute(db);
    await sql`create index on app.prefill_review (expires_at)`.execute(db);
    // Encrypted bytes do not compress.
    await sql`alter table app.prefill_review alter sealed set storage external`.execute(db);
  },
};
