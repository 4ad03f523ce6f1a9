import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

export interface KeyUse {
  /** Does not delay the request: writes happen later, at most once a minute per key. */
  note(keyId: string, address: string): void;
  stop(): Promise<void>;
}

const WRITTEN_EVERY_MS = 60_000;

type UseTable = 'app.key_use' | 'app.key_refusal';

/**
 * The first use of a key is written at once, the last one of the next minute at its end.
 * @param onFault called if a write fails: the displayed last use is then less exact
 */
export const createKeyUse = (
  db: Db,
  table: UseTable,
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
  table: UseTable,
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
