import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** Remembers when keys were last used, and from where. */
export interface KeyUse {
  /** Costs the request nothing: what is noted is written later, at most once a minute for a key. */
  note(keyId: string, address: string): void;
  /** Writes what has been noted. */
  stop(): Promise<void>;
}

const WRITTEN_EVERY_MS = 60_000;

/** Where the last use of a key is kept: one that was let in, or one that was refused for its address. */
type KeptIn = 'app.key_use' | 'app.key_refusal';

/**
 * Keeps the last use of each key: the first one is written at once, those of the
 * next minute together at its end. No address outlives the next one.
 * @param onFault told when they could not be written: only how exactly a list tells the last use is at stake
 */
export const createKeyUse = (
  db: Db,
  table: KeptIn,
  now: () => Date,
  onFault: (error: unknown) => void,
): KeyUse => {
  const noted = new Map<string, { readonly at: Date; readonly address: string }>();
  const written = new Set<string>();
  let writing = Promise.resolve();

  const write = (): Promise<void> => {
    const rows = [...noted].map(([key_id, { at, address }]) => ({
      key_id,
      last_used_at: at,
      last_address: address,
    }));
    noted.clear();
    if (rows.length === 0) return writing;
    for (const { key_id } of rows) written.add(key_id);
    writing = writing
      .then(() => upsert(db, table, rows))
      .catch((error: unknown) => {
        onFault(error);
      });
    return writing;
  };
  const timer = setInterval(() => {
    written.clear();
    void write();
  }, WRITTEN_EVERY_MS);

  return {
    note(keyId, address) {
      noted.set(keyId, { at: now(), address });
      if (!written.has(keyId)) void write();
    },
    stop() {
      clearInterval(timer);
      return write();
    },
  };
};

const upsert = async (
  db: Db,
  table: KeptIn,
  rows: readonly {
    readonly key_id: string;
    readonly last_used_at: Date;
    readonly last_address: string;
  }[],
): Promise<void> => {
  await db
    .insertInto(table)
    .values([...rows])
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

/**
 * Counts, for a key, a submission that queued nothing because its Idempotency-Key had been used. It is
 * on disk when the promise resolves, so the count survives a restart.
 */
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
