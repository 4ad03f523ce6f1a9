import { type Kysely, type Migration, sql } from 'kysely';

/** Adds versions of the queue key: `id` is the version, and the newest one encrypts. */
export const queueKeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table app.queue_key
        drop constraint queue_key_id_check,
        add made_at timestamptz not null default now(),
        -- version of the fingerprint key that the same rotation adds to the log
        add fingerprint_key integer not null default 1,
        -- when the rotation that made it had done everything; null: it has not yet
        add settled_at timestamptz default now()`.execute(db);
  },
};
