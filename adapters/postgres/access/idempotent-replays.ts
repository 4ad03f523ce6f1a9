import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/**
 * Counts, for a key, a submission that queued nothing because its Idempotency-Key had been used. It is
 * on disk when the promise resolves, so the count survives a restart.
 */
export const countReplayIn =
  (db: Db, now: () => Date) =>
  async (keyId: string): Promise<void> => {
    await sql`
      insert into app.idempotent_replay as held (key_id, replays, last_at)
      values (${keyId}, 1, ${now()})
      on conflict (key_id) do update set
        replays = held.replays + 1,
        last_at = greatest(held.last_at, excluded.last_at)`.execute(db);
  };
