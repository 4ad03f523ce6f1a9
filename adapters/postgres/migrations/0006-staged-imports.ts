import { type Kysely, type Migration, sql } from 'kysely';

/** Imported files between preview and queue: encrypted, and deleted after a day. */
export const stagedImports: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // An import has no key: its courses come from a member.
    await sql`alter table app.ingestion_queue alter key_kind drop not null`.execute(db);
    await sql`
      create table app.staged_import (
        -- also the id of the ingestion that a confirmation begins
        import_id text primary key,
        practice_id text not null,
        member_id text not null,
        -- the attempt under which the courses are sealed and will be queued
        attempt uuid not null unique,
        -- keyed hash of the file's bytes
        file_hash text not null,
        courses integer not null,
        -- courses that are not refused
        importable integer not null,
        empty_rows jsonb not null,
        -- sealed: what the preview shows above its rows
        summary bytea not null,
        staged_at timestamptz not null default now(),
        expires_at timestamptz not null,
        confirmed_at timestamptz,
        -- its ingestion is in the log; the chunks are gone
        announced_at timestamptz
      )`.execute(db);
    await sql`create index on app.staged_import (practice_id, member_id, staged_at)`.execute(db);
    await sql`
      create index on app.staged_import (practice_id, file_hash) where confirmed_at is not null
    `.execute(db);
    await sql`create index on app.staged_import (expires_at)`.execute(db);
    await sql`
      create table app.staged_import_chunk (
        import_id text not null references app.staged_import on delete cascade,
        kind text not null,
        chunk integer not null,
        sealed bytea not null,
        primary key (import_id, kind, chunk)
      )`.execute(db);
    // Encrypted bytes do not compress.
    await sql`alter table app.staged_import_chunk alter sealed set storage external`.execute(db);
  },
};
