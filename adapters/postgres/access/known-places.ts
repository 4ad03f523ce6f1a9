import { sql } from 'kysely';
import type { IsKnownPlace, RememberPlace } from '../../../domain/account/ports.ts';
import type { Db } from '../connection/database.ts';

/** From where accounts have signed in. */
export interface KnownPlaces {
  readonly isKnown: IsKnownPlace;
  readonly remember: RememberPlace;
}

/** Longer than a leave: a person who comes back from one signs in as before. */
const KEPT_DAYS = 90;

/** Keeps them in `app.known_place`; old ones go as new ones come. */
export const knownPlacesIn = (db: Db): KnownPlaces => ({
  async isKnown(place) {
    const { rows } = await sql<{ found: boolean }>`
      select exists (
        select from app.known_place
        where place = ${place} and signed_in_at > now() - make_interval(days => ${KEPT_DAYS})
      ) as found`.execute(db);
    return rows[0]?.found ?? false;
  },
  async remember(place) {
    await sql`
      delete from app.known_place
      where signed_in_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
    await sql`
      insert into app.known_place (place) values (${place})
      on conflict (place) do update set signed_in_at = now()`.execute(db);
  },
});
