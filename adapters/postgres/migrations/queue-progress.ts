import { type Migration, sql } from 'kysely';

/** Names the worker that has an entry in progress, and since when. Workers of 0.2 leave both alone. */
export const queueProgress: Migration = {
  async up(db) {
    // A claim makes a row longer; with less room on its page, the update would touch the indexes.
    await sql`
      alter table app.submission
        add column in_progress_by uuid, add column in_progress_since timestamptz,
        set (fillfactor = 45)`.execute(db);
  },
};
