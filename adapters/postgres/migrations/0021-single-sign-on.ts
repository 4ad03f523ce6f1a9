import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Accounts of people at identity providers, sessions that ended there, and client secrets of
 * practices.
 */
export const singleSignOn: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.sso_identity (
        account_id text not null,
        issuer text not null,
        -- names the person there
        subject text not null,
        primary key (account_id, issuer),
        unique (issuer, subject)
      )`.execute(db);
    await sql`
      create table app.sso_logout (
        issuer text not null,
        -- SHA-256 of the id of the logout token: each counts once
        token_digest text not null,
        -- null: every session that the person had then
        sid text,
        subject text,
        issued_at timestamptz not null,
        kept_at timestamptz not null default now(),
        primary key (issuer, token_digest)
      )`.execute(db);
    await sql`
      create table app.sso_secret (
        practice_id text primary key,
        -- the secret of its client, and what it is for
        sealed bytea not null
      )`.execute(db);
    // Every request of a signed-in user reads its session.
    await sql`create index on app.sso_logout (issuer, sid)`.execute(db);
    await sql`create index on app.sso_logout (issuer, subject) where sid is null`.execute(db);
    await sql`create index on app.sso_logout (kept_at)`.execute(db);
  },
};
