import { type Kysely, type Migration, sql } from 'kysely';

/** Births that a Scribe handed off to a Provider: encrypted, and deleted after 30 days. */
export const handedOver: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.handed_over (
        -- of the form, or made of the import and the row: the same birth is handed over once
        id text primary key,
        practice_id text not null,
        -- who handed it over
        member_id text not null,
        from_file boolean not null,
        sealed bytea not null,
        handed_at timestamptz not null default now(),
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index on app.handed_over (practice_id, handed_at)`.execute(db);
    await sql`create index on app.handed_over (expires_at)`.execute(db);
    // Encrypted bytes do not compress.
    await sql`alter table app.handed_over alter sealed set storage external`.execute(db);
  },
};
