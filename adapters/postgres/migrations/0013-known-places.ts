import { type Kysely, type Migration, sql } from 'kysely';

/** From where accounts have signed in lately: strangers who guess do not hold them up there. */
export const knownPlaces: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.known_place (
        -- keyed hash of account, address and password: none can be read from it
        place text primary key,
        signed_in_at timestamptz not null default now()
      )`.execute(db);
    await sql`create index on app.known_place (signed_in_at)`.execute(db);
  },
};
