import { type Kysely, type Migration, sql } from 'kysely';

/** Password hashes of members and staff. Secret, so not in the log. */
export const passwords: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.password (
        -- keyed hash of the email, which also names the account's stream in the log
        account_id text primary key,
        password_hash text not null
      )`.execute(db);
  },
};
