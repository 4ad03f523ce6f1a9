import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Short-lived or secret data: leases, the queue of mapped courses, wrapped keys, access version.
 */
export const writePath: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create schema app`.execute(db);
    await sql`
      create table app.lease (
        name text primary key,
        holder uuid,
        expires_at timestamptz not null,
        -- advisory lock that the holder's process keeps while it lives; null: the expiry only
        presence bigint,
        -- whether the holder took it from one that had not given it back
        seized boolean not null default false,
        -- position in the log of the last thing written under the lease
        highest_position bigint not null default 0
      )`.execute(db);
    await sql`
      create table app.lease_request (
        name text not null,
        requester uuid not null,
        expires_at timestamptz not null,
        primary key (name, requester)
      )`.execute(db);
    await sql`
      create table app.ingestion_queue (
        attempt uuid primary key,
        seq bigint generated always as identity unique,
        ingestion_id text not null,
        practice_id text not null,
        key_kind text not null,
        courses integer not null,
        queued_at timestamptz not null default now(),
        expires_at timestamptz not null,
        attempts integer not null default 0,
        last_fault text
      )`.execute(db);
    await sql`create index on app.ingestion_queue (practice_id, seq)`.execute(db);
    await sql`create index on app.ingestion_queue (ingestion_id)`.execute(db);
    await sql`
      create table app.ingestion_queue_chunk (
        attempt uuid not null,
        chunk integer not null,
        sealed bytea not null,
        primary key (attempt, chunk)
      )`.execute(db);
    // Encrypted bytes do not compress.
    await sql`alter table app.ingestion_queue_chunk alter sealed set storage external`.execute(db);
    await sql`
      create table app.queue_key (
        id integer primary key check (id = 1),
        wrapped_key text not null
      )`.execute(db);
    await sql`
      create table app.access_version (
        id integer primary key check (id = 1),
        version bigint not null
      )`.execute(db);
    await sql`insert into app.access_version (id, version) values (1, 1)`.execute(db);
  },
};
