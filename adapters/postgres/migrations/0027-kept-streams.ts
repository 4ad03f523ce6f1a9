import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Cached log streams that intake needs if the service starts while the log is unavailable. Keys in
 * them are wrapped or hashed, as in the log.
 */
export const keptStreams: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.kept_stream (
        -- of the log that they were read from
        registry_id text not null,
        stream text not null,
        -- of the last event
        revision bigint not null,
        events jsonb not null,
        kept_at timestamptz not null default now(),
        primary key (registry_id, stream)
      )`.execute(db);
  },
};
