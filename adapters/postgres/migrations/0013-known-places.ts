import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Recent sign-in locations of accounts. Failed guesses from elsewhere do not delay sign-in there.
 */
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
