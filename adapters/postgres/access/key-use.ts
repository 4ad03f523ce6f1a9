import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** A use that is stored stays if it is later. */
export const createSaveKeyUses =
  (db: Db, table: 'app.key_use' | 'app.key_refusal') =>
  async (
    uses: ReadonlyMap<string, { readonly at: Date; readonly address: string }>,
  ): Promise<void> => {
    await db
      .insertInto(table)
      .values(
        [...uses].map(([key_id, { at, address }]) => ({
          key_id,
          last_used_at: at,
          last_address: address,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .column('key_id')
          .doUpdateSet({
            last_used_at: sql`excluded.last_used_at`,
            last_address: sql`excluded.last_address`,
          })
          .where(sql<boolean>`excluded.last_used_at > ${sql.ref(`${table}.last_used_at`)}`),
      )
      .execute();
  };

/** Durable once the promise resolves, so the count survives a restart. */
export const createCountReplay =
  (db: Db, now: () => Date) =>
  async (keyId: string): Promise<void> => {
    await sql`
      insert into app.idempotent_replay as held (key_id, replays, last_at)
      values (${keyId}, 1, ${now()})
      on conflict (key_id) do update set
        replays = held.replays + 1,
        last_at = greatest(held.last_at, excluded.last_at)`.execute(db);
  };
