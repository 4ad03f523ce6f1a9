import { type Kysely, type Migration, sql } from 'kysely';

/**
 * EHR launches, pending for minutes, and the data they read, stored for half an hour. Encrypted.
 */
export const ehrLaunches: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.ehr_launch (
        -- SHA-256 of the state that the EHR sends back
        state_hash text primary key,
        -- names the browser that began it
        browser text not null,
        sealed bytea not null,
        begun_at timestamptz not null default now(),
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index on app.ehr_launch (browser, begun_at)`.execute(db);
    await sql`create index on app.ehr_launch (expires_at)`.execute(db);
    await sql`
      create table app.prefill (
        prefill_id uuid primary key,
        browser text not null,
        sealed bytea not null,
        kept_at timestamptz not null default now(),
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index on app.prefill (browser, kept_at)`.execute(db);
    await sql`create index on app.prefill (expires_at)`.execute(db);
    // Encrypted bytes do not compress.
    await sql`alter table app.prefill alter sealed set storage external`.execute(db);
  },
};
