import { type Kysely, type Migration, sql } from 'kysely';

/** Marks one-time passwords, which only allow choosing a new password. */
export const oneTimePasswords: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table app.password
        add column must_change boolean not null default false`.execute(db);
  },
};
