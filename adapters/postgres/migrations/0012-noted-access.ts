import { type Kysely, type Migration, sql } from 'kysely';

/** Outbox of the access log. Rows are deleted once their events are in the log. */
export const notedAccess: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.noted_access (
        -- the id of the event, too
        note_id uuid primary key,
        seq bigint generated always as identity,
        event jsonb not null,
        actor jsonb not null,
        correlation_id text not null,
        noted_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index on app.noted_access (seq)`.execute(db);
  },
};
