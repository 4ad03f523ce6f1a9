import { newKey, unwrapKey, wrapKey } from '../crypto/key-wrapping.ts';
import type { Db } from './database.ts';

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
