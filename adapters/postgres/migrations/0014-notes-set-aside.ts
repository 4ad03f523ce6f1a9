import { type Kysely, type Migration, sql } from 'kysely';

/** Dead letters of the access log outbox: entries that the log would refuse. */
export const notesSetAside: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table app.noted_access add column set_aside_at timestamptz`.execute(db);
    await sql`
      create index noted_access_on_its_way on app.noted_access (seq)
      where set_aside_at is null`.execute(db);
    await sql`
      create index noted_access_set_aside on app.noted_access (set_aside_at)
      where set_aside_at is not null`.execute(db);
  },
};
