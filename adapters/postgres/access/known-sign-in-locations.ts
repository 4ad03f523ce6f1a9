import { sql } from 'kysely';
import { queryBoolean } from '../connection/conditions.ts';
import type { Db } from '../connection/database.ts';
import { deleteInSlices } from '../connection/delete-in-slices.ts';

/** Longer than a leave: a person who returns from one signs in as before. */
const RETENTION_DAYS = 90;

/** Each is a keyed hash of account, address, and password. New ones replace expired ones. */
export const createKnownSignInLocations = (db: Db) => ({
  isKnown: (place: string): Promise<boolean> =>
    queryBoolean(
      db,
      sql`exists (
        select from app.known_place
        where place = ${place} and signed_in_at > now() - make_interval(days => ${RETENTION_DAYS})
      )`,
    ),

  async remember(place: string): Promise<void> {
    await deleteInSlices(
      db,
      'app.known_place',
      sql`signed_in_at < now() - make_interval(days => ${RETENTION_DAYS})`,
    );
    await sql`
      insert into app.known_place (place) values (${place})
      on conflict (place) do update set signed_in_at = now()`.execute(db);
  },
});
