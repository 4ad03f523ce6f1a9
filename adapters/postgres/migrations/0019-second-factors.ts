import { type Kysely, type Migration, sql } from 'kysely';

/** Second factors. Secret, so not in the log. */
export const secondFactors: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.time_code (
        account_id text primary key,
        -- the secret of the authenticator app
        sealed bytea not null,
        -- null: its owner has not shown a code of it yet
        confirmed_at timestamptz,
        -- no code of this time step, or an earlier one, is good any more
        last_step bigint not null default 0
      )`.execute(db);
    await sql`
      create table app.recovery_code (
        account_id text not null,
        -- SHA-256
        digest text not null,
        primary key (account_id, digest)
      )`.execute(db);
  },
};
