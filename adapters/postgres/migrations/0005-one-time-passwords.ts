import { type Kysely, type Migration, sql } from 'kysely';

/** A password that was given to its owner is only good for choosing one of their own. */
export const oneTimePasswords: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table app.password
        add column must_change boolean not null default false`.execute(db);
  },
};
