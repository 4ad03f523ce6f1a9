import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Queue whose row is durable proof of a submission: it has everything the ingestion starts with,
 * and its courses if they fit one chunk. The former tables stay for processes of the previous
 * version.
 */
export const oneDurableWrite: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Free space on each page, so that claiming an entry updates it in place, without new index
    // entries.
    await sql`
      create table app.submission (
        ingestion_id text primary key,
        seq bigint generated always as identity unique,
        attempt uuid not null,
        practice_id text not null,
        -- null: a member brought it
        key_kind text,
        -- the key or the member
        sender_id text not null,
        -- of an import
        file_hash text,
        empty_rows jsonb,
        correlation_id text not null,
        received_at timestamptz not null,
        courses integer not null,
        bytes integer not null,
        -- the only chunk; null: they are in app.submission_chunk
        sealed bytea,
        queued_at timestamptz not null default now(),
        expires_at timestamptz not null,
        attempts integer not null default 0,
        is_in_doubt boolean not null default false,
        last_fault text
      ) with (fillfactor = 50)`.execute(db);
    await sql`create index on app.submission (practice_id, seq)`.execute(db);
    await sql`
      create table app.submission_chunk (
        ingestion_id text not null,
        chunk integer not null,
        sealed bytea not null,
        primary key (ingestion_id, chunk)
      )`.execute(db);
    // Encrypted bytes do not compress.
    await sql`alter table app.submission alter sealed set storage external`.execute(db);
    await sql`alter table app.submission_chunk alter sealed set storage external`.execute(db);
  },
};
