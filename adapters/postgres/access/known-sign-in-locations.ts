import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { deleteInSlices } from '../connection/delete-in-slices.ts';

/** Longer than a leave: a person who comes back from one signs in as before. */
const KEPT_DAYS = 90;

/**
 * From where accounts have signed in, in `app.known_place`; old places go as new ones come. A place is
 * a keyed hash of the account and the address.
 */
export const createKnownSignInLocations = (db: Db) => ({
  /** Whether an account has signed in from a place lately. */
  async isKnown(place: string): Promise<boolean> {
    const { rows } = await sql<{ found: boolean }>`
      select exists (
        select from app.known_place
        where place = ${place} and signed_in_at > now() - make_interval(days => ${KEPT_DAYS})
      ) as found`.execute(db);
    return rows[0]?.found ?? false;
  },

  async remember(place: string): Promise<void> {
    await deleteInSlices(
      db,
      'app.known_place',
      sql`signed_in_at < now() - make_interval(days => ${KEPT_DAYS})`,
    );
    await sql`
      insert into app.known_place (place) values (${place})
      on conflict (place) do update set signed_in_at = now()`.execute(db);
  },
});
