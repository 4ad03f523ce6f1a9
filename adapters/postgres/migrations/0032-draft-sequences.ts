import { type Kysely, type Migration, sql } from 'kysely';

/** Order of the requests of one form, so that a late one does not replace what a later one saved. */
export const draftSequences: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table app.draft
        -- counted by the form's script; null without a script
        add sequence bigint`.execute(db);
  },
};
