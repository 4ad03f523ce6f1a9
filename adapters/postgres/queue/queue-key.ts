import { sql } from 'kysely';
import { newKey, unwrapKey, wrapKey } from '../../crypto/keys.ts';
import type { Db } from '../connection/database.ts';

/**
 * The key that seals queued courses: random, made once, kept wrapped by the registry's secret.
 * @throws WrongRegistrySecret
 */
export const openQueueKey = async (db: Db, secret: string): Promise<Buffer> => {
  await db
    .insertInto('app.queue_key')
    .values({ id: 1, wrapped_key: wrapKey(newKey(), secret, 'queue-key') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { wrapped_key } = await db
    .selectFrom('app.queue_key')
    .select('wrapped_key')
    .executeTakeFirstOrThrow();
  return unwrapKey(wrapped_key, secret, 'queue-key');
};

/**
 * Wraps the key of the queue by another secret, if there is one yet. Safe to repeat.
 * @returns whether it was wrapped by the former secret until now
 * @throws WrongRegistrySecret when neither secret opens it
 */
export const rewrapQueueKey = (
  db: Db,
  { previous, next }: { readonly previous: string; readonly next: string },
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const held = await transaction
      .selectFrom('app.queue_key')
      .select('wrapped_key')
      .forUpdate()
      .executeTakeFirst();
    if (held === undefined || opens(held.wrapped_key, next)) return false;
    const key = unwrapKey(held.wrapped_key, previous, 'queue-key');
    await transaction
      .updateTable('app.queue_key')
      .set({ wrapped_key: wrapKey(key, next, 'queue-key') })
      .execute();
    return true;
  });

/** Whether a secret opens the key of the queue; true if there is none yet. */
export const isQueueKeyOpenedBy = async (db: Db, secret: string): Promise<boolean> => {
  // The database may be one that no build of ours has migrated.
  const { rows } = await sql<{ present: boolean }>`
    select to_regclass('app.queue_key') is not null as present`.execute(db);
  if (rows[0]?.present !== true) return true;
  const held = await db.selectFrom('app.queue_key').select('wrapped_key').executeTakeFirst();
  return held === undefined || opens(held.wrapped_key, secret);
};

const opens = (wrapped: string, secret: string): boolean => {
  try {
    unwrapKey(wrapped, secret, 'queue-key');
    return true;
  } catch {
    return false;
  }
};
