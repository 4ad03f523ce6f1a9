import type { Db } from '../connection/database.ts';

/**
 * Version of the read tables' contents. Changes with every applied batch, with a rebuild, and when
 * a stream is unparked.
 */
export const createReadVersion = (db: Db) => async (): Promise<string> => {
  const { epoch, position, parked } = await db
    .selectFrom('read.checkpoint')
    .select((read) => [
      'epoch',
      'position',
      read.selectFrom('read.parked_stream').select(read.fn.countAll<string>().as('n')).as('parked'),
    ])
    .executeTakeFirstOrThrow();
  return `${epoch} ${position} ${parked}`;
};
