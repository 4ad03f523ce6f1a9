import { type Kysely, type Migration, sql } from 'kysely';

/** Revisions of drafts, so that a form does not replace what another has saved. */
export const draftRevisions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table app.draft
        add revision integer not null default 1,
        -- the form that saved it last
        add editor text`.execute(db);
  },
};
