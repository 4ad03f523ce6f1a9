import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Password generation of sessions, expiry of one-time passwords, failed sign-ins, and one-time
 * passwords of invitations.
 */
export const accounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create sequence app.password_generation`.execute(db);
    await sql`
      alter table app.password
        -- another one with each password, and when all sessions were ended
        add column generation bigint not null default nextval('app.password_generation'),
        -- null: the owner chose it
        add column ends_at timestamptz,
        -- wrong passwords in a row, and since when
        add column failures integer not null default 0,
        add column failed_since timestamptz`.execute(db);
    await sql`
      update app.password set ends_at = now() + interval '72 hours' where must_change`.execute(db);
    // must_change stays for running processes of version 0.1. Users stay signed in.
    await sql`
      update app.session held
      set sess = jsonb_set(held.sess, '{generation}', to_jsonb(password.generation::text))
      from app.password where password.account_id = held.account_id`.execute(db);
    await sql`
      create table app.invitation (
        account_id text not null,
        practice_id text not null,
        -- SHA-256 of the one-time password: there are too many to guess
        password_digest text not null,
        ends_at timestamptz not null,
        primary key (account_id, practice_id)
      )`.execute(db);
  },
};
